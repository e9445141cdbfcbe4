import { getDocumentProxy } from 'unpdf'
import { expect, it } from 'vitest'
import { pagesOf } from '#test/documents.ts'
import { pdf, type PdfPart } from './pdf.ts'
import { runsOf } from './typefaces.ts'

const AT = new Date('2026-03-04T10:00:00Z')
const documentOf = (...parts: PdfPart[]) =>
  pdf({ title: 'A document', from: 'VetChat', foot: 'At the foot', lang: 'en-ZA', at: AT, parts })
const textOf = async (text: string) => {
  const [page] = await pagesOf(await documentOf({ text }))
  return page!.replace('VetChat A document ', '').replace(' At the foot', '')
}

it('a document has its parts in order, is kept for the next request, and is the same bytes when made again', async () => {
  const parts: PdfPart[] = [
    { heading: 'What to do' },
    { text: 'Give water.\nKeep warm.' },
    { list: ['Rest', '- No food', '3. Then rice', '1.5 cups of water'] },
    { table: [{ name: 'Amount', value: 'R450', strong: true }] },
    { text: 'Small print', small: true },
  ]
  const file = await documentOf(...parts)
  expect(await pagesOf(file)).toEqual([
    'VetChat A document What to do Give water. Keep warm. • Rest • No food 3. Then rice • 1.5 cups of water Amount R450 Small print At the foot',
  ])
  expect(await documentOf(...parts)).toBe(file)
  for (let at = 0; at < 50; at++) await documentOf({ text: `Another ${at}` })
  const again = await documentOf(...parts)
  expect([again === file, again.equals(file)]).toEqual([false, true])
})

it('a screen reader finds title, language, headings, lists and tables', async () => {
  const parts: PdfPart[] = [
    { heading: 'What to do' },
    { text: 'Give water.' },
    { list: ['Rest'] },
    { table: [{ name: 'Amount', value: 'R450' }] },
  ]
  const file = await getDocumentProxy(new Uint8Array(await documentOf(...parts)))
  const { info } = await file.getMetadata()
  expect(info).toMatchObject({ Title: 'A document', Author: 'VetChat', Language: 'en-ZA' })
  expect(await file.getMarkInfo()).toMatchObject({ Marked: true })
  const roles = ({ role, children }: { role?: string; children?: object[] }): unknown =>
    role && [role, ...(children ?? []).map(roles).filter(Boolean)]
  expect(roles(await (await file.getPage(1)).getStructTree())).toEqual([
    'Root',
    [
      'Document',
      ['P'],
      ['H1'],
      ['H2'],
      ['P'],
      ['L', ['LI', ['Lbl'], ['LBody']]],
      ['Table', ['TR', ['TH'], ['TD']]],
    ],
  ])
})

it('words wrap inside the page, long words are cut, and long documents continue on numbered pages', async () => {
  const long = `${'word '.repeat(3000)}${'W'.repeat(8000)}`
  const pages = await pagesOf(await documentOf({ text: long }))
  expect(pages.length).toBeGreaterThan(5)
  for (const [at, page] of pages.entries())
    expect(page).toMatch(new RegExp(` At the foot ${at + 1} / ${pages.length}$`))
  const all = pages.join(' ')
  expect(all.match(/word/g)).toHaveLength(3000)
  expect(all.match(/W(?!ord)/g)).toHaveLength(8000)
})

it('names of every kind are printed as they are written', async () => {
  for (const name of [
    'Zoë Müller-Łuczak',
    'Ștefan Țiriac',
    'Nguyễn Văn Đặng',
    'Анна Каренина',
    'Αθηνά Παπαδοπούλου',
    '王小明',
    '陳大文',
    '田中さくら',
    '김철수',
    'สมชาย ใจดี',
    '“R450” −5 € ½ ≥ → ✓ (a\\b)',
  ])
    expect(await textOf(name)).toBe(name)
})

it('Arabic and Hebrew are written from right to left, and numbers beside them are not', async () => {
  expect(await textOf('علي حسن')).toBe('علي حسن')
  expect(await textOf('Ali علي 2024')).toBe('Ali علي 2024')
  expect(await textOf('علي ٢٠٢٤')).toBe('علي 2024')
  expect(await textOf('נועה כהן')).toBe('נועה כהן')
  expect(await textOf('Consult about נועה 2024')).toBe('Consult about נועה 2024')
})

it('a Hebrew or Arabic name with a hyphen or apostrophe is one run, so its parts keep their order', () => {
  for (const name of ['יעל כהן-לוי', "ז'קלין בן־דוד", 'عبد-الله حسن'])
    expect(runsOf(name).map(({ text }) => text)).toEqual([name])
  expect(runsOf('Ali-علي').map(({ text }) => text)).toEqual(['Ali-', 'علي'])
})

it('emoji and invisible characters are left out', async () => {
  expect(await textOf('Biscuit 🐶👍🏽 and 👨‍👩‍👧\u0000 (1️⃣\u200b) ❤️\ud800.')).toBe('Biscuit and (1) .')
})

it('a document can be made from anything that people write', async () => {
  const marks = Array.from({ length: 0x70 }, (_, at) => String.fromCodePoint(0x300 + at))
  const parts: PdfPart[] = [{ text: '' }, { heading: '' }, { list: [] }, { list: [''] }, { table: [] }]
  parts.push(
    { table: [{ name: '', value: '' }] },
    { text: `a${marks.join('')} ع${marks.join('')} ע${marks.join('')} ก${marks.join('')}` },
  )
  // Words from every script up to the last emoji, including scripts without a font.
  const words = Array.from({ length: 400 }, (_, word) =>
    String.fromCodePoint(...Array.from({ length: 20 }, (__, at) => 0x20 + word * 320 + at)),
  )
  parts.push({ text: words.join(' ') })
  expect((await documentOf(...parts)).subarray(0, 8).toString()).toBe('%PDF-1.7')
})
