import { createHash } from 'node:crypto'
import { brotliDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterEach, expect, it } from 'vitest'
import type { PageRow, WebBundle } from '#contract/page.ts'
import { documents, type PagesDeps } from './pages.ts'

const row = (path: string, more: Partial<PageRow> = {}): PageRow => ({
  path,
  kind: 'public',
  built: true,
  ...more,
})

const ROWS: Record<string, PageRow> = {
  '/': row('/'),
  '/faq': row('/faq'),
  '/faq.data': row('/faq'),
  '/resources': row('/resources', { paged: true }),
  '/petculture-plus': row('/petculture-plus/*'),
  '/broken': row('/broken'),
  '/away': row('/away'),
  '/newsletter': row('/newsletter/join/:code', { secret: true }),
  '/lacking': row('/lacking'),
  '/videos': row('/videos', { opens: 'videos' }),
  '/moved': row('/moved'),
  '/login': row('/login', { kind: 'account' }),
  '/chat-purchase': row('/chat-purchase/*', { kind: 'paying' }),
  '/video-purchase': row('/video-purchase/*', { kind: 'paying', opens: 'camera' }),
  '/text-chat': row('/text-chat/:consultation_id?', { kind: 'room' }),
  '/admin': row('/admin/:view?', { kind: 'admin' }),
  '/vet-expo': row('/vet-expo', { opens: 'expo' }),
}
const rowOf = (pathname: string) => {
  const found = ROWS[pathname.toLowerCase()] ?? ROWS[`/${pathname.split('/')[1]}`]
  return found ?? row('*', { built: false })
}

const closing: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(closing.splice(0).map((close) => close())))

/** A server whose pages report what they saw and count their renderings. */
async function serverWithPages(deps: Partial<PagesDeps> = {}, inline?: string) {
  const seen: string[] = []
  let [atWork, mostAtOnce] = [0, 0]
  const bundle: WebBundle<Request, Response> = {
    entry: {
      module: {
        rowOf,
        listed: ['/', '/faq'],
        async answer(_bundle, _mode, request, page) {
          const { pathname, search } = new URL(request.url)
          seen.push(`${page.site.region} ${pathname}${search}`)
          mostAtOnce = Math.max(mostAtOnce, ++atWork)
          await new Promise((resolve) => setImmediate(resolve))
          atWork--
          if (pathname === '/lacking') page.report(new Error('No words today'))
          if (pathname === '/away') page.report(Object.assign(new Error(), { code: 'ECONNREFUSED' }))
          if (pathname === '/moved') return new Response(null, { status: 302, headers: { location: '/faq' } })
          const body = request.method === 'POST' ? await request.text() : ''
          const status = ['/broken', '/away'].includes(pathname) ? 500 : rowOf(pathname).built ? 200 : 404
          return new Response(
            `<!doctype html><p>${pathname}${search} ${body} ${page.nonce} ${page.scripts.inline ?? ''}</p>`,
            {
              status,
              headers: { 'content-type': 'text/html' },
            },
          )
        },
      },
    },
  }
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true }, exposeHeadRoutes: false })
  closing.push(() => app.close())
  const web = {
    bundle: async () => bundle,
    scripts: {
      head: '/head.js',
      islands: '/islands.js',
      alone: { room: ['/room.js'] },
      ...(inline && { inline }),
    },
  }
  await app.register((inner) =>
    documents(
      inner,
      {
        mode: 'production',
        siteOf: (host) => ({
          region: host.startsWith('au.') ? 'au' : 'za',
          url: `http://${host}`,
          others: [],
        }),
        ask: () => Promise.reject(new Error('no page here asks')),
        isDraft: () => false,
        version: () => '1',
        present: async () => 'now',
        takesCards: () => true,
        reachesSandbox: () => false,
        readings: async () => ['/resource/ebook/first-aid'],
        ...deps,
      },
      web,
    ),
  )
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
  return { app, get, seen, mostAtOnce: () => mostAtOnce }
}

const policyOf = (answer: { headers: Record<string, unknown> }) =>
  Object.fromEntries(
    String(answer.headers['content-security-policy'])
      .split('; ')
      .map((directive) => [directive.split(' ')[0]!, directive.split(' ').slice(1).join(' ')]),
  )

it('a public page allows only its own script files', async () => {
  const { get } = await serverWithPages()
  const answer = await get('/faq')
  expect(policyOf(answer)['script-src']).toBe("'self'")
  expect(policyOf(answer)['frame-ancestors']).toBe("'none'")
  expect(answer.headers['cache-control']).toBe('public, no-cache')
})

it('a public page contains the head script, which its policy allows by its hash', async () => {
  const { get } = await serverWithPages({}, 'mark()')
  const hash = `'sha256-${createHash('sha256').update('mark()').digest('base64')}'`
  const [faq, login] = [await get('/faq'), await get('/login')]
  expect(faq.body).toContain('mark()')
  expect(policyOf(faq)['script-src']).toBe(`'self' ${hash}`)
  expect(login.body).not.toContain('mark()')
  expect(policyOf(login)['script-src']).not.toContain('sha256')
})

it.each(['/login', '/text-chat/3', '/admin/vets', '/chat-purchase'])(
  '%s runs under a nonce used once',
  async (url) => {
    const { get } = await serverWithPages()
    const [first, second] = [await get(url), await get(url)]
    const nonce = /'nonce-([\w-]{20,})'/.exec(policyOf(first)['script-src']!)![1]!
    expect(first.body).toContain(nonce)
    expect(second.body).not.toContain(nonce)
    expect(first.headers['cache-control']).toBe('no-store')
  },
)

it("only paying pages allow the payment provider's scripts", async () => {
  const provider = 'https://js.provider.example'
  const { get } = await serverWithPages({ providerHosts: [provider] })
  const paying = policyOf(await get('/chat-purchase'))
  for (const name of ['script-src', 'frame-src', 'connect-src']) expect(paying[name]).toContain(provider)
  const mayPay = async (url: string) =>
    /payment=\((.*?)\)/.exec(String((await get(url)).headers['permissions-policy']))?.[1]
  expect(await mayPay('/chat-purchase')).toBe(`self "${provider}"`)
  expect(await mayPay('/faq')).toBe('')
  for (const url of ['/faq', '/login', '/text-chat/3'])
    expect((await get(url)).headers['content-security-policy']).not.toContain(provider)
})

it('camera and microphone are allowed only on pages where a call starts', async () => {
  const { get } = await serverWithPages()
  expect((await get('/video-purchase')).headers['permissions-policy']).toContain(
    'camera=(self), microphone=(self)',
  )
  for (const url of ['/faq', '/login', '/chat-purchase', '/text-chat/3'])
    expect((await get(url)).headers['permissions-policy']).toContain('camera=(), microphone=()')
})

it('only the form of /vet-expo may post to its list', async () => {
  const { get } = await serverWithPages({
    expo: { url: 'https://list.example/subscribe/post?u=1', tags: '', trap: '' },
  })
  expect(policyOf(await get('/vet-expo'))['form-action']).toBe("'self' https://list.example")
  expect(policyOf(await get('/faq'))['form-action']).toBe("'self'")
})

it.each(['/faq', '/login', '/nowhere', '/broken'])('%s has the headers that every page has', async (url) => {
  const { get } = await serverWithPages()
  expect((await get(url)).headers).toMatchObject({
    'cross-origin-opener-policy': 'same-origin',
    'content-type': 'text/html; charset=utf-8',
  })
})

it('a public page is rendered once for all visitors', async () => {
  const { get, seen } = await serverWithPages()
  const together = await Promise.all(Array.from({ length: 8 }, () => get('/faq?utm_source=mail')))
  await get('/faq')
  expect(seen).toEqual(['za /faq'])
  expect(new Set(together.map(({ body }) => body)).size).toBe(1)
})

it('regions, promos, page numbers and content versions are cached separately; other queries are ignored', async () => {
  let version = 1
  const { app, get, seen } = await serverWithPages({ version: () => String(version) })
  for (const url of [
    '/faq?promo=intro-20&x=1',
    '/faq?draft=made-up',
    '/faq?promo=<b>',
    '/faq?page=2',
    '/resources?page=2',
    '/resources?page=1',
    '/resources?page=-1',
    '/petculture-plus/anything?promo=intro-40',
  ])
    await get(url)
  await app.inject({ url: '/faq', headers: { host: 'au.vetchat.example' } })
  version = 2
  await get('/faq')
  expect(seen).toEqual([
    'za /faq?promo=intro-20',
    'za /faq',
    'za /resources?page=2',
    'za /resources',
    'za /petculture-plus?promo=intro-40',
    'au /faq',
    'za /faq',
  ])
})

it('a cached page is sent in an encoding that the browser accepts', async () => {
  const { get } = await serverWithPages()
  const plain = await get('/faq', { 'accept-encoding': 'br;q=0' })
  const small = await get('/faq', { 'accept-encoding': 'gzip, br' })
  expect(plain.headers).not.toHaveProperty('content-encoding')
  expect(small.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
  expect(brotliDecompressSync(small.rawPayload).toString()).toBe(plain.body)
  expect((await get('/faq', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip')
})

it('a page that needs the database while it is away answers 503, so that search engines come again [OPS-5]', async () => {
  const { get } = await serverWithPages()
  expect((await get('/away')).statusCode).toBe(503)
  expect((await get('/broken')).statusCode).toBe(500)
})

it.each([
  ['a failure', '/broken', 500, ''],
  ['a page with a failed part', '/lacking', 200, ' [PUB-6]'],
  ['a page with a code in its address', '/newsletter/join/a', 200, ' [SHL-6]'],
  ["a router's data request", '/faq.data', 200, ''],
])('%s (%s) is never cached: %i%s', async (_what, url, status) => {
  const { get, seen } = await serverWithPages()
  for (let n = 1; n <= 2; n++) {
    const { statusCode, headers } = await get(url)
    expect([statusCode, headers['cache-control'], seen.length]).toEqual([status, 'no-store', n])
  }
  expect(seen[0]).toBe(`za ${url}`)
})

it('unknown addresses share one rendering, which no browser keeps [SHL-7]', async () => {
  const { get, seen } = await serverWithPages()
  for (const url of ['/nowhere', '/wp-login.php', '/nowhere/deep?x=1']) {
    const answer = await get(url, { 'if-none-match': '*' })
    const { statusCode, headers, body } = answer
    expect([statusCode, headers['cache-control'], headers['etag']]).toEqual([404, 'no-store', undefined])
    expect([body.slice(0, 15), policyOf(answer)['script-src']]).toEqual(['<!doctype html>', "'self'"])
  }
  expect(seen).toEqual(['za /*'])
})

it('only the page of films may frame films from other sites [PUB-3]', async () => {
  const { get } = await serverWithPages()
  expect(policyOf(await get('/videos'))['frame-src']).toContain("'self' https://")
  expect(policyOf(await get('/faq'))['frame-src']).toBe("'self'")
})

it('the sitemap lists every public page and article [PUB-10]', async () => {
  const { get } = await serverWithPages()
  const robots = await get('/robots.txt')
  expect(robots.headers['content-type']).toContain('text/plain')
  expect(robots.body).toContain('Sitemap: http://localhost:80/sitemap.xml')
  const sitemap = await get('/sitemap.xml', { host: 'au.vetchat.example' })
  expect([...sitemap.body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url)).toEqual([
    'http://au.vetchat.example/',
    'http://au.vetchat.example/faq',
    'http://au.vetchat.example/resource/ebook/first-aid',
  ])
})

it('/pricing redirects to the prices [PUB-2]', async () => {
  const { get } = await serverWithPages()
  for (const spelled of ['/pricing', '/Pricing']) {
    const answer = await get(spelled)
    expect([answer.statusCode, answer.headers.location]).toEqual([301, '/how-it-works#pricing-v2'])
  }
  expect((await get('/pricing?promo=intro-20')).headers.location).toBe(
    '/how-it-works?promo=intro-20#pricing-v2',
  )
})

it.each([
  ['/login/', '/login'],
  ['/login/?from=%2Fmyaccount', '/login?from=%2Fmyaccount'],
  ['/FAQ', '/faq'],
  ['//login', '/login'],
  ['//elsewhere.example/x/', '/elsewhere.example/x'],
  ['/text-chat/3//', '/text-chat/3'],
])('[SHL-15] %s redirects to %s', async (url, location) => {
  const { app } = await serverWithPages()
  // inject() would take two slashes for a host.
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const answer = await fetch(address + url, { redirect: 'manual' })
  expect(answer.status).toBe(308)
  expect(answer.headers.get('location')).toBe(location)
})

it("a public page's redirect reaches the visitor", async () => {
  const { get } = await serverWithPages()
  const answer = await get('/moved')
  expect([answer.statusCode, answer.headers.location]).toEqual([302, '/faq'])
})

it('HEAD answers like GET, without the body', async () => {
  const { app } = await serverWithPages()
  for (const url of ['/faq', '/login', '/nowhere']) {
    const head = await app.inject({ method: 'HEAD', url })
    const get = await app.inject({ url })
    expect(head.statusCode).toBe(get.statusCode)
    expect(head.headers['content-type']).toBe(get.headers['content-type'])
    expect(head.body).toBe('')
  }
})

it('two pages are rendered at the same time, so that calls and messages go on between many [SAF-5]', async () => {
  const { app, seen, mostAtOnce } = await serverWithPages()
  await Promise.all(Array.from({ length: 40 }, (_, at) => app.inject(at % 2 ? '/login' : `/moved?${at}`)))
  expect(seen.length).toBeGreaterThan(20)
  expect(mostAtOnce()).toBe(2)
})

it('a posted form reaches its page, which is not cached', async () => {
  const { app, seen } = await serverWithPages()
  const post = () =>
    app.inject({
      method: 'POST',
      url: '/faq?x=1',
      payload: 'name=Thandi',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const answers = [await post(), await post()]
  for (const answer of answers) expect(answer.body).toContain('name=Thandi')
  expect(answers[0]!.headers['cache-control']).toBe('no-store')
  expect(seen).toEqual(['za /faq?x=1', 'za /faq?x=1'])
})

it('a malformed or oversized form does not reach its page', async () => {
  const { app, seen } = await serverWithPages()
  const post = async (payload: string | undefined, type?: string) =>
    (
      await app.inject({
        method: 'POST',
        url: '/faq',
        payload,
        headers: type ? { 'content-type': type } : {},
      })
    ).statusCode
  const form = 'application/x-www-form-urlencoded'
  expect(await post('--x\r\n', 'multipart/form-data; boundary=x')).toBe(415)
  expect(await post('{}', 'application/json')).toBe(415)
  expect(await post(`name=${'x'.repeat(2_000_000)}`, form)).toBe(413)
  expect(seen).toEqual([])
  expect(await post(undefined)).toBe(200)
})

it('a tag matches in every form that clients send, and every 304 carries it', async () => {
  const { get } = await serverWithPages()
  const { etag } = (await get('/faq')).headers as { etag: string }
  for (const tag of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
    const answer = await get('/faq', { 'if-none-match': tag })
    expect([answer.statusCode, answer.headers['vary'], answer.body], tag).toEqual([
      304,
      'accept-encoding',
      '',
    ])
    expect(answer.headers['content-security-policy'], tag).toBeTruthy()
  }
  for (const tag of ['', 'W/""', '"other"', etag.slice(0, -2)])
    expect((await get('/faq', { 'if-none-match': tag })).statusCode, tag).toBe(200)
})

it('a page that only reads refuses other methods', async () => {
  const { app } = await serverWithPages()
  for (const url of ['/robots.txt', '/sitemap.xml'])
    expect((await app.inject({ method: 'POST', url })).statusCode, url).not.toBe(200)
})
