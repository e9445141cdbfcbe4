import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '..')

/** Phrases that read as translated, and what to write instead. */
const PHRASES: [phrase: RegExp, instead: string][] = [
  [/\bcan not\b/gi, "can't"],
  [/\bby (?:itself|themselves)\b/gi, 'automatically, or say who does it'],
  [/\bwhoever\b/gi, 'anyone who, the person who'],
  [/\bgoes on\b|\bgo on (?:to|with|from)\b|\bwent on from\b/gi, 'continues'],
  [/\b(?:paid|pay|pays|paying) back\b/gi, 'refund'],
  [/\bin the line\b|\bvets' line\b/gi, 'queue'],
  [/\b(?:did|do|does) not come\b/gi, "we couldn't load, never arrived"],
  [/\bthe house\b(?!'s own)/gi, 'the server, VetChat'],
  [/\bso long\b(?! as)/gi, 'as long as, until then'],
  [/\bstands? (?:on top|beside|in place|under|open)\b/gi, 'is, appears'],
  [/\b(?:is|are|was) too old\b/gi, 'has expired'],
  [/\bhow(?:ever)? true\b/gi, 'accurate'],
  [/\blook-alike\b/gi, 'sandbox'],
  [/\bat this moment\b/gi, 'right now'],
]

const texts = globSync('{README.md,docs/**/*.md,{contract,server,web,test,scripts}/**/*.{ts,tsx,mjs}}', {
  cwd: ROOT,
})
  .filter((file) => file !== 'test/plain-english.test.ts')
  .map((file) => ({ file, lines: readFileSync(path.join(ROOT, file), 'utf8').split('\n') }))

/** Lines that hold one of these words mention such a phrase on purpose. */
const allowed = readFileSync(path.join(ROOT, 'docs/plain-english-allowed.txt'), 'utf8')
  .split('\n')
  .filter(Boolean)

const placesOf = (phrase: RegExp, where: typeof texts) =>
  where.flatMap(({ file, lines }) =>
    lines.flatMap((line, at) =>
      allowed.some((words) => line.includes(words))
        ? []
        : [...line.matchAll(phrase)].map(([found]) => `${file}:${at + 1} says “${found}”`),
    ),
  )

it.each(PHRASES)('in sources and docs, %s becomes: %s', (phrase) => {
  expect(placesOf(phrase, texts)).toEqual([])
})

it('in sources and docs, every phrase is found where it is', () => {
  const lines = [
    'It can not be restarted. It goes by itself. Whoever waits goes on, and is paid back in the line.',
    'It did not come. The house waits so long. It stands beside it. It is too old, however true.',
    'The look-alike answers at this moment.',
  ]
  for (const [phrase] of PHRASES)
    expect(placesOf(phrase, [{ file: 'planted', lines }]), `${phrase}`).toHaveLength(1)
})
