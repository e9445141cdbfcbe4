import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openShell, watch } from '#test/browser.ts'
import { routes } from '#web/routes.ts'
import { violationsOn } from './axe.ts'
import { theProduct } from './product.ts'
import { emailOf, remembered, tokenOf } from './people.ts'

const PHONE = 390
/** Colour schemes change no widths, and axe is slow: it runs once in each scheme, on the narrowest and the widest. */
const LOOKS = [
  { width: 320, colorScheme: 'dark', axe: true },
  { width: PHONE, colorScheme: 'light', axe: false },
  { width: 1280, colorScheme: 'light', axe: true },
] as const
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** Values for the routes' path parameters. */
const EXAMPLE = 'EXAMPLE'
const SLUGS: Record<string, string> = {
  '/resource/ebook/:slug': '/resource/ebook/first-aid-for-pets',
  '/resource/infographic/:slug': '/resource/infographic/is-it-an-emergency',
}
const NOWHERE = '/no/such/page'
const SIGNS_OUT = /\/(logout|signoff)$/

/** On a busy machine the typeface may arrive late and wrap one line of a long page again, which is 0.011. */
const LEAST_SHIFT = 0.02

/** Records what moves while the page loads, without anyone touching it. */
const MEASURE_SHIFT = `
  window.shifted = []
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) window.shifted.push({ value, what: sources.map(({ node }) => node?.outerHTML?.slice(0, 80)) })
  }).observe({ type: 'layout-shift', buffered: true })`

const addressesOf = (path: string) => {
  if (SLUGS[path]) return [SLUGS[path]]
  const plain = path.replace(/\/(:\w+\?|\*)$/, '') || '/'
  const filled = path.replace(/:\w+\??|\*/g, EXAMPLE)
  return [...new Set(plain.includes(':') ? [filled] : [plain, filled])]
}
const known = routes.filter(({ path }) => path !== '*' && path !== '/gallery')
const built = known.filter(({ page }) => page)
/** Rooms redirect without a consultation, so room.test.ts tests them. */
const opens = built.filter(({ kind }) => kind !== 'room')

let browser: Browser
let url: string
let devices: Record<'signed out' | 'signed in', BrowserContext>
const signedIn = async () => browser.newContext({ storageState: remembered(url, await tokenOf('owner')) })
beforeAll(async () => {
  ;[browser, { url }] = await Promise.all([openShell(), theProduct()])
  devices = { 'signed out': await browser.newContext(), 'signed in': await signedIn() }
  // Puts a mail into the mailbox, whatever ran before.
  await fetch(`${url}/api/user/resetpwdcode`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: emailOf('vet2') }),
  })
})
afterAll(() => browser?.close())

async function newPage(context: BrowserContext) {
  const page = await context.newPage()
  await page.addInitScript(MEASURE_SHIFT)
  return page
}

async function settle(page: Page) {
  await page.waitForLoadState('networkidle')
  await page.locator('main [aria-busy=true]:visible').first().waitFor({ state: 'detached' })
}

/** What every page must satisfy. */
async function headTroubles(page: Page): Promise<string[]> {
  const head = (await page.evaluate(`({
    title: document.title,
    lang: document.documentElement.lang,
    described: Boolean(document.querySelector('meta[name=description]')?.content || document.querySelector('meta[name=robots]')),
    headings: document.querySelectorAll('h1').length,
    shifted: window.shifted,
  })`)) as {
    title: string
    lang: string
    described: boolean
    headings: number
    shifted: { value: number; what: string[] }[]
  }
  const shift = head.shifted.reduce((sum, { value }) => sum + value, 0)
  return [
    ...(/^\S.* · VetChat$/.test(head.title) ? [] : [`title: ${head.title}`]),
    ...(/^en-(ZA|AU)$/.test(head.lang) ? [] : [`lang: ${head.lang}`]),
    ...(head.described ? [] : ['no description']),
    ...(head.headings === 1 ? [] : [`${head.headings} h1`]),
    ...(shift < LEAST_SHIFT ? [] : [`moved while loading: ${JSON.stringify(head.shifted)}`]),
  ]
}

/** What must hold at this width and in this scheme. */
async function lookTroubles(page: Page, axe: boolean): Promise<string[]> {
  // Charts redraw a few frames after their place has changed.
  const sideways = (await page.evaluate(`(async () => {
    const html = document.documentElement
    for (let frames = 0; frames < 30 && html.scrollWidth > html.clientWidth; frames++)
      await new Promise(requestAnimationFrame)
    const { scrollWidth, clientWidth } = html
    if (scrollWidth <= clientWidth) return []
    const wide = [...document.body.querySelectorAll('*')].filter((one) => one.getBoundingClientRect().right > clientWidth + 1)
    return ['scrolls sideways by ' + (scrollWidth - clientWidth) + ' px: ' + wide.slice(-3).map((one) => one.outerHTML.slice(0, 100)).join(' ')]
  })()`)) as string[]
  return axe ? [...sideways, ...(await violationsOn(page, WCAG))] : sideways
}

/** The browser logs the 404 of a missing page or policy, and that a mail's frame lets no script of the test run. */
const isOurDoing = (line: string) =>
  (line.includes('404') &&
    [NOWHERE, `/admin/${EXAMPLE}`, `/clinic-portal/${EXAMPLE}`, `/pet/policy/${EXAMPLE}`].some((address) =>
      line.includes(address),
    )) ||
  // Only staff have a second factor. An owner who opens its page is redirected.
  (line.includes('403') && line.includes('/api/user/factor')) ||
  line.includes("Blocked script execution in 'about:srcdoc'")

/** The pages checked for each person. An address that leads to one of them isn't checked again. */
const lookedAt = new Set<string>()

async function troublesOn(page: Page, who: string, address: string): Promise<string[]> {
  const printed = watch(page)
  await page.setViewportSize({ width: PHONE, height: 844 })
  await page.goto(address)
  if (SIGNS_OUT.test(address)) await page.waitForURL('**/login')
  await settle(page)
  const troubles = await headTroubles(page)
  const place = `${who}, ${new URL(page.url()).pathname}`
  const looks = lookedAt.has(place) ? [] : LOOKS
  lookedAt.add(place)
  for (const { width, colorScheme, axe } of looks) {
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const trouble of await lookTroubles(page, axe))
      troubles.push(`${width} px, ${colorScheme}: ${trouble}`)
  }
  // Admins' tables become cards by the browser's own text size, which a page can't set.
  if (looks.length > 0 && who !== 'admin') {
    await page.setViewportSize({ width: PHONE, height: 844 })
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
    for (const trouble of await lookTroubles(page, false)) troubles.push(`text of 200%: ${trouble}`)
  }
  return [...troubles, ...printed.filter((line) => !isOurDoing(line))]
}

/** Public pages differ between people only in their header, so one page is enough for that. */
const differs = opens.filter(({ path, kind }) => kind !== 'public' || path === '/')
const ROUNDS = [
  ...[...opens.flatMap(({ path }) => addressesOf(path)), NOWHERE].map(
    (address) => ['signed out', address] as const,
  ),
  ...differs.flatMap(({ path }) => addressesOf(path)).map((address) => ['signed in', address] as const),
] as const

it.concurrent.each(ROUNDS)('%s, %s works at every width, light and dark [SHL-15]', async (who, address) => {
  // Signing out ends a session that the other pages need.
  const context = SIGNS_OUT.test(address) ? await signedIn() : devices[who]
  const page = await newPage(context)
  expect((await troublesOn(page, who, url + address)).join('\n')).toBe('')
  await page.close()
})

/** The pages that the menus lead staff to, from the page where they start their work. */
const CONSULTS = ['/myaccount?filter=available', '/myaccount', '/phone']
const OF_VETS = ['/myaccount?filter=in_progress', '/myaccount?filter=completed', '/roster']
const ACCOUNT = ['/myaccount/profile', '/content-reviews']
const VIEWS =
  'overview resources pages urgency members vets roster deferred clinics phoneConsultations money coupons claims audit mail messages feed jobs'
const MENUS = [
  { who: 'vet', start: '/myaccount', addresses: [...CONSULTS, ...OF_VETS, ...ACCOUNT] },
  {
    who: 'admin',
    start: '/admin',
    addresses: [...VIEWS.split(' ').map((view) => `/admin/${view}`), ...CONSULTS],
  },
]

describe.each(MENUS)('the pages in the menus of this person: $who', ({ who, start, addresses }) => {
  let context: BrowserContext
  beforeAll(async () => {
    context = await browser.newContext({ storageState: remembered(url, await tokenOf(who)) })
  })
  afterAll(() => context?.close())

  it('the menus have only these pages', async () => {
    const page = await newPage(context)
    await page.goto(url + start)
    await settle(page)
    const links = await page
      .locator('nav a[href^="/"], header a[href^="/"]')
      .evaluateAll((all) =>
        all
          .filter((link) => (link.closest('details') ?? link).checkVisibility())
          .map((link) => link.getAttribute('href')!),
      )
    expect(links.length).toBeGreaterThan(3)
    expect(links.filter((href) => !addresses.includes(href) && !/^\/(logout)?$/.test(href))).toEqual([])
    await page.close()
  })

  it.concurrent.each(addresses)('%s works at every width, light and dark [SHL-15]', async (address) => {
    const page = await newPage(context)
    expect((await troublesOn(page, who, url + address)).join('\n')).toBe('')
    await page.close()
  })
})

it('each check fails on a page with every defect', async () => {
  const context = await browser.newContext()
  const page = await newPage(context)
  await page.route('**/planted', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><html><title>Planted</title><h1>One</h1><h1>Two</h1><img src="/missing.png">
        <p id="late"></p><p style="width: 400px; color: #ccc; background: #fff">Pale and wide</p><p>Below</p>
        <script>console.error('printed'); setTimeout(() => { late.style.height = '200px' }, 200); setTimeout(() => { throw new Error('thrown') })</script>`,
    }),
  )
  const found = (await troublesOn(page, 'nobody', `${url}/planted`)).join('\n')
  for (const trouble of [
    'title: Planted',
    'lang: ',
    'no description',
    '2 h1',
    'moved while loading',
    '320 px, dark: scrolls sideways',
    'text of 200%: scrolls sideways',
    'color-contrast',
    'image-alt',
    'html-has-lang',
    'console: printed',
    'thrown: Error: thrown',
    'missing.png',
  ])
    expect(found).toContain(trouble)
  await context.close()
})

const ask = (address: string) => fetch(url + address, { redirect: 'manual' })
const nothingThere = [
  ...known.filter(({ page }) => !page).flatMap(({ path }) => addressesOf(path)),
  NOWHERE,
  '/resource/ebook/nothing-here',
  '/resource/infographic/nothing-here',
  // Cut off in the middle of a letter.
  '/resource/ebook/caf%C3',
]

it.each([
  ...nothingThere,
  ...built
    .filter(({ path }) => !path.endsWith('/*'))
    .map(({ path }) => `${addressesOf(path)[0]}/more/${EXAMPLE}`.replace('//', '/')),
])('%s answers the not-found page with status 404 [SHL-7]', async (address) => {
  const answer = await ask(address)
  const html = await answer.text()
  expect(answer.status).toBe(404)
  expect(html).toMatch(/<h1[^>]*>This page doesn/)
  expect(html).toMatch(/<meta name="description" content="[^"]{40,}/)
  expect(html).toMatch(/<meta name="robots" content="noindex"/)
  expect(html).not.toContain('rel="canonical"')
  expect(html).toMatch(/<a [^>]*href="\/"[^>]*>Go to the home page/)
})

it.each(built.flatMap(({ path }) => addressesOf(path)).filter((address) => address !== '/'))(
  '%s/ leads to the address without the slash [SHL-15]',
  async (address) => {
    const answer = await ask(`${address}/?promo=intro-20`)
    expect([answer.status, answer.headers.get('location')]).toEqual([308, `${address}?promo=intro-20`])
  },
)
