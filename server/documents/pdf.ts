/* Short papers as PDF, by the fonts that every reader has. The same paper is the same bytes. */

export type PdfPart =
  | { heading: string }
  | { text: string; small?: boolean }
  | { list: string[] }
  /** Two columns: what it is and what it says; a strong row is the one that counts. */
  | { table: { name: string; value: string; strong?: boolean }[] }

interface Paper {
  /** At the top of the paper and in the file's own description. */
  title: string
  /** Who wrote it: small above the title. */
  from: string
  /** At the foot of each page, before the page's number. */
  foot: string
  lang: string
  parts: PdfPart[]
}

const PAGE = { width: 595, height: 842, side: 56, top: 60, bottom: 64 }
const INSIDE = PAGE.width - 2 * PAGE.side
const NAME_WIDTH = 150
/* The house's green, ink, soft ink and hairline. */
const GREEN = '0.04 0.36 0.29'
const INK = '0.09 0.13 0.11'
const SOFT = '0.33 0.39 0.36'
const LINE = '0.85 0.87 0.84'

type Font = 'plain' | 'bold'
interface Style {
  font: Font
  size: number
  lead: number
  colour: string
}
const STYLES = {
  from: { font: 'bold', size: 13, lead: 22, colour: GREEN },
  title: { font: 'bold', size: 22, lead: 28, colour: INK },
  heading: { font: 'bold', size: 13, lead: 18, colour: INK },
  text: { font: 'plain', size: 10.5, lead: 15.5, colour: INK },
  strong: { font: 'bold', size: 10.5, lead: 15.5, colour: INK },
  name: { font: 'plain', size: 10.5, lead: 15.5, colour: SOFT },
  small: { font: 'plain', size: 9, lead: 13, colour: SOFT },
} as const satisfies Record<string, Style>

/* ---------- letters ---------- */

/** What WinAnsi keeps between 128 and 159; the dots are places without a letter. */
const HIGH = '€.‚ƒ„…†‡ˆ‰Š‹Œ.Ž..‘’“”•–—˜™š›œ.žŸ'
const ALIKE: Record<string, string> = { '−': '–', '‐': '-', '‑': '-', Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', ı: 'i' }
/** Pictures, what joins them and what cannot be seen. */
const UNSEEN = /[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}\p{Cf}\p{Cc}\p{M}]/u

function codeOf(letter: string): number | undefined {
  const code = letter.codePointAt(0) ?? 0
  if ((code >= 32 && code < 127) || (code >= 160 && code < 256)) return code
  const high = letter === '' || letter === '.' ? -1 : HIGH.indexOf(letter)
  return high < 0 ? undefined : 128 + high
}

/** A letter that the font lacks becomes the nearest that it has, a picture nothing, another script a question mark. */
function codesOf(said: string): number[] {
  return [...said.normalize('NFC')].flatMap((letter) => {
    const own = codeOf(letter) ?? codeOf(ALIKE[letter] ?? '')
    if (own !== undefined && own !== 0xad) return [own]
    if (/\s/.test(letter)) return [32]
    if (UNSEEN.test(letter)) return []
    const near = [...letter.normalize('NFKD')].map(codeOf).filter((code) => code !== undefined)
    return near.length > 0 ? near : [63]
  })
}

/** Widths of the standard fonts in thousandths: 32 to 126, and those above that differ from the letter below their accent. */
const WIDTHS: Record<Font, { low: number[]; high: Record<string, number> }> = {
  plain: {
    low: widths(
      '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556*10 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584',
    ),
    high: { '‚‘’': 222, ìíîï: 278, '„“”¡´¸': 333, '•': 350, 'øß¿': 611, '¦': 260 },
  },
  bold: {
    low: widths(
      '278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556*10 333 333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584',
    ),
    high: { '‚‘’': 278, '„“”': 500, '•': 350, 'øßðþµ¿': 611, '¡´¸': 333, '¦': 280 },
  },
}
const BOTH: Record<string, number> = {
  '\u00a0·': 278,
  '‹›ˆ˜¨¯²³¹\u00ad': 333,
  ªº: 370,
  '°': 400,
  '¬±×÷': 584,
  ÐÞ: 722,
  '©®': 737,
  ØÒÓÔÕÖ: 778,
  '¼½¾': 834,
  æ: 889,
  œ: 944,
  '…‰ŒÆ—™': 1000,
}

function widths(said: string): number[] {
  return said.split(' ').flatMap((one) => {
    const [width, times = '1'] = one.split('*')
    return Array<number>(Number(times)).fill(Number(width))
  })
}
const letterOf = (code: number) => (code > 127 && code < 160 ? HIGH[code - 128]! : String.fromCharCode(code))
function widthOfCode(font: Font, code: number): number {
  const { low, high } = WIDTHS[font]
  const letter = letterOf(code)
  for (const [letters, width] of [...Object.entries(high), ...Object.entries(BOTH)])
    if (letters.includes(letter)) return width
  return low[(letter.normalize('NFD').codePointAt(0) ?? 0) - 32] ?? 556
}
const ofAll = (font: Font) => Array.from({ length: 256 }, (_, code) => widthOfCode(font, code))
const TABLE = { plain: ofAll('plain'), bold: ofAll('bold') }
const widthOf = (codes: number[], { font, size }: Style) =>
  (codes.reduce((sum, code) => sum + TABLE[font][code]!, 0) * size) / 1000

/** Lines that fit; a word that alone is too long is cut. */
function linesOf(said: string, style: Style, width: number): number[][] {
  return said.split(/\r\n|[\n\r\u2028\u2029]/).flatMap((paragraph) => {
    const lines: number[][] = []
    let line: number[] = []
    for (const word of paragraph.split(/[ \t]+/).map(codesOf)) {
      if (word.length === 0) continue
      const longer = line.length > 0 ? [...line, 32, ...word] : word
      if (widthOf(longer, style) <= width) {
        line = longer
        continue
      }
      if (line.length > 0) lines.push(line)
      line = []
      for (const code of word) {
        if (widthOf([...line, code], style) > width) lines.push(line.splice(0))
        line.push(code)
      }
    }
    return [...lines, line]
  })
}

const stringOf = (codes: number[]) => `<${codes.map((code) => code.toString(16).padStart(2, '0')).join('')}>`
const written = (codes: number[], { font, size, colour }: Style, x: number, y: number) =>
  `BT /${font} ${size} Tf ${colour} rg ${x} ${y.toFixed(2)} Td ${stringOf(codes)} Tj ET`
/** Text of the file's description, which may hold any letter. */
const described = (said: string) => `<feff${Buffer.from(said, 'utf16le').swap16().toString('hex')}>`

/* ---------- pages ---------- */

function drawing() {
  const pages: string[][] = [[]]
  let y = PAGE.height - PAGE.top

  const write = (codes: number[], style: Style, x: number, at: number) =>
    void pages.at(-1)!.push(written(codes, style, x, at))
  function room(height: number) {
    if (y - height >= PAGE.bottom) return
    pages.push([])
    y = PAGE.height - PAGE.top
  }
  function lines(said: string, style: Style, x = 0) {
    for (const line of linesOf(said, style, INSIDE - x)) {
      room(style.lead)
      y -= style.lead
      write(line, style, PAGE.side + x, y + style.lead - style.size)
    }
  }
  function row({ name, value, strong }: { name: string; value: string; strong?: boolean }) {
    const [left, right] = strong ? [STYLES.strong, STYLES.strong] : [STYLES.name, STYLES.text]
    const names = linesOf(name, left, NAME_WIDTH - 16)
    const values = linesOf(value, right, INSIDE - NAME_WIDTH)
    for (let at = 0; at < Math.max(names.length, values.length); at++) {
      room(left.lead + 10)
      y -= left.lead + (at === 0 ? 5 : 0)
      if (names[at]) write(names[at]!, left, PAGE.side, y + left.lead - left.size)
      if (values[at]) write(values[at]!, right, PAGE.side + NAME_WIDTH, y + right.lead - right.size)
    }
    y -= 5
    const [from, to] = [PAGE.side, PAGE.side + INSIDE]
    pages.at(-1)!.push(`${LINE} RG 0.6 w ${from} ${y.toFixed(2)} m ${to} ${y.toFixed(2)} l S`)
  }
  return { pages, room, lines, row, gap: (height: number) => void (y -= height) }
}

function draw(page: ReturnType<typeof drawing>, part: PdfPart) {
  if ('heading' in part) {
    page.gap(14)
    // A heading does not stand alone at the end of a page.
    page.room(STYLES.heading.lead + 4 * STYLES.text.lead)
    page.lines(part.heading, STYLES.heading)
    page.gap(3)
  } else if ('list' in part) {
    for (const point of part.list) {
      page.room(STYLES.text.lead)
      page.lines('•', STYLES.text)
      page.gap(-STYLES.text.lead)
      page.lines(point, STYLES.text, 14)
      page.gap(3)
    }
  } else if ('table' in part) {
    part.table.forEach(page.row)
    page.gap(8)
  } else {
    page.lines(part.text, part.small ? STYLES.small : STYLES.text)
    page.gap(7)
  }
}

export function pdf({ title, from, foot, lang, parts }: Paper): Buffer {
  const page = drawing()
  page.lines(from, STYLES.from)
  page.lines(title, STYLES.title)
  page.gap(8)
  for (const part of parts) draw(page, part)

  const font = (name: string) =>
    `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
  const first = 6
  const kids = page.pages.map((_, at) => `${first + 2 * at} 0 R`)
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /Lang (${lang}) /ViewerPreferences << /DisplayDocTitle true >> >>`,
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    `<< /Title ${described(title)} /Author ${described(from)} >>`,
    ...page.pages.flatMap((drawn, at) => {
      const number = codesOf(kids.length > 1 ? `${foot}   ${at + 1} / ${kids.length}` : foot)
      const body = [...drawn, written(number, STYLES.small, PAGE.side, 36)].join('\n')
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Resources << /Font << /plain 3 0 R /bold 4 0 R >> >> /Contents ${first + 2 * at + 1} 0 R >>`,
        `<< /Length ${body.length} >>\nstream\n${body}\nendstream`,
      ]
    }),
  ]
  let file = '%PDF-1.4\n'
  const starts = objects.map((object, at) => {
    const start = file.length
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
    return start
  })
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
  return Buffer.from(
    `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  )
}
