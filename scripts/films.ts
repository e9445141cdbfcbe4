// Draws the films of /videos frame by frame, from the text of their resources and the drawings in public/, and
// encodes them: node scripts/films.ts [SLUG…]. Only this script needs ffmpeg (Debian's will do).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { chromium } from 'playwright'
import sharp from 'sharp'
import { type Chapter, chaptersOf, FILM_SECONDS, teaserOf } from '#contract/library.ts'
import { RESOURCES } from '../server/db/demo/library.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const TO = path.join(ROOT, 'public/films')
const [WIDTH, HEIGHT, A_SECOND] = [960, 540, 12]
/** Seconds for the title and for the ending. The chapters share the rest. */
const [OPENS, CLOSES] = [4, 3]

const drawing = (name: string) => {
  const svg = readFileSync(path.join(ROOT, 'public', `${name}.svg`), 'utf8')
  return svg.slice(svg.indexOf('>') + 1, svg.lastIndexOf('</svg>')).replace(/<style>.*?<\/style>/, '')
}
/** The sitting dog of a scene, without its surroundings. */
function sittingDog() {
  const whole = drawing('scenes/success')
  const from = whole.indexOf('<g transform')
  let [depth, to] = [0, from]
  do {
    depth += whole.startsWith('<g', to) ? 1 : whole.startsWith('</g', to) ? -1 : 0
    to = whole.indexOf('>', to) + 1
  } while (depth > 0)
  return whole.slice(whole.indexOf('>', from) + 1, to - '</g>'.length)
}
const FONT = readFileSync(
  createRequire(import.meta.url).resolve(
    '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2',
  ),
)

/* What moves. Each is drawn on 400 × 400. `p` runs from 0 to 1 over its chapter, and `s` is the chapter's seconds so far. */

type Act = (p: number, s: number) => string

const eased = (p: number) => (p <= 0 ? 0 : p >= 1 ? 1 : 1 - (1 - p) ** 3)
/** Runs from 0 to 1 between two parts of a chapter. */
const between = (p: number, from: number, to: number) => eased((p - from) / (to - from))
const wave = (s: number, seconds: number) => Math.sin((s / seconds) * 2 * Math.PI)

const at = (x: number, y: number, scale: number, what: string, turn = 0) =>
  `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${scale})">${what}</g>`
const face = (who: 'dog' | 'cat', s: number, x = 200, y = 200, scale = 3) =>
  at(
    x,
    y + wave(s, 3) * 4,
    scale,
    `<g transform="translate(-48 -48)">${drawing(`avatars/${who}`)}</g>`,
    wave(s, 5) * 2,
  )
const words = (x: number, y: number, size: number, text: string, fill = '#16211D') =>
  `<text x="${x}" y="${y}" font-size="${size}" font-weight="700" text-anchor="middle" fill="${fill}">${text}</text>`
const scene =
  (name: string): Act =>
  (p) =>
    `<clipPath id="c"><rect x="0" y="50" width="400" height="300" rx="24"/></clipPath><g clip-path="url(#c)">${at(200, 200, 0.625 * (1 + p * 0.06), `<g transform="translate(-320 -240)">${drawing(`scenes/${name}`)}</g>`)}</g>`
const ground = '<circle cx="200" cy="200" r="180" fill="#E2F1EC"/>'
const pill = (x: number, y: number, turn = 0) =>
  at(
    x,
    y,
    1,
    '<rect x="-19" y="-9" width="38" height="18" rx="9" fill="#FFF" stroke="#A3B0AA" stroke-width="2"/><path d="M0-9V9" stroke="#A3B0AA" stroke-width="2"/>',
    turn,
  )
const bite = (x: number, y: number) =>
  `<circle cx="${x}" cy="${y}" r="22" fill="#B57B45"/><circle cx="${x - 6}" cy="${y - 6}" r="6" fill="#CE935A"/>`
const ring = (p: number, says: string, below: string) => {
  const round = 2 * Math.PI * 118
  return `<circle cx="200" cy="200" r="118" fill="#FFF" stroke="#CFE7DD" stroke-width="18"/><circle cx="200" cy="200" r="118" fill="none" stroke="#0B5D4B" stroke-width="18" stroke-linecap="round" stroke-dasharray="${round * Math.max(p, 0.001)} ${round}" transform="rotate(-90 200 200)"/>${words(200, 222, 76, says)}${words(200, 262, 24, below, '#55635D')}`
}
const heart = (s: number, x: number, y: number, scale: number) => {
  const beat = 1 + Math.max(0, wave(s, 0.6)) ** 4 * 0.16
  return at(
    x,
    y,
    scale * beat,
    '<path fill="#E4572E" d="M0 30C-42 2-46-22-30-34-16-44-4-34 0-22 4-34 16-44 30-34 46-22 42 2 0 30Z"/>',
  )
}
const bubble = (y: number, p: number) =>
  at(210, y, eased(p), '<rect width="150" height="44" rx="20" fill="#0B5D4B"/>')

/** The cat sleeping on the bubble. Its side rises and falls with its breath. */
const sleeper: Act = (_, s) => {
  const breath = 1 + wave(s, 2.4) * 0.022
  return `${ground}<g transform="translate(40 74) scale(1)">${at(0, 0, 1, `<g transform="translate(0 ${210 * (1 - breath)}) scale(1 ${breath})">${drawing('scenes/empty-no-consults').replace(/<circle[^>]*>/, '')}</g>`)}</g>${[
    0, 1, 2,
  ]
    .map((n) => {
      const up = (s / 2.4 + n / 3) % 1
      return `<g opacity="${1 - up}">${words(150 + n * 8 - up * 40, 110 - up * 70, 22 + up * 14, 'z', '#2F8A72')}</g>`
    })
    .join('')}`
}

const usual: Act = (p) =>
  [
    ['Breaths', 0.12, 0.24, '15 to 30'],
    ['Pulse, dog', 0.34, 0.66, '60 to 140'],
    ['Pulse, cat', 0.62, 1, '140 to 220'],
  ]
    .map(([name, from, to, says], n) => {
      const y = 84 + n * 104
      const grows = between(p, n * 0.12, n * 0.12 + 0.3)
      return `<text x="20" y="${y}" font-size="24" font-weight="600" fill="#55635D">${name}</text><text x="380" y="${y}" font-size="26" font-weight="700" text-anchor="end" fill="#16211D">${says}</text><rect x="20" y="${y + 16}" width="360" height="22" rx="11" fill="#E2F1EC"/><rect x="${20 + 360 * Number(from)}" y="${y + 16}" width="${Math.max(22, 360 * (Number(to) - Number(from)) * grows)}" height="22" rx="11" fill="#2F8A72"/>`
    })
    .join('')

const phone = (inside: string) =>
  `${ground}<rect x="112" y="24" width="176" height="352" rx="30" fill="#16211D"/><rect x="122" y="36" width="156" height="328" rx="20" fill="#FBFAF6"/>${inside}`

const FILMS: Record<string, { who: 'dog' | 'cat'; acts: Act[] }> = {
  'how-a-vetchat-consult-works': {
    who: 'dog',
    acts: [
      (p, s) =>
        phone(
          `${at(200, 92, 0.62, `<g transform="translate(-48 -48)">${drawing('avatars/dog')}</g>`, wave(s, 4) * 3)}${[0, 1, 2, 3].map((n) => `<rect x="138" y="${148 + n * 30}" width="124" height="14" rx="7" fill="#E3E6E0"/><rect x="138" y="${148 + n * 30}" width="${124 * between(p, 0.05 + n * 0.14, 0.22 + n * 0.14) * (n === 3 ? 0.6 : 1)}" height="14" rx="7" fill="#2F8A72"/>`).join('')}<g transform="translate(138 ${300 + (p > 0.72 && p < 0.78 ? 3 : 0)})"><rect width="124" height="40" rx="20" fill="${p > 0.7 ? '#CC441B' : '#E3E6E0'}"/>${words(62, 27, 19, 'Chat now', p > 0.7 ? '#FFF' : '#7C8983')}</g>`,
        ),
      (p, s) =>
        `${ground}${[0, 1, 2]
          .map((n) => {
            const moved = 110 * (between(p, 0.25, 0.4) + between(p, 0.6, 0.75))
            const x = 88 + n * 112 + (220 - moved) - 110
            return x > 20 && x < 390
              ? at(
                  x,
                  200 + wave(s + n, 3) * 4,
                  n === 2 ? 1.1 : 0.8,
                  `<g transform="translate(-48 -48)">${drawing(`avatars/${['cat', 'rabbit', 'dog'][n]}`)}</g>`,
                )
              : ''
          })
          .join(
            '',
          )}${words(200, 330, 34, p < 0.33 ? '3rd in the queue' : p < 0.68 ? '2nd in the queue' : 'You’re next', '#0B5D4B')}`,
      scene('vet-at-screen'),
      (p) =>
        `${ground}<rect x="104" y="44" width="192" height="312" rx="18" fill="#FFF"/>${words(200, 92, 26, 'Your plan', '#0B5D4B')}${[
          0, 1, 2,
        ]
          .map((n) => {
            const grows = between(p, 0.1 + n * 0.18, 0.3 + n * 0.18)
            return `<g transform="translate(128 ${130 + n * 70})"><circle cx="16" cy="16" r="16" fill="#E2F1EC"/><path d="M8 16L14 22 24 10" fill="none" stroke="#0B5D4B" stroke-width="4" stroke-linecap="round" stroke-linejoin="round" stroke-dasharray="${24 * grows} 40"/><rect x="44" y="0" width="${104 * grows}" height="12" rx="6" fill="#CFE7DD"/><rect x="44" y="20" width="${70 * grows}" height="12" rx="6" fill="#E3E6E0"/></g>`
          })
          .join('')}`,
      scene('cat-on-lap'),
    ],
  },
  'taking-a-pulse-and-counting-breaths': {
    who: 'cat',
    acts: [
      sleeper,
      (p, s) =>
        `${at(0, 40, 0.62, sleeper(p, s))}<g transform="translate(186 168) scale(.56)">${ring(p, String(Math.max(1, Math.ceil(p * 12))), 'breaths')}</g>`,
      (p, s) =>
        `${ground}${at(100, 30, 2.1, sittingDog())}<g opacity="${between(p, 0.15, 0.3)}">${heart(s, 245, 300, 0.7)}</g>`,
      (p, s) => `${ring(p, String(Math.round(p * 15)), 'seconds')}${heart(s, 326, 92, 0.9)}`,
      usual,
    ],
  },
  'giving-a-tablet-to-a-dog': {
    who: 'dog',
    acts: [
      (p, s) =>
        `${face('dog', s, 150, 250, 2.6)}${bubble(70, p * 5)}${words(285, 100, 24, p > 0.15 ? 'With food?' : '', '#FFF')}${bubble(126, p * 5 - 1.4)}${words(285, 156, 24, p > 0.42 ? 'In parts?' : '', '#FFF')}`,
      (p, s) =>
        `${face('dog', s, 200, 236, 3)}${[0, 1, 2]
          .map((n) => {
            const go = between(p, 0.1 + n * 0.24, 0.3 + n * 0.24)
            if (go >= 1) return ''
            const [x, y] = [110 + n * 90, 50]
            const [nx, ny] = [x + (200 - x) * go, y + (268 - y) * go ** 2]
            return bite(nx, ny) + (n === 1 ? pill(nx, ny, 24) : '')
          })
          .join('')}`,
      (p, s) =>
        `<g transform="translate(0 ${wave(s, 3) * 3})"><path d="M40 236L190 150 190 276 40 276Z" fill="#F2B35E"/><path d="M40 236L190 150" stroke="#F9D999" stroke-width="10" stroke-linecap="round"/><circle cx="96" cy="250" r="12" fill="#DE9C45"/><circle cx="150" cy="216" r="9" fill="#DE9C45"/><circle cx="150" cy="258" r="7" fill="#DE9C45"/><circle cx="176" cy="300" r="26" fill="#0B5D4B"/><path d="M164 300L173 309 189 291" fill="none" stroke="#FFF" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"/></g><g opacity="${between(p, 0.35, 0.5)}"><rect x="246" y="150" width="110" height="130" rx="16" fill="#CE935A"/><rect x="240" y="134" width="122" height="26" rx="8" fill="#7A4A2E"/><rect x="246" y="190" width="110" height="50" fill="#FCF3E6"/>${words(301, 222, 21, 'xylitol', '#7A4A2E')}<circle cx="346" cy="300" r="26" fill="#CC441B"/><path d="M336 290L356 310M356 290L336 310" stroke="#FFF" stroke-width="6" stroke-linecap="round"/></g>`,
      (p, s) => {
        const go = between(p, 0.15, 0.5)
        return `${face('dog', s, 200, 214, 3.4)}${go < 1 ? pill(340 - 140 * go, 90 + 160 * go, 40 * go) : `<g opacity="${between(p, 0.5, 0.6)}"><path d="M150 318Q200 ${338 + wave(s, 1) * 10} 250 318" fill="none" stroke="#F2B35E" stroke-width="9" stroke-linecap="round"/></g>`}`
      },
    ],
  },
}

interface Part {
  from: number
  to: number
  says: string
  html: (p: number, s: number) => string
}

const stage = (act: string, text: string, dark = false) =>
  `<div class="${dark ? 'dark' : ''}"><main>${text}</main><svg viewBox="0 0 400 400">${act}</svg></div>`

function partsOf(slug: string): Part[] {
  const resource = RESOURCES.find((one) => one.slug === slug)!
  const { who, acts } = FILMS[slug]!
  const chapters = chaptersOf(resource.description)
  const each = (FILM_SECONDS - OPENS - CLOSES) / chapters.length
  const rise = (p: number, late = 0) => {
    const up = between(p, late, late + 0.12)
    return `style="opacity:${up};transform:translateY(${18 * (1 - up)}px)"`
  }
  const one = ({ heading, points }: Chapter, n: number): Part => ({
    from: OPENS + n * each,
    to: OPENS + (n + 1) * each,
    says: [heading, ...points].join('\n'),
    html: (p, s) =>
      stage(
        acts[n]!(p, s),
        `<b ${rise(p)}>${n + 1}</b><h1 ${rise(p)}>${heading}</h1>${points.map((point) => `<p ${rise(p, 0.08)}>${point}</p>`).join('')}<nav>${chapters.map((_, at) => `<i class="${at <= n ? 'on' : ''}"></i>`).join('')}</nav>`,
      ),
  })
  const open: Part = {
    from: 0,
    to: OPENS,
    says: `${resource.title}\n${teaserOf(resource)}`,
    html: (p, s) =>
      stage(
        face(who, s, 200, 200, 3.6),
        `<em>VetChat</em><h1 class="large" ${rise(p)}>${resource.title}</h1><p ${rise(p, 0.1)}>${teaserOf(resource)}</p>`,
        true,
      ),
  }
  const close: Part = {
    from: FILM_SECONDS - CLOSES,
    to: FILM_SECONDS,
    says: 'Not sure? Ask a vet.\nGeneral information. It doesn’t replace a vet.',
    html: (p, s) =>
      stage(
        at(
          200,
          200,
          1 + wave(s, 3) * 0.02,
          `<g transform="translate(-150 -150) scale(4.7)">${drawing('logo-mark-dark')}</g>`,
        ),
        `<em>VetChat</em><h1 class="large" ${rise(p)}>Not sure? Ask a vet.</h1><p ${rise(p, 0.1)}>General information. It doesn’t replace a vet.</p>`,
        true,
      ),
  }
  return [open, ...chapters.map(one), close]
}

const STYLE = `@font-face{font-family:Figtree;src:url(data:font/woff2;base64,${FONT.toString('base64')});font-weight:300 900}
*{box-sizing:border-box;margin:0}body{font-family:Figtree;width:${WIDTH}px;height:${HEIGHT}px;overflow:hidden;color:#16211D}
div{position:absolute;inset:0;padding:32px 36px 40px 48px;display:grid;grid-template-columns:1fr 360px;gap:28px;align-items:center;background:#FBFAF6}
.dark{background:#0B4437;color:#FFF}svg{width:360px;height:360px;font-family:Figtree;overflow:visible}
main{display:grid;gap:18px;align-content:center}h1{font-size:50px;line-height:1.12;letter-spacing:-.02em;text-wrap:balance}.large{font-size:56px}
p{font-size:34px;line-height:1.3;color:#3f4d47;text-wrap:pretty}.dark p{color:#CFE7DD}
b{display:grid;place-items:center;width:48px;height:48px;border-radius:50%;background:#E2F1EC;color:#0B5D4B;font-size:24px}em{font:700 22px Figtree;color:#8CCBB6}
nav{position:absolute;left:48px;bottom:26px;display:flex;gap:8px}i{width:34px;height:6px;border-radius:3px;background:#DDE5E0}.on{background:#0B5D4B}`

const clock = (seconds: number) => `00:${seconds.toFixed(3).padStart(6, '0')}`
const captions = (parts: Part[]) =>
  `WEBVTT\n\n${parts.map(({ from, to, says }) => `${clock(from)} --> ${clock(to)}\n${says}\n`).join('\n')}`

const FRAMES = `-f image2pipe -framerate ${A_SECOND} -c:v mjpeg -i -`
/** The file is small, plays before it has loaded fully, and plays on old phones. */
const FILM =
  '-c:v libx264 -preset veryslow -tune animation -crf 27 -g 120 -profile:v main -movflags +faststart ' +
  '-vf scale=out_color_matrix=bt709:out_range=tv,format=yuv420p ' +
  '-colorspace bt709 -color_primaries bt709 -color_trc bt709'
const encoder = (file: string) =>
  spawn('ffmpeg', [...`-y -loglevel error ${FRAMES} ${FILM}`.split(' '), file], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })

mkdirSync(TO, { recursive: true })
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } })
await page.setContent(`<style>${STYLE}</style><body></body>`)
await page.evaluate('document.fonts.load("700 20px Figtree")')

const asked = process.argv.slice(2)
for (const slug of asked.length > 0 ? asked : Object.keys(FILMS)) {
  const parts = partsOf(slug)
  const show = async (seconds: number) => {
    const part = parts.findLast(({ from }) => from <= seconds)!
    const s = seconds - part.from
    const html = part.html(s / (part.to - part.from), s)
    await page.evaluate(`document.body.innerHTML = ${JSON.stringify(html)}`)
    return page.screenshot({ type: 'jpeg', quality: 96 })
  }
  const film = encoder(path.join(TO, `${slug}.mp4`))
  for (let frame = 0; frame < FILM_SECONDS * A_SECOND; frame++)
    if (!film.stdin.write(await show(frame / A_SECOND))) await once(film.stdin, 'drain')
  film.stdin.end()
  const [code] = (await once(film, 'close')) as [number]
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`)
  await show(OPENS - 0.5)
  await sharp(await page.screenshot({ type: 'png' }))
    .resize(640)
    .jpeg({ quality: 64, mozjpeg: true })
    .toFile(path.join(TO, `${slug}.jpg`))
  writeFileSync(path.join(TO, `${slug}.vtt`), captions(parts))
  console.log(slug)
}
await browser.close()
