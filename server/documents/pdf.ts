import { readFileSync } from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ROOT } from '../build-paths.ts'
import { keeping } from '../concurrency/keeping.ts'
import { hashOf } from '../identity/secrets.ts'
import { paragraphsOf, runsOf } from './typefaces.ts'

/* Short documents as PDF (decision 024). The same document always has the same bytes. */

export type PdfPart =
  | { heading: string }
  | { text: string; small?: boolean }
  | { list: string[] }
  /** Two columns, for a name and its value. A strong row is the most important one. */
  | { table: { name: string; value: string; strong?: boolean }[] }

export interface PdfDocument {
  /** At the top of the first page and in the file's own description. */
  title: string
  /** Who wrote it: beside the logo. */
  from: string
  /** At the foot of each page, before the page's number. */
  foot: string
  lang: string
  at: Date
  parts: PdfPart[]
}

const PAGE = { width: 595.28, height: 841.89, side: 56, top: 52, bottom: 76 }
const INSIDE = PAGE.width - 2 * PAGE.side
const NAME_WIDTH = 150
const GREEN = '#0b5d4b'
const INK = '#16211d'
const SOFT = '#55635d'
const HAIRLINE = '#d9dfda'

interface Style {
  bold?: boolean
  size: number
  lead: number
  colour: string
}
const STYLES = {
  from: { bold: true, size: 15, lead: 24, colour: INK },
  title: { bold: true, size: 24, lead: 32, colour: INK },
  heading: { bold: true, size: 13, lead: 19, colour: INK },
  text: { size: 10.5, lead: 16, colour: INK },
  strong: { bold: true, size: 13, lead: 18, colour: INK },
  name: { size: 10.5, lead: 16, colour: SOFT },
  strongName: { bold: true, size: 10.5, lead: 18, colour: INK },
  small: { size: 9, lead: 13, colour: SOFT },
} satisfies Record<string, Style>

async function open({ title, from, lang, at }: PdfDocument) {
  const { default: PDFDocument } = await import('pdfkit')
  const { side, top, bottom } = PAGE
  const doc = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margins: { top, bottom, left: side, right: side },
    pdfVersion: '1.7',
    tagged: true,
    lang,
    displayTitle: true,
    bufferPages: true,
    info: { Title: title, Author: from, CreationDate: at },
  })

  function write(
    text: string,
    { bold, size, lead, colour }: Style,
    { x = 0, ...box }: { x?: number; width?: number; height?: number; align?: 'right' } = {},
  ) {
    for (const paragraph of paragraphsOf(text)) {
      const runs = runsOf(paragraph || ' ')
      doc.x = side + x
      for (const [at, { text: run, face }] of runs.entries()) {
        doc.font(bold ? face.bold : face.plain, size).fillColor(colour)
        doc.text(run, {
          width: INSIDE - x,
          ...box,
          continued: at < runs.length - 1,
          // Typefaces differ in height, but the distance between lines is always the same.
          lineGap: lead - doc.currentLineHeight(true),
          baseline: -(lead / 2 + size * 0.35),
          // With a list of features, even an empty one, a run is set as a whole, so its words keep their order.
          ...(face.isRightToLeft && { features: [] }),
        })
      }
    }
  }
  return {
    doc,
    write,
    /** A part of the document as screen readers see it. */
    element: (type: string, children?: Child | Child[]) => doc.struct(type, {}, children),
    /** Begins a new page if less height than this is left. */
    room(height: number) {
      if (doc.y + height > doc.page.maxY()) doc.addPage()
    },
    gap: (height: number) => void (doc.y += height),
    /** Draws something that screen readers skip. */
    decorate(draw: () => void) {
      doc.markContent('Artifact')
      draw()
      doc.endMarkedContent()
    },
    hairline: (y: number) =>
      doc
        .moveTo(side, y)
        .lineTo(side + INSIDE, y)
        .lineWidth(0.6)
        .stroke(HAIRLINE),
  }
}
type Child = PDFKit.PDFStructureElementChild
type Pen = Awaited<ReturnType<typeof open>>

/** The site's own mark, 24 points high. */
function drawMark(doc: Pen['doc']) {
  const svg = readFileSync(path.join(ROOT, 'public/logo-mark.svg'), 'utf8')
  doc
    .save()
    .translate(PAGE.side, PAGE.top)
    .scale(24 / 64)
  for (const [, ellipse] of svg.matchAll(/<ellipse ([^>]+)>/g)) {
    const [cx = 0, cy = 0, rx = 0, ry = 0, angle = 0] = ellipse!.match(/-?[\d.]+/g)!.map(Number)
    doc
      .save()
      .rotate(angle, { origin: [cx, cy] })
      .ellipse(cx, cy, rx, ry)
      .fill(GREEN)
      .restore()
  }
  doc
    .path(/<path .*? d="([^"]+)"/.exec(svg)![1]!)
    .fill(GREEN, 'even-odd')
    .restore()
}

function row(
  { doc, write, element }: Pen,
  { name, value, strong }: { name: string; value: string; strong?: boolean },
) {
  const start = { y: doc.y, pages: doc.bufferedPageRange().count }
  let end = 0
  return element('TR', [
    element('TH', () => {
      write(name, strong ? STYLES.strongName : STYLES.name, { width: NAME_WIDTH - 16 })
      end = doc.y
    }),
    element('TD', () => {
      doc.y = start.y
      write(value, strong ? STYLES.strong : STYLES.text, { x: NAME_WIDTH })
      if (doc.bufferedPageRange().count === start.pages) doc.y = Math.max(doc.y, end)
    }),
  ])
}

/** People number their steps, or put a dash before them. */
const TYPED_LABEL = /^\s*(?:(\d{1,2}[.)])|[-*•])\s+/

function draw(pen: Pen, root: PDFKit.PDFStructureElement, part: PdfPart) {
  const { doc, write, element, room, gap, decorate, hairline } = pen
  if ('heading' in part) {
    gap(14)
    // A heading is never alone at the end of a page.
    room(STYLES.heading.lead + 4 * STYLES.text.lead)
    root.add(element('H2', () => write(part.heading, STYLES.heading)))
    gap(3)
  } else if ('list' in part) {
    const list = element('L')
    root.add(list)
    for (const point of part.list) {
      room(2 * STYLES.text.lead)
      const { y } = doc
      const [typed = '', number = '•'] = TYPED_LABEL.exec(point) ?? []
      list.add(
        element('LI', [
          element('Lbl', () => write(number, STYLES.text)),
          element('LBody', () => {
            doc.y = y
            write(point.slice(typed.length), STYLES.text, { x: 18 })
          }),
        ]),
      )
      gap(3)
    }
    list.end()
    gap(4)
  } else if ('table' in part) {
    const table = element('Table')
    root.add(table)
    for (const one of part.table) {
      gap(5)
      room(2 * STYLES.text.lead)
      table.add(row(pen, one))
      gap(5)
      decorate(() => hairline(doc.y))
    }
    table.end()
    gap(8)
  } else {
    root.add(element('P', () => write(part.text, part.small ? STYLES.small : STYLES.text)))
    gap(7)
  }
}

function drawFeet({ doc, write, decorate, hairline }: Pen, foot: string) {
  const { count } = doc.bufferedPageRange()
  const y = PAGE.height - 54
  const height = 2 * STYLES.small.lead
  for (let at = 0; at < count; at++) {
    doc.switchToPage(at)
    decorate(() => {
      hairline(y - 8)
      doc.y = y
      write(foot, STYLES.small, { width: count > 1 ? INSIDE - 60 : INSIDE, height })
      doc.y = y
      if (count > 1) write(`${at + 1} / ${count}`, STYLES.small, { height, align: 'right' })
    })
  }
}

const kept = keeping<Buffer>(50)

/** Making one takes as long as a hundred calls, and people may download theirs again and again. */
export const pdf = (content: PdfDocument) => kept(hashOf(JSON.stringify(content)), () => make(content))

async function make(content: PdfDocument): Promise<Buffer> {
  const pen = await open(content)
  const { doc, write, element, gap, decorate } = pen
  const root = element('Document')
  doc.addStructure(root)
  decorate(() => drawMark(doc))
  root.add(element('P', () => write(content.from, STYLES.from, { x: 32 })))
  gap(18)
  root.add(element('H1', () => write(content.title, STYLES.title)))
  gap(10)
  for (const part of content.parts) draw(pen, root, part)
  root.end()
  drawFeet(pen, content.foot)
  doc.end()
  return buffer(doc)
}
