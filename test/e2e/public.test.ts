import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROMISED_MINUTES } from '#contract/consultations.ts'
import { wordsOf } from '#test/html.ts'
import { freePort, startProduct, type Product } from './product.ts'

/** Words that only one region may use. */
const ONLY = {
  za: /\bR ?\d|\bZAR\b|\brand\b|South Africa|SAVC|\bVAT\b|POPIA|Cape Town|Johannesburg|24\/7|en-ZA/,
  au: /\$ ?\d|\bAUD\b|\bdollars?\b|Australia|\bGST\b|Sydney|vet board|en-AU/,
}

let product: Product
let sites: Record<'za' | 'au', string>
const addresses: string[] = []
const get = async (url: string) => (await fetch(url)).text()

beforeAll(async () => {
  const port = await freePort()
  sites = { za: `http://127.0.0.1:${port}`, au: `http://localhost:${port}` }
  product = await startProduct({ port, env: { SITE_URL: sites.za, SITES: `au=${sites.au}` } })
  const sitemap = await get(`${sites.za}/sitemap.xml`)
  addresses.push(...[...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => new URL(url!).pathname))
})
afterAll(() => product?.remove())

it('a link to a file that no longer opens shows a page that leads on, and scripts still get their own answer [SHL-7]', async () => {
  for (const [address, status] of [
    ['/media/receipts/VC-1.pdf?until=1&signature=no', 404],
    ['/media/consultations/0123.png', 401],
  ] as const) {
    const followed = await fetch(sites.za + address, { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect([followed.status, followed.headers.get('content-type')]).toEqual([
      status,
      'text/html; charset=utf-8',
    ])
    const html = await followed.text()
    expect(wordsOf(html)).toContain('We couldn’t open this file')
    expect(html).toContain('href="/myaccount"')
    expect((await fetch(sites.za + address)).headers.get('content-type')).not.toContain('text/html')
  }
})

describe.each(['za', 'au'] as const)('every public page in %s', (region) => {
  const other = region === 'za' ? 'au' : 'za'

  it('mentions no other currency, regulator or country [SHL-13] [D1]', async () => {
    expect(addresses.length).toBeGreaterThan(30)
    const said: string[] = []
    for (const address of [...addresses, '/no/such/page', '/resources?page=2']) {
      const words = wordsOf(await get(sites[region] + address))
      const found = ONLY[other].exec(words)
      if (found) said.push(`${address}: …${words.slice(Math.max(0, found.index - 40), found.index + 40)}…`)
    }
    expect(said).toEqual([])
  })

  it.each([
    ['/', 'Organization'],
    ['/faq', 'FAQPage'],
    ['/how-it-works', 'Product'],
    ['/petculture-plus', 'Product'],
    ['/videos', 'VideoObject'],
    ['/resource/ebook/first-aid-for-pets', 'Article'],
  ])('%s says in structured data what it is: %s [PUB-10]', async (address, type) => {
    const html = await get(sites[region] + address)
    const data = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(
      ([, json]) => JSON.parse(json!) as { '@type': string; offers?: { priceCurrency: string }[] },
    )
    expect(data.map((one) => one['@type'])).toContain(type)
    for (const { offers = [] } of data)
      for (const { priceCurrency } of offers) expect(priceCurrency).toBe(region === 'za' ? 'ZAR' : 'AUD')
  })
})

it('a region has its own language and address, and names the other one’s [SHL-13]', async () => {
  const html = await get(sites.au)
  expect(html).toContain('<html lang="en-AU"')
  expect(html).toContain(`<link rel="alternate" hrefLang="en-ZA" href="${sites.za}/"/>`)
  expect(html).toContain(`<link rel="canonical" href="${sites.au}/"/>`)
  expect(await unsaid('/', 'au', ['Vets, online 6am to midnight', '$39.95 a consult'])).toEqual([])
})

it('the check finds words of the other region', () => {
  expect(ONLY.za.test(wordsOf('<p>Only R\u00a02&nbsp;000</p>'))).toBe(true)
  expect(ONLY.au.test(wordsOf('<img alt="$20 in Sydney">'))).toBe(true)
})

it('a link loads more resources until all are there, and ids redirect to slugs [PUB-5]', async () => {
  const first = await get(`${sites.za}/resources`)
  expect(first).toContain('href="?page=2#ebooks-2"')
  expect(first).not.toContain('All Loaded')
  const second = await get(`${sites.za}/resources?page=2`)
  expect(second.match(/All Loaded/g)).toHaveLength(2)
  expect(second).not.toContain('Load More')
  for (const [address, status, location] of [
    ['/resource/ebook/1', 301, '/resource/ebook/your-puppys-first-year'],
    ['/resource/infographic/1', 301, '/resource/ebook/your-puppys-first-year'],
    ['/resource/ebook/no-such-book', 404, null],
    ['/resource/infographic/99999', 404, null],
  ] as const) {
    const answer = await fetch(sites.za + address, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([status, location])
  }
})

it('an article says once which vet reviewed it, or that none has [D21]', async () => {
  for (const address of addresses.filter((one) => one.startsWith('/resource/'))) {
    const words = wordsOf(await get(sites.za + address))
    expect(words.match(/Only in this demo|Reviewed by Dr /g), address).toHaveLength(1)
  }
})

it('the expo form says so and links to contact when no mailing list is set [PUB-9]', async () => {
  const html = await get(`${sites.za}/vet-expo`)
  expect(html).not.toContain('name="EMAIL"')
  expect(wordsOf(html)).toContain('isn’t connected')
  expect(html).toContain('href="/contact"')
})

/** Which of these the page doesn't say. */
const unsaid = async (address: string, region: 'za' | 'au', parts: readonly string[]) => {
  const words = wordsOf(await get(sites[region] + address))
    .replaceAll('\u00a0', ' ')
    .replace(/\s+/g, ' ')
  return parts.filter((part) => !words.includes(part))
}

it('the home page promises what the product does, and links to the price [PUB-1]', async () => {
  expect(
    await unsaid('/', 'za', [
      'Video call a South African vet 24/7, wherever you are',
      'South African Veterinary Council',
      'How it works',
      'One membership, up to five pets',
    ]),
  ).toEqual([])
  const html = await get(`${sites.za}/`)
  expect(html.match(/href="\/how-it-works#hiw-pricing2"/g)!.length).toBeGreaterThanOrEqual(2)
  expect(html).toContain('href="/faq"')
})

it('the page How it works has three steps, the prices and both anchors [PUB-2]', async () => {
  const html = await get(`${sites.za}/how-it-works`)
  expect(html).toContain('id="hiw-pricing2"')
  expect(html).toContain('id="pricing-v2"')
  expect(
    await unsaid('/how-it-works', 'za', ['Tell us what’s wrong', 'A vet joins you', 'R450', 'R2 000']),
  ).toEqual([])
  expect(await unsaid('/how-it-works', 'au', ['$39.95', '$200'])).toEqual([])
})

const COVERED =
  'motor vehicle incident, snake bite toxicity, tick paralysis, foreign object ingestion, poisoning, heartworm and ehrlichiosis'
it.each(['/pawcare', '/petculture-plus'])('%s says what PawCare is, in figures [PUB-11]', async (address) => {
  const shared = [
    COVERED,
    'at most 3 incidents',
    'each pet, up to',
    '48 hours',
    'over 8 weeks',
    'over 18',
    'third-party insurer',
  ]
  expect(
    await unsaid(address, 'za', [...shared, 'R100 000 a year', 'R35 000 less R5 000 pays you R30 000']),
  ).toEqual([])
  expect(
    await unsaid(address, 'au', [...shared, '$10,000 a year', '$3,500 less $500 pays you $3,000']),
  ).toEqual([])
})

it('the questions say how long, how soon, when again and for how much [PUB-12]', async () => {
  const shared = ['about 20 minutes', `Within ${PROMISED_MINUTES} minutes`, 'After 24 hours']
  expect(await unsaid('/faq', 'za', [...shared, 'is R450', 'R2 000 a year'])).toEqual([])
  expect(await unsaid('/faq', 'au', [...shared, 'is $39.95', '$200 a year'])).toEqual([])
})
