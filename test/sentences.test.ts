import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { allSentences, ownersPages, textsIn, unnamed } from '../scripts/sentences.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const holesOf = (words: string) => [...words.matchAll(/\{(\w+)\}/g)].map(([, hole]) => hole).toSorted()

it('the catalogue of sentences has every sentence that owners read', () => {
  expect(ownersPages().length).toBeGreaterThan(150)
  expect(ownersPages().flatMap(unnamed)).toEqual([])
})

it.each([
  ['text', `export const A = () => <p>Your vet is here</p>`],
  ['a label', `export const A = () => <Button label="Close" />`],
  ['a choice', `export const A = ({ a }) => <p>{a ? 'Your vet is here.' : null}</p>`],
  ['words put together', 'export const A = ({ a }) => show(`Dr ${a} is with you`)'],
  ['words outside of a part', `const SAVED = 'Your card is saved.'`],
])('the catalogue of sentences is found to miss %s', (_, code) => {
  expect(unnamed({ path: 'web/a.tsx', code })).toHaveLength(1)
})

it('the catalogue of sentences has whole sentences with named placeholders', () => {
  const odd = [...allSentences()].filter(
    (sentence) => sentence !== sentence.trimStart() || /\{\d|\$\{|\{\}/.test(sentence),
  )
  expect(odd).toEqual([])
})

it('the catalogue of sentences matches every translation, with the same placeholders', () => {
  const known = allSentences()
  for (const file of globSync('web/words/*.json', { cwd: ROOT })) {
    const words = JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')) as Record<string, string>
    expect({ file, unknown: Object.keys(words).filter((sentence) => !known.has(sentence)) }).toEqual({
      file,
      unknown: [],
    })
    for (const [sentence, said] of Object.entries(words))
      if (said) expect({ sentence, holes: holesOf(said) }).toEqual({ sentence, holes: holesOf(sentence) })
  }
})

/** Other durations may be written out, such as the length of a consult. */
const NAMES_THE_PROMISE = /\b(?:15|fifteen)[\s-]+min|\bwithin (?:\d+ min|fifteen|twenty)/i

it('the minutes within which a vet joins are named only in the contract [CON-11]', () => {
  const files = globSync('{contract,server,web}/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: ['**/*.test.*', '**/node_modules/**'],
  })
  expect(files.length).toBeGreaterThan(400)
  const written = files.flatMap((file) =>
    [...textsIn({ path: file, code: readFileSync(path.join(ROOT, file), 'utf8') })]
      .filter(({ text }) => NAMES_THE_PROMISE.test(text))
      .map(({ at, text }) => `${at} says “${text}”`),
  )
  expect(written).toEqual([])
})

it.each([
  ['a page', 'export const A = () => <p>A vet joins within\n      15 minutes.</p>'],
  ['a sentence', `const A = say('Within 20 minutes, at any hour.')`],
  ['a mail', 'const a = (name) => `${name}, no vet joined you in 15 minutes.`'],
  ['words', `const LEAD = 'Two minutes to tell us. A vet within fifteen.'`],
])('the minutes within which a vet joins are noticed in %s', (_, code) => {
  const found = [...textsIn({ path: 'web/a.tsx', code })].filter(({ text }) => NAMES_THE_PROMISE.test(text))
  expect(found).toHaveLength(1)
})
