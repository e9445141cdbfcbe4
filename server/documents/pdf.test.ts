import { expect, test } from 'vitest'
import { pdf, type PdfPart } from './pdf.ts'

const paper = (...parts: PdfPart[]) =>
  pdf({ title: 'A paper', from: 'VetChat', foot: 'At the foot', lang: 'en-ZA', parts }).toString('latin1')
/** The words of a paper, page by page, as its strings hold them. */
const pagesOf = (file: string) =>
  [...file.matchAll(/stream\n([^]*?)\nendstream/g)].map(([, drawn]) =>
    [...drawn!.matchAll(/<([0-9a-f]*)> Tj/g)].map(([, hex]) =>
      new TextDecoder('windows-1252').decode(Buffer.from(hex!, 'hex')),
    ),
  )

test('a paper says its parts in order, and is the same bytes each time', () => {
  const parts: PdfPart[] = [
    { heading: 'What to do' },
    { text: 'Give water.\nKeep warm.' },
    { list: ['Rest'] },
    { table: [{ name: 'Amount', value: 'R450' }] },
    { text: 'Small print', small: true },
  ]
  const said = ['What to do', 'Give water.', 'Keep warm.', '•', 'Rest', 'Amount', 'R450', 'Small print']
  expect(pagesOf(paper(...parts))).toEqual([['VetChat', 'A paper', ...said, 'At the foot']])
  expect(paper(...parts)).toBe(paper(...parts))
})

test('every object stands where the table of the file says', () => {
  const file = paper({ text: 'Words '.repeat(3000) })
  const table = file.slice(Number(/startxref\n(\d+)/.exec(file)![1]))
  const starts = [...table.matchAll(/(\d{10}) 00000 n /g)].map(([, at]) => Number(at))
  for (const [at, start] of starts.entries())
    expect(file.slice(start)).toMatch(new RegExp(`^${at + 1} 0 obj\n`))
  expect(table).toContain(`/Size ${starts.length + 1} `)
  for (const [, length, stream] of file.matchAll(/\/Length (\d+) >>\nstream\n([^]*?)\nendstream/g))
    expect(stream).toHaveLength(Number(length))
})

test('words wrap inside the page, long ones are cut, long papers go on with numbered pages', () => {
  const pages = pagesOf(paper({ text: `${'word '.repeat(3000)}${'W'.repeat(400)}` }))
  expect(pages.length).toBeGreaterThan(2)
  expect(pages[0]!.at(-1)).toBe(`At the foot   1 / ${pages.length}`)
  const all = pages.flat()
  expect(all.join(' ').match(/word/g)).toHaveLength(3000)
  expect(all.join('').match(/W/g)).toHaveLength(400)
  expect(Math.max(...all.map((line) => line.length))).toBeLessThan(110)
})

test('letters that the font lacks become their nearest and break nothing', () => {
  const said = 'Zoë Łuna ő ﬁ “R450” −5 € (a\\b) 🐶👍🏽 Мур \u0000\u200b\ud800.'
  expect(pagesOf(paper({ text: said }))[0]![2]).toBe('Zoë Luna o fi “R450” –5 € (a\\b) ??? ?.')
})
