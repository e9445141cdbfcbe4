import { createServer } from 'vite'
import { afterAll, expect, it } from 'vitest'
import type { WebBundle } from '#contract/page.ts'
import { seed } from '#server/db/seed.ts'
import { siteOf } from '#server/env.ts'
import { readingAddresses } from '#server/library/reads.ts'
import { documents } from '#server/http/pages.ts'
import { routes } from '#web/routes.ts'
import { troublesIn } from './html.ts'
import { cardTroublesIn, headOf, searchTroublesIn } from './search-engines.ts'
import { createWorld } from './world.ts'

const HOSTS = { za: 'vetchat.test', au: 'au.vetchat.test' }
const SITES = { SITE_URL: `http://${HOSTS.za}`, SITES: `au=http://${HOSTS.au}`, DEMO: 'on' }

const world = await createWorld({ env: SITES })
const { env, db } = world.world
await seed(db, env)
// Renders the pages from their sources: the build doesn't change their HTML.
const vite = await createServer({
  appType: 'custom',
  logLevel: 'error',
  optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, hmr: false, watch: null },
})
const bundle = (await vite.ssrLoadModule('virtual:react-router/server-build')) as WebBundle<Request, Response>
await world.app.register((inner) =>
  documents(
    inner,
    {
      mode: 'production',
      siteOf: (host) => {
        const site = siteOf(env.sites, host)
        return { ...site, others: env.sites.filter((other) => other !== site) }
      },
      ask: (definition, input, region, address) =>
        world.built.ask(definition, input, region, address) as never,
      present: async () => '',
      isDraft: () => false,
      version: () => '1',
      readings: () => readingAddresses(world.world),
      takesCards: () => true,
      reachesSandbox: () => false,
    },
    {
      bundle: async () => bundle,
      scripts: {
        head: '/head.js',
        islands: '/islands.js',
        alone: {},
      },
    },
  ),
)
afterAll(() => vite?.close())

const get = (host: string, url: string) => world.app.inject({ url, headers: { host } })

it.each(['za', 'au'] as const)('the HTML of every public page is valid in %s [PUB-10]', async (region) => {
  const sitemap = await get(HOSTS[region], '/sitemap.xml')
  const addresses = [...sitemap.body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => new URL(url!).pathname)
  expect(addresses.length).toBeGreaterThan(30)
  const troubles: string[] = []
  for (const address of [
    ...addresses,
    '/no/such/page',
    '/resources?page=2',
    '/petculture-plus?promo=intro-20',
  ]) {
    const { body, statusCode } = await get(HOSTS[region], address)
    if (statusCode !== (address === '/no/such/page' ? 404 : 200)) troubles.push(`${address}: ${statusCode}`)
    for (const trouble of troublesIn(body)) troubles.push(`${address}: ${trouble}`)
  }
  expect(troubles).toEqual([])
})

it.each(['za', 'au'] as const)(
  'search engines and share cards read every public page whole in %s [PUB-10]',
  async (region) => {
    const other = region === 'za' ? 'au' : 'za'
    const sitemap = await get(HOSTS[region], '/sitemap.xml')
    const troubles: string[] = []
    const heads: Record<'title' | 'description', string[]> = { title: [], description: [] }
    for (const [, url] of sitemap.body.matchAll(/<loc>(.*?)<\/loc>/g)) {
      const { pathname } = new URL(url!)
      const { body } = await get(HOSTS[region], pathname)
      for (const trouble of searchTroublesIn(body)) troubles.push(`${pathname}: ${trouble}`)
      for (const link of [
        `rel="canonical" href="http://${HOSTS[region]}${pathname}"`,
        `hrefLang="en-${other.toUpperCase()}" href="http://${HOSTS[other]}${pathname}"`,
      ])
        if (!body.includes(link)) troubles.push(`${pathname}: no ${link}`)
      const { title, description } = headOf(body)
      heads.title.push(title)
      heads.description.push(description)
    }
    for (const said of [heads.title, heads.description])
      troubles.push(...said.filter((one, at) => said.indexOf(one) !== at).map((one) => `twice: ${one}`))
    expect(troubles).toEqual([])
  },
)

it('the home page promises no more cover than there is [PUB-11]', async () => {
  const { body } = await get(HOSTS.au, '/')
  expect(body).toContain('PawCare cover for seven kinds of accident and illness, up to $10,000 a year')
})

it('clinics read when vets take their calls [PUB-8] [D4]', async () => {
  const shown = async (region: 'za' | 'au') => (await get(HOSTS[region], '/vet-clinic')).body
  expect(await shown('za')).toContain('answer your clients at any hour of the day and night')
  expect(await shown('au')).toContain('answer your clients from 6am to midnight in Sydney')
})

it('a page that sells has a share card, and search engines leave it out [PUB-10]', async () => {
  const troubles: string[] = []
  for (const address of [
    '/chat-purchase',
    '/video-purchase',
    '/subscribe',
    '/subscribe/intro-30',
    '/upgrade',
  ]) {
    const { body } = await get(HOSTS.za, address)
    troubles.push(...cardTroublesIn(body).map((trouble) => `${address}: ${trouble}`))
    expect(body).toContain(`<meta property="og:url" content="http://${HOSTS.za}${address}"/>`)
    expect(body).toContain('<meta name="robots" content="noindex"/>')
  }
  expect(troubles).toEqual([])
})

it('the check of what search engines read finds what is missing', () => {
  const data = (of: object) => `<script type="application/ld+json">${JSON.stringify(of)}</script>`
  const question = { '@type': 'Question', name: 'Why?', acceptedAnswer: { '@type': 'Answer', text: ' ' } }
  const offer = { '@type': 'Offer', price: '450.00', priceCurrency: 'rand' }
  const found = searchTroublesIn(
    data({ '@type': 'FAQPage', mainEntity: [question] }) +
      data({ '@context': 'https://schema.org', '@type': 'Product', name: 'A consult', offers: [offer] }) +
      data({ '@context': 'https://schema.org', '@type': 'Vet' }) +
      '<title>A</title><meta name="description" content="Short"><p>R400</p>',
  ).join('\n')
  for (const trouble of [
    'FAQPage has no right mainEntity',
    'FAQPage without its @context',
    "a question that the page doesn't show: Why?",
    'Product has no right offers',
    "a price that the page doesn't show: 450.00",
    'not known here: Vet',
    'a description of 5 letters',
    'no canonical address',
    'og:title is not the title',
    'no og:image',
    'no twitter:card',
  ])
    expect(found).toContain(trouble)
})

it('the first HTML of all other pages is valid too [PUB-10]', async () => {
  const addresses = routes
    .filter(({ kind, page, path }) => kind !== 'public' && page && path !== '/gallery')
    // A room without a consultation redirects.
    .map(({ path, kind }) =>
      (kind === 'room' ? path : path.replace(/\/(:\w+\?|\*)$/, '')).replace(/:\w+\??/g, '7'),
    )
  expect(addresses.length).toBeGreaterThan(20)
  const troubles: string[] = []
  for (const address of addresses)
    for (const trouble of troublesIn((await get(HOSTS.za, address)).body))
      troubles.push(`${address}: ${trouble}`)
  expect(troubles).toEqual([])
})

it('the check finds errors in a page', () => {
  const found = troublesIn(
    '<html><h1>A</h1><h1 id="x">B</h1><p id="x"><div></p><img src="a"><input name="b"><label for="none">C</label><a href="d"><a href="e"></a></a><a href="#gone"></a><ul><p></p></ul><li></li><span><h3></h3></span><button type="button"><a href="f"></a></button><button></button><label for="x">D</label><input autoComplete="street-address"><p aria-errormessage="gone"></p> 1 < 2',
  ).join('\n')
  for (const trouble of [
    'no doctype',
    '2 h1',
    'ids twice: x',
    'closes what is not open',
    '<html> without lang',
    '<img> without alt',
    '<img> without width',
    '<button> without type',
    'a link to #gone',
    '<p> directly in <ul>',
    '<li> in <p>',
    '<h3> in <span>',
    'in something that is pressed itself',
    'aria-errormessage> names gone',
    '<input name=b> has no label',
    'names none',
    'names <h1>, which takes no label',
    'address of several lines',
    'a link in a link',
    '<div> in <p>',
    'begins nothing',
  ])
    expect(found).toContain(trouble)
})
