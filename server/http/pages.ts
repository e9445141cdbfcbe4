import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Call, Input, Output } from '#contract/call.ts'
import { VIDEO_HOSTS } from '#contract/library.ts'
import { ALONE, type PageRequest, type PageRow, type Site, type WebBundle } from '#contract/page.ts'
import { isPromo } from '#contract/discounts.ts'
import type { Region } from '#contract/regions.ts'
import type { World } from '../context.ts'
import { isOutOfReach } from '../db/errors.ts'
import { inBetween } from '../concurrency/at-once.ts'
import { keeping } from '../concurrency/keeping.ts'
import { CLIENT, PAGES, ROOT } from '../build-paths.ts'
import { keep, sendCompressed, sendKept, type Kept } from './compression.ts'
import { keepPageFiles, keptFor, servePageFiles, SERVED_HERE } from './page-files.ts'
import { robotsOf, sitemapOf } from './sitemap.ts'

export interface PagesDeps {
  mode: 'development' | 'production'
  siteOf(host: string): Site
  /** Makes a contract call as nobody, for loaders and plain forms. Limits count by the visitor's address. */
  ask<C extends Call>(
    definition: C,
    input: Input<C>,
    region: Region,
    address: string,
    draft: string | null,
  ): Promise<Output<C>>
  /** Whether this is an admin's preview, which shows a draft and is rendered each time. */
  isDraft(code: string): boolean
  /** Changes with the content in the database, so that cached pages are rendered again. */
  version(): string
  /** What public pages show about right now, such as who is on duty. Each answer has its own cached pages. */
  present(region: Region): Promise<string>
  /** The payment provider's origins for scripts, frames and connections, if a key is set. */
  providerHosts?: string[]
  expo?: PageRequest['expo']
  readings(): Promise<string[]>
  /** The payment provider's public key; none with its sandbox. */
  cardKey?: string | null
  takesCards(request: FastifyRequest): boolean
  reachesSandbox(of: 'mail' | 'sms', request: FastifyRequest): boolean
}

type Scripts = PageRequest['scripts']
interface Web {
  bundle(): Promise<WebBundle<Request, Response>>
  scripts: Scripts
}

const KEPT_PAGES = 400
const FORM = 'application/x-www-form-urlencoded'
/** Headers that only documents need, and validators that an immutable file doesn't. */
const NOT_OF_ASSETS = ['etag', 'last-modified', 'referrer-policy', 'permissions-policy']

/** Serves documents and their assets: everything except calls and stored files. Registered last. */
export async function pages(app: FastifyInstance, deps: PagesDeps, world: Pick<World, 'db' | 'now'>) {
  await app.register(async (web) => {
    const pages = deps.mode === 'development' ? await fromSources(web) : await fromBuild(web, world)
    app.showPage = await documents(web, deps, pages)
  })
}

async function fromBuild(app: FastifyInstance, world: Pick<World, 'db' | 'now'>): Promise<Web> {
  if (!existsSync(PAGES)) throw new Error('The pages are not built: start with npm start')
  const bundle = (await import(pathToFileURL(PAGES).href)) as WebBundle<Request, Response>
  const manifest = (name: string) =>
    JSON.parse(readFileSync(path.join(CLIENT, '.vite', name), 'utf8')) as Record<string, Part>
  const islands = manifest('islands.json')
  await app.register(fastifyStatic, {
    root: CLIENT,
    preCompressed: true,
    wildcard: false,
    index: false,
    redirect: false,
    cacheControl: false,
    // Our files are too short for ranges, and a malformed Range would be logged as our error.
    acceptRanges: false,
    globIgnore: ['**/*.br', '.vite/**', 'films/**', ...SERVED_HERE],
    setHeaders(reply, file) {
      const [folder] = path.relative(CLIENT, file).split(path.sep)
      const hashed = folder === 'assets'
      reply.header('cache-control', keptFor(folder!))
      reply.header('x-content-type-options', 'nosniff')
      // The worker may control all pages of the site.
      if (file.startsWith(path.join(CLIENT, 'worker.js')))
        reply
          .header('content-security-policy', "default-src 'none'; connect-src 'self'")
          .header('cache-control', 'no-cache')
      // Browsers never revalidate these files, and a page loads dozens of them, so we send few headers.
      if (hashed) for (const name of NOT_OF_ASSETS) reply.removeHeader(name)
    },
  })
  await app.register(async (films) => {
    // A range outside the file is the client's mistake.
    films.setErrorHandler<FastifyError>((error, _request, reply) => {
      if (!error.statusCode || error.statusCode >= 500) throw error
      return reply.code(error.statusCode).send()
    })
    // With ranges, because Safari plays only films that it can request in parts.
    await films.register(fastifyStatic, {
      root: path.join(CLIENT, 'films'),
      prefix: '/films/',
      wildcard: false,
      index: false,
      redirect: false,
      decorateReply: false,
      maxAge: '1d',
    })
  })
  // This comes before the first page is sent, because another instance may be asked for its scripts.
  await keepPageFiles(world)
  servePageFiles(app, world)
  const head = islands['web/lib/head.ts']!.file
  return {
    bundle: async () => bundle,
    scripts: {
      head: `/${head}`,
      islands: `/${islands['web/entry.islands.ts']!.file}`,
      alone: byEntry((entry, build) => filesOf(entry, manifest(`${build}.json`))),
      inline: readFileSync(path.join(CLIENT, head), 'utf8').trim(),
    },
  }
}

const byEntry = (filesOf: (entry: string, build: string) => string[]): Scripts['alone'] =>
  Object.fromEntries(
    Object.entries(ALONE).flatMap(([build, names]) =>
      names.map((name) => [name, filesOf(`web/entry.${name}.tsx`, build)]),
    ),
  )

interface Part {
  file: string
  imports?: string[]
}
/** A script with everything it imports, so that a page can preload all of it. */
function filesOf(entry: string, manifest: Record<string, Part>) {
  const found = new Set([entry])
  for (const part of found) for (const other of manifest[part]!.imports ?? []) found.add(other)
  return [...found].map((part) => `/${manifest[part]!.file}`)
}

async function fromSources(app: FastifyInstance): Promise<Web> {
  const { createServer } = await import('vite')
  const { default: middie } = await import('@fastify/middie')
  const vite = await createServer({
    root: ROOT,
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: app.server } },
  })
  await app.register(middie)
  app.use(vite.middlewares)
  app.addHook('onClose', () => vite.close())
  return {
    bundle: () =>
      vite.ssrLoadModule('virtual:react-router/server-build') as Promise<unknown> as Promise<
        WebBundle<Request, Response>
      >,
    scripts: {
      head: '/web/lib/head.ts',
      islands: '/web/entry.islands.ts',
      // Router pages get React's refresh runtime from the router.
      alone: byEntry((entry) => ['/@id/__x00__virtual:react-router/inject-hmr-runtime', `/${entry}`]),
    },
  }
}

/** Few enough to leave the processor time for calls and messages. */
const RENDERED_AT_ONCE = 2
/** A page that takes this long waits for something else, such as the database. */
const SECOND = 1000

/** Takes the bundle as an argument, so that tests can bring their own. */
export async function documents(app: FastifyInstance, deps: PagesDeps, web: Web) {
  const kept = keeping<Rendered>(KEPT_PAGES, (page) => page.kept !== undefined)
  const { inline, ...addresses } = web.scripts
  const inlineHash = inline && createHash('sha256').update(inline).digest('base64')
  // The pages parse their own forms, which are short and plain.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, form, done) => done(null, form))

  /** Renders one request's page, and notes what failed meanwhile. */
  function rendering(
    bundle: WebBundle<Request, Response>,
    request: FastifyRequest,
    row: PageRow,
    { draft, ...page }: Pick<PageRequest, 'site' | 'nonce'> & { draft: string | null },
  ) {
    let failed = false
    let isAway = false
    const asks: PageRequest = {
      ...page,
      reference: request.id,
      scripts: row.kind === 'public' ? web.scripts : addresses,
      cardKey: deps.cardKey ?? null,
      takesCards: deps.takesCards(request),
      expo: deps.expo ?? null,
      reachesSandbox: {
        mail: deps.reachesSandbox('mail', request),
        sms: deps.reachesSandbox('sms', request),
      },
      ask: (definition, input) => deps.ask(definition, input, page.site.region, request.ip, draft),
      report: (error) => {
        failed = true
        isAway ||= isOutOfReach(error)
        request.log.error({ event: 'page failed', page: row.path, err: error })
      },
    }
    const { answer } = bundle.entry.module
    return {
      render: (asked: Request) =>
        inBetween('pages', RENDERED_AT_ONCE, () => answer(bundle, deps.mode, asked, asks), SECOND),
      hasFailed: () => failed,
      /** While the database is away, search engines are to come again, and not to drop the page. */
      statusOf: ({ status }: Response) => (isAway && status === 500 ? 503 : status),
    }
  }

  /** Sends a page that is the same for everybody. */
  async function sendCached(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    render: () => Promise<Rendered>,
  ) {
    const found = await kept(key, async () => {
      const made = await render()
      return made.whole ? { ...made, kept: await keep(made.html) } : made
    })
    if (found.location) return reply.redirect(found.location, found.status)
    reply.code(found.status)
    if (!found.kept) return sendHtml(request, reply, found.html)
    const control = found.status === 200 ? 'public, no-cache' : 'no-store'
    return sendKept(request, documentReply(reply).header('cache-control', control), found.kept)
  }

  /** With a status, it shows a page instead of an answer that a person can't read. */
  async function show(request: FastifyRequest, reply: FastifyReply, status?: number) {
    const bundle = await web.bundle()
    const { listed, rowOf } = bundle.entry.module
    const url = addressOf(request)
    const site = deps.siteOf(request.host)
    const reads = request.method === 'GET' || request.method === 'HEAD'
    if (reads && url.pathname === '/robots.txt') return sendText(reply, 'text/plain', robotsOf(site))
    if (reads && url.pathname === '/sitemap.xml')
      return sendText(reply, 'application/xml', sitemapOf(site, [...listed, ...(await deps.readings())]))
    const canonical = canonicalPath(url.pathname, rowOf)
    if (canonical !== url.pathname) return reply.redirect(canonical + url.search, 308)
    const moved = MOVED[canonical.toLowerCase()]?.replace(/(?=#|$)/, () => url.search)
    if (moved) return reply.redirect(moved, 301)

    const pathname = documentPath(url.pathname)
    const row = rowOf(pathname)
    const isPublic = row.kind === 'public'
    // An admin's draft in the editor's frame, under a signed address. It's never cached.
    const code = isPublic ? url.searchParams.get('draft') : null
    const draft = code !== null && deps.isDraft(code) ? code : null
    // A cached page can't contain a nonce, which is valid only once.
    const nonce = isPublic ? '' : randomBytes(18).toString('base64url')
    reply.headers(pageHeaders(row, { nonce, inlineHash, framed: draft !== null }, site, deps))
    const { render, hasFailed, statusOf } = rendering(bundle, request, row, { site, nonce, draft })

    // The page for a file that doesn't open has a status and its own words.
    const isUnknown = row.path === '*' && status === undefined
    const isSameForAll = isPublic && (row.built || isUnknown) && !row.secret && draft === null
    if (reads && isSameForAll && pathname === url.pathname && deps.mode === 'production') {
      const seen = whatThePageSees(url, row)
      const key = `${site.region} ${deps.version()} ${await deps.present(site.region)} ${seen}`
      return sendCached(request, reply, key, async () => {
        const response = await render(new Request(site.url + seen))
        return {
          status: statusOf(response),
          location: response.headers.get('location'),
          // An optional part failed: this visitor gets the page without it, and the next one a new rendering.
          whole: !hasFailed() && (response.status === 200 || isUnknown),
          html: await htmlOf(response),
        }
      })
    }

    const response = await render(toWebRequest(request, reply, url, site))
    reply.header('cache-control', 'no-store')
    const isDocument = response.headers.get('content-type')?.startsWith('text/html') && response.body
    if (!isDocument) return reply.send(response)
    const html = await htmlOf(response)
    reply.code(status ?? statusOf(response))
    return sendHtml(request, reply, draft === null ? html : withoutScript(html))
  }
  const method = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
  app.route({ method, url: '/*', handler: (request, reply) => show(request, reply) })
  return show
}

/** Addresses that pages used to have. */
const MOVED: Record<string, string> = { '/pricing': '/how-it-works#pricing-v2' }

const sendText = (reply: FastifyReply, type: string, text: string) =>
  reply.header('cache-control', 'public, max-age=3600').type(`${type}; charset=utf-8`).send(text)

/** The editor's frame runs no script, and a browser would complain about each one. */
const withoutScript = (html: Buffer) =>
  Buffer.from(html.toString('utf8').replace(/<script\b[^>]*>[^]*?<\/script>/g, ''))

const htmlOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

function addressOf(request: FastifyRequest) {
  // The path may begin with two slashes; relative to a base URL it would name a host.
  return new URL(`http://site${request.url}`)
}

/** Each page has one address: no double or trailing slashes, and fixed paths spelled as in the table. */
function canonicalPath(pathname: string, rowOf: (pathname: string) => PageRow) {
  const plain = pathname.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
  const { path: pattern } = rowOf(plain)
  const fixed = !/[:*]/.test(pattern)
  return fixed && plain.toLowerCase() === pattern.toLowerCase() ? pattern : plain
}

/** A hydrated page fetches its loaders' data from its own path with this ending. */
const documentPath = (pathname: string) => pathname.replace(/(\/_)?\.data$/, '') || '/'

/**
 * A cached page sees its address, the promo, the page number and whether its form was sent, and no other query. All unknown
 * addresses share one page.
 */
function whatThePageSees(url: URL, row: PageRow) {
  const seen = new URLSearchParams()
  const promo = url.searchParams.get('promo')
  if (isPromo(promo)) seen.set('promo', promo)
  const number = url.searchParams.get('page')
  if (row.paged && number && /^[1-9]\d?$/.test(number) && number !== '1') seen.set('page', number)
  if (url.searchParams.has('sent')) seen.set('sent', '')
  const pathname = row.path === '*' ? '/*' : row.path.endsWith('/*') ? row.path.slice(0, -2) : url.pathname
  return seen.size ? `${pathname}?${seen}` : pathname
}

/** What allows a page's own inline script: a nonce, or the hash of its content. */
interface Known {
  nonce: string
  inlineHash: string | undefined
  /** Our own pages may show it in a frame. */
  framed: boolean
}

/** What a page has besides or instead of the headers of every answer. */
function pageHeaders(
  row: Pick<PageRow, 'kind' | 'opens'>,
  known: Known,
  site: Pick<Site, 'url'>,
  deps: Pick<PagesDeps, 'mode' | 'providerHosts' | 'expo'>,
): Record<string, string> {
  // The payment provider's frame opens wallets.
  const wallets = (deps.providerHosts ?? []).map((host) => `"${host}"`)
  const camera = row.opens === 'camera' ? '(self)' : '()'
  return {
    'content-security-policy': contentSecurityPolicy(row, known, site, deps),
    'permissions-policy': `camera=${camera}, microphone=${camera}, display-capture=(), geolocation=(), usb=(), payment=${row.kind === 'paying' ? `(${['self', ...wallets].join(' ')})` : '()'}`,
    // A bank may open its confirmation in a popup.
    'cross-origin-opener-policy': row.kind === 'paying' ? 'same-origin-allow-popups' : 'same-origin',
    ...(known.framed && { 'x-robots-tag': 'noindex' }),
  }
}

function contentSecurityPolicy(
  row: Pick<PageRow, 'kind' | 'opens'>,
  { nonce, inlineHash, framed }: Known,
  site: Pick<Site, 'url'>,
  deps: Pick<PagesDeps, 'mode' | 'providerHosts' | 'expo'>,
) {
  const developing = deps.mode === 'development'
  const hydrated = row.kind !== 'public'
  const provider = row.kind === 'paying' ? (deps.providerHosts ?? []) : []
  const policy: Record<string, (string | false | undefined)[]> = {
    'default-src': ["'self'"],
    'script-src': [
      "'self'",
      hydrated ? `'nonce-${nonce}'` : inlineHash && `'sha256-${inlineHash}'`,
      ...provider,
    ],
    'style-src': ["'self'", developing ? "'unsafe-inline'" : hydrated && `'nonce-${nonce}'`],
    // Server-rendered React writes positions of menus and progress as style attributes.
    'style-src-attr': [hydrated && "'unsafe-inline'"],
    'img-src': ["'self'", 'blob:', 'data:'],
    'media-src': ["'self'", 'blob:', 'data:'],
    'connect-src': ["'self'", hydrated && site.url.replace(/^http/, 'ws'), developing && 'ws:', ...provider],
    'frame-src': provider.length ? provider : ["'self'", ...(row.opens === 'videos' ? VIDEO_HOSTS : [])],
    'form-action': ["'self'", row.opens === 'expo' && deps.expo ? new URL(deps.expo.url).origin : undefined],
    'frame-ancestors': [framed ? "'self'" : "'none'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
  }
  return Object.entries(policy)
    .map(([name, sources]) => [name, ...sources.filter(Boolean)])
    .filter((directive) => directive.length > 1)
    .map((directive) => directive.join(' '))
    .join('; ')
}

interface Rendered {
  status: number
  location: string | null
  whole: boolean
  html: Buffer
  /** Once it is kept. */
  kept?: Kept
}

const documentReply = (reply: FastifyReply) => reply.header('content-type', 'text/html; charset=utf-8')

const sendHtml = (request: FastifyRequest, reply: FastifyReply, html: Buffer) =>
  sendCompressed(request, documentReply(reply).header('cache-control', 'no-store'), html)

/** The request as the router expects it, with the host that the visitor sees, since the router refuses forms from other hosts. */
function toWebRequest(request: FastifyRequest, reply: FastifyReply, url: URL, site: Site) {
  const gone = new AbortController()
  reply.raw.once('close', () => reply.raw.writableFinished || gone.abort())
  const headers = new Headers()
  for (const [name, values] of Object.entries(request.headers))
    for (const value of [values ?? []].flat()) headers.append(name, value)
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  // An empty body is an empty form.
  if (hasBody) headers.set('content-type', FORM)
  const origin = `${request.protocol}://${request.host}`
  return new Request((URL.canParse(origin) ? origin : site.url) + url.pathname + url.search, {
    method: request.method,
    headers,
    signal: gone.signal,
    ...(hasBody && { body: (request.body as string | undefined) ?? '' }),
  })
}
