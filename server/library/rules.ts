import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as z from 'zod'
import {
  type Chapter,
  chaptersOf,
  readWords,
  SLIDE_SECONDS,
  swatchOf,
  teaserOf,
  type Tone,
  toneOf,
  type Resource as Whole,
} from '#contract/library.ts'
import { escaped } from '../http/html-text.ts'
import { pdf } from '../documents/pdf.ts'

/** What an admin may write: one line at most, and a page of ours or a safe address. */
export const announced = z.object({
  text: z.string().trim().max(300),
  href: z
    .string()
    .regex(/^(\/(?![/\\])|https:\/\/)/)
    .optional(),
})

/** An address's last part, made from a title. Digits alone would be an id. */
export function slugOf(title: string): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f'’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return /[a-z]/.test(slug) ? slug : `resource-${slug}`.replace(/-$/, '')
}

/* Files made from a resource's text: a PDF, a poster, slides. The same text makes the same bytes. */

type Resource = Pick<Whole, 'type' | 'slug' | 'title' | 'description' | 'reviewed'>

/** By type: 1 eBooks, 2 Infographics, 3 Videos. */
export const ENDINGS = ['pdf', 'svg', 'html'] as const

export const nameOf = ({ slug, type }: Pick<Resource, 'slug' | 'type'>) => `${slug}.${ENDINGS[type - 1]}`

const careOf = ({ reviewed }: Pick<Resource, 'reviewed'>) =>
  reviewed
    ? `General information, reviewed by ${reviewed.by}. It doesn’t replace a vet.`
    : 'General information. It hasn’t been reviewed by a vet and doesn’t replace one.'

/** Our font is inside the file, since a picture or frame can't use the fonts of the page around it. */
const FONT = readFileSync(
  createRequire(import.meta.url).resolve(
    '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2',
  ),
).toString('base64')
const FACE = `@font-face{font-family:Figtree;font-weight:300 900;src:url(data:font/woff2;base64,${FONT}) format('woff2')}`

export const bookPdf = ({ title, description, reviewed }: Resource, at: Date): Promise<Buffer> =>
  pdf({
    title,
    from: 'VetChat',
    foot: careOf({ reviewed }),
    lang: 'en',
    at,
    parts: [{ text: careOf({ reviewed }), small: true }, ...readWords(description)],
  })

/* ---------- poster ---------- */

const POSTER = { width: 800, side: 40, inside: 640 }
const TONES: Record<Tone, { mark: string; ground: string; ink: string }> = {
  now: { mark: '#cc441b', ground: '#fce9e2', ink: '#9a330f' },
  soon: { mark: '#b05d09', ground: '#fbefd9', ink: '#874504' },
  calm: { mark: '#0b5d4b', ground: '#e2f1ec', ink: '#0a5141' },
}

/** Breaks lines by the letters' usual width; a browser may draw them a little narrower. */
function linesOf(text: string, size: number, width: number): string[] {
  const most = Math.floor(width / (size * 0.53))
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word
    if (lines.length > 0 && longer.length <= most) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

const lines = (said: string[], x: number, y: number, size: number, look: string) =>
  said
    .map(
      (line, at) =>
        `<text x="${x}" y="${y + at * Math.round(size * 1.35)}" font-size="${size}" ${look}>${escaped(line)}</text>`,
    )
    .join('')

const paw = (x: number, y: number, scale: number) =>
  `<g transform="translate(${x} ${y}) scale(${scale})" fill="#fff" opacity=".14"><ellipse cx="50" cy="66" rx="27" ry="23"/><ellipse cx="16" cy="40" rx="11" ry="15"/><ellipse cx="38" cy="20" rx="11" ry="16"/><ellipse cx="63" cy="20" rx="11" ry="16"/><ellipse cx="85" cy="40" rx="11" ry="15"/></g>`

function chapterDrawing({ heading, points }: Chapter, number: number, top: number) {
  const tone = TONES[toneOf(heading)]
  const swatch = swatchOf(heading)
  const head = linesOf(heading, 28, POSTER.inside - 72)
  let y = top + 70 + (head.length - 1) * 38
  const drawn = points.map((point) => {
    const said = linesOf(point, 22, POSTER.inside - 24)
    y += 14
    const row = `<circle cx="${POSTER.side + 38}" cy="${y + 18}" r="5" fill="${tone.mark}"/>${lines(said, POSTER.side + 60, y + 26, 22, 'fill="#16211d"')}`
    y += said.length * 30
    return row
  })
  const height = y - top + 34
  const chip = swatch
    ? `<circle cx="${POSTER.side + 50}" cy="${top + 46}" r="24" fill="${swatch}" stroke="#fff" stroke-width="4"/>`
    : `<circle cx="${POSTER.side + 50}" cy="${top + 46}" r="24" fill="${tone.mark}"/><text x="${POSTER.side + 50}" y="${top + 55}" font-size="26" font-weight="700" text-anchor="middle" fill="#fff">${number}</text>`
  const card = `<rect x="${POSTER.side}" y="${top}" width="${POSTER.width - 2 * POSTER.side}" height="${height}" rx="20" fill="${tone.ground}"/>`
  const name = lines(head, POSTER.side + 92, top + 56, 28, `font-weight="700" fill="${tone.ink}"`)
  return { drawn: card + chip + name + drawn.join(''), bottom: top + height }
}

export function posterOf({ title, description, reviewed }: Resource) {
  const head = linesOf(title, 52, 620)
  const banner = 110 + head.length * 70
  let top = banner + 32
  const drawn = chaptersOf(description).map((chapter, at) => {
    const one = chapterDrawing(chapter, at + 1, top)
    top = one.bottom + 20
    return one.drawn
  })
  const height = top + 64
  const drawing = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${POSTER.width} ${height}" width="${POSTER.width}" height="${height}" font-family="Figtree,system-ui,Roboto,Arial,sans-serif"><title>${escaped(title)}</title><style>${FACE}</style><rect width="100%" height="100%" fill="#fbfaf6"/><rect width="100%" height="${banner}" fill="#0b4437"/>${paw(660, banner - 120, 1.1)}${paw(590, 16, 0.6)}<text x="${POSTER.side}" y="62" font-size="22" font-weight="700" fill="#b9d5cb">VetChat</text>${lines(head, POSTER.side, 124, 52, 'font-weight="700" letter-spacing="-1.2" fill="#fff"')}${drawn.join('')}<text x="${POSTER.side}" y="${height - 30}" font-size="17" fill="#55635d">${escaped(careOf({ reviewed }))}</text></svg>`,
  )
  return { drawing, size: { width: POSTER.width, height } }
}

/* ---------- film ---------- */

/** Slides that advance by CSS alone. They can be paused, and are shown below each other if the reader wants no motion. */
export function filmOf({ title, description, reviewed }: Resource): Buffer {
  const chapters = chaptersOf(description)
  const slides = [
    { above: 'VetChat', heading: title, points: [teaserOf({ title, description })] },
    ...chapters.map((chapter, at) => ({ above: `${at + 1} of ${chapters.length}`, ...chapter })),
    {
      above: 'And then',
      heading: 'Not sure?',
      points: ['Ask a vet before you try it for the first time.', careOf({ reviewed })],
    },
  ]
  const share = 100 / slides.length
  const whole = slides.length * SLIDE_SECONDS
  const body = slides
    .map(
      ({ above, heading, points }, at) =>
        `<section style="animation-delay:${at * SLIDE_SECONDS}s"><p class="n">${above}</p><h2>${escaped(heading)}</h2>${points.map((point) => `<p>${escaped(point)}</p>`).join('')}</section>`,
    )
    .join('')
  return Buffer.from(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escaped(title)}</title><style>
${FACE}*{box-sizing:border-box}html,body{margin:0;height:100%}body{background:#0b4437;color:#f0f7f4;font:clamp(16px,3.4vw,24px)/1.4 Figtree,system-ui,Roboto,Arial,sans-serif;overflow:hidden}
section{position:absolute;inset:0 0 52px;padding:6vw;display:flex;flex-direction:column;justify-content:center;gap:.5em;opacity:0;animation:show ${whole}s both infinite}
h2{margin:0;font-size:1.5em;line-height:1.15}p{margin:0}.n{color:#b9d5cb;font-weight:700;font-size:.8em}
@keyframes show{0%{opacity:0;visibility:visible}${(share * 0.06).toFixed(2)}%{opacity:1}${(share * 0.94).toFixed(2)}%{opacity:1}${share.toFixed(2)}%{opacity:0;visibility:hidden}100%{opacity:0;visibility:hidden}}
i{position:absolute;left:0;bottom:48px;height:4px;width:100%;background:#4fc3a1;transform-origin:0;animation:run ${whole}s linear infinite}@keyframes run{from{transform:scaleX(0)}}
input{position:absolute;left:16px;bottom:14px;width:20px;height:20px;margin:0;accent-color:#4fc3a1}label{position:absolute;left:0;bottom:0;padding:12px 16px 12px 46px;font-size:16px;line-height:24px;cursor:pointer}
input:focus-visible+label{outline:3px solid #7fe0c4;outline-offset:-3px}input:checked~*,input:checked~*{animation-play-state:paused}
@media(prefers-reduced-motion:reduce){body{overflow:auto}section{position:static;opacity:1;animation:none;min-height:0;padding:24px}i,input,label{display:none}}
</style></head><body><input type="checkbox" id="hold"><label for="hold">Hold this slide</label>${body}<i></i></body></html>`,
  )
}
