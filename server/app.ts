import { STATUS_CODES, type Server as HttpServer } from 'node:http'
import { Server as TcpServer, type Socket } from 'node:net'
import multipart from '@fastify/multipart'
import Fastify, {
  LogController,
  type ConnectionError,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { fail, Failure } from '#contract/errors.ts'
import { MINUTE } from '#contract/time.ts'
import type { World } from './context.ts'
import type { Database } from './db/client.ts'
import { isSecure, siteOf, type Env } from './env.ts'
import { countEvents, watchAnswers, watchJobs } from './health/metrics.ts'
import { readToEnd, watchBody } from './http/body.ts'
import { keep, sendKept, type Kept } from './http/compression.ts'
import { logging } from './http/log.ts'
import { serveMedia } from './http/media.ts'
import { openApi } from './http/openapi.ts'
import { cutPipelines } from './http/pipelined.ts'
import { asker, mountCalls } from './http/serve.ts'
import { serveWebhook, WEBHOOK } from './http/webhook.ts'
import { newReference, asAnswer } from './http/answers.ts'
import type { Secrets } from './identity/secrets.ts'
import { whoOf } from './identity/session.ts'
import { makeClock, type Job } from './jobs/clock.ts'
import type { MovedClock } from './jobs/moved-clock.ts'
import { hearOthers, mountEvents, openRooms, openSockets } from './live/connections.ts'
import { sendMails } from './mail/outbox.ts'
import { sendSms } from './mail/sms-outbox.ts'
import type { Carrier } from './providers/carrier.ts'
import type { Files } from './providers/files.ts'
import type { Postman } from './providers/mail.ts'
import type { Payments } from './providers/payments.ts'
import type { Watch } from './providers/provider-status.ts'
import type { Texter } from './providers/sms.ts'
import { applyEvent } from './purchases/writes.ts'
import { CALLS, EVENTS, JOBS, KINDS } from './slices.ts'

export interface Deps {
  env: Env
  database: Database
  secrets: Secrets
  files: Files
  postman: Postman
  texter: Texter
  payments: Payments
  clock?: MovedClock
  /** Carries live messages to other instances; a single instance needs none. */
  carrier?: Carrier
  /** Tests run the due jobs themselves. */
  ticking?: boolean
  logStream?: { write: (line: string) => void }
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Set once the pages are served. */
    showPage?: (request: FastifyRequest, reply: FastifyReply, status: number) => Promise<FastifyReply>
  }
}

/** Sent with every answer; a document replaces them with its own. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
const BODY_LIMIT = 256 * 1024

export async function buildApp(deps: Deps) {
  const { env, database } = deps
  let stopping = false
  const events = new Map<string, number>()
  const app = openServer(deps, events)
  const routes: string[] = []
  app.addHook('onRoute', ({ url }) => void routes.push(url))
  app.addHook('onRequest', async (request, reply) => {
    // A request isn't begun once we have cut its connection.
    if (request.raw.socket.destroyed) return reply.hijack()
    reply.headers(HEADERS).header('x-request-id', request.id)
    if (isSecure(siteOf(env.sites, request.host)))
      reply.header('strict-transport-security', 'max-age=63072000')
  })
  await readBodies(app)
  const io = openSockets(app.server, env, HEADERS)
  cutPipelines(app.server)
  const world: World = {
    env,
    db: database.db,
    now: deps.clock?.now ?? (() => new Date()),
    moveClock: deps.clock?.move ?? (() => fail('UNKNOWN_CALL')),
    log: app.log as World['log'],
    files: deps.files,
    payments: deps.payments,
    secrets: deps.secrets,
    ...openRooms(io, deps.carrier),
    isCarrierUp: () => deps.carrier?.isUp() ?? true,
    stopping: () => stopping,
    wake: () => clock.wake(),
    jobs: () => clock.report(),
  }
  const providerJobs = deps.payments.sandbox?.jobs(async (payload, signature) => {
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    return (await app.inject({ method: 'POST', url: WEBHOOK, headers, payload })).statusCode
  })
  const ofSandbox = (providerJobs ?? []).map((job): Job => ({ ...job, lane: 'payments' }))
  const jobs = [...ofSandbox, ...JOBS, sendMails(deps.postman), sendSms(deps.texter)]
  const registry = watchAnswers(app, world, {
    sockets: () => io.engine.clientsCount,
    pool: database.pool,
    isCarrierUp: world.isCarrierUp,
    areFilesUp: deps.files.isUp,
  })
  countEvents(registry, events)
  if (deps.carrier) logAbsence(app.log, 'carrier', deps.carrier.watch)
  logAbsence(app.log, 'files', deps.files.watch)
  const clock = makeClock(world, jobs, watchJobs(registry))
  // Only once we listen: a due job may make calls, and no routes can be added after the first call.
  if (deps.ticking ?? !env.isIdle) app.addHook('onListen', async () => clock.start())

  answerErrors(app)
  await serveApi(app, world)
  serveMedia(app, world)
  serveWebhook(app, world, (event) => applyEvent(world, KINDS, event))
  app.setNotFoundHandler(() => fail('UNKNOWN_CALL'))
  mountEvents(io, world, EVENTS)
  await hearOthers(io, deps.carrier)

  return {
    app,
    world,
    clock,
    io,
    routes,
    ask: asker(world, CALLS),
    async stop() {
      stopping = true
      await closeInQuiet(app.server)
      // Closes connections that have had their answer.
      const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
      await Promise.all([io.close(), app.close(), clock.stop()]).finally(() => clearInterval(sweep))
    },
  }
}

/** The server without any routes yet. `events` counts what it logs. */
const openServer = ({ env, logStream }: Deps, events: Map<string, number>) =>
  Fastify({
    logger: {
      level: env.logLevel,
      ...(logStream && { stream: logStream }),
      base: undefined,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      ...logging(events),
    },
    genReqId: newReference,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'ref' }),
    trustProxy: env.trustProxy,
    bodyLimit: BODY_LIMIT,
    exposeHeadRoutes: false,
    // On a machine with every processor busy, a start takes longer than Fastify's 10 s.
    pluginTimeout: MINUTE,
    // Drops slow or silent clients. Calls with a body have their own timer.
    requestTimeout: 16 * MINUTE,
    // Clients that stop reading an answer are dropped. A browser that paused a video asks for the rest of it later.
    connectionTimeout: 2 * MINUTE,
    keepAliveTimeout: 10_000,
    http: {
      headersTimeout: 8000,
      connectionsCheckingInterval: 1000,
      // A client that offers another protocol, such as HTTP/2, is answered over HTTP/1.1.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    rewriteUrl: ({ url = '/' }) => readableUrl(url),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    frameworkErrors: (error, _request, reply) => {
      const { status, body } = asAnswer(error)
      void (reply as FastifyReply).code(status).headers(HEADERS).send(body)
    },
    clientErrorHandler: refuseGarbage,
    // While we close, requests on open connections are still answered. Only /health reports the closing.
    return503OnClosing: false,
  })

async function readBodies(app: FastifyInstance) {
  await app.register(multipart, { throwFileSizeLimit: false })
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, undefined)
    app.getDefaultJsonParser('error', 'error')(_request, text as string, done)
  })
  app.addHook('preParsing', async (request, _reply, body) =>
    watchBody(body, request, request.routeOptions.config.upload === true),
  )
  // If we answer before the body has been read, no other request can follow on this connection, so we close it.
  app.addHook('onSend', async ({ raw }, reply) => {
    const sendsBody = 'transfer-encoding' in raw.headers || Number(raw.headers['content-length']) > 0
    if (sendsBody && !raw.readableEnded && !(await readToEnd(raw))) reply.header('connection', 'close')
  })
}

const serveApi = (app: FastifyInstance, world: World) =>
  app.register(
    async (api) => {
      mountCalls(api, world, CALLS)
      let document: Promise<Kept> | undefined
      api.get('/openapi.json', async (request, reply) => {
        document ??= keep(Buffer.from(JSON.stringify(openApi(CALLS))))
        return sendKept(request, reply.type('application/json; charset=utf-8'), await document)
      })
      for (const rest of ['/', '/*']) api.all(rest, () => fail('UNKNOWN_CALL'))
    },
    { prefix: '/api' },
  )

function answerErrors(app: FastifyInstance) {
  app.setErrorHandler((error, request, reply) => {
    // A body cut short because the caller hung up isn't our failure.
    const hungUp = error === request.raw.errored
    const { status, body, retryAfter } = asAnswer(hungUp ? { statusCode: 400 } : error, request.id)
    if (status >= 500 && (!(error instanceof Failure) || error.cause !== undefined))
      request.log.error({
        event: 'call failed',
        call: request.routeOptions.config.name,
        ...whoOf(request.caller),
        err: error,
      })
    if (status === 401) reply.header('www-authenticate', 'Bearer')
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
    // A file that failed loses its headers, or the browser would keep the failure as long as the file.
    for (const name of ['content-disposition', 'etag', 'accept-ranges']) reply.removeHeader(name)
    reply.header('cache-control', 'no-store')
    if (app.showPage && isReadByPerson(request)) return app.showPage(request, reply, status)
    if (status === 401 && body.code === 'UNAUTHORIZED')
      return reply.code(401).type('text/plain').send('Unauthorized')
    return reply.code(status as 500).send(body)
  })
}

/** Logs that another machine is away, and that it's back. */
const logAbsence = (log: FastifyBaseLogger, what: string, watch: Watch) =>
  watch((isUp, why) =>
    isUp ? log.info({ event: `${what} back` }) : log.warn({ event: `${what} out of reach`, why }),
  )

/** Whether a person followed a link to a file, and so needs a page instead of JSON. */
const isReadByPerson = ({ method, url, headers }: FastifyRequest) =>
  method === 'GET' && url.startsWith('/media/') && headers.accept?.includes('text/html')

const MOST_TURNS = 500

/**
 * Takes no new connections. The kernel may already have accepted some that Node hasn't fetched, and closing would
 * cut them off. So we wait for a turn of the event loop that finds nothing to do, then close. We sleep first, because
 * a process that has just slept is unlikely to lose the processor between that check and the close.
 */
async function closeInQuiet(server: HttpServer) {
  const { nodeTiming } = performance
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    const { events } = nodeTiming.uvMetricsInfo
    await new Promise((resolve) => setImmediate(resolve))
    if (nodeTiming.uvMetricsInfo.events === events) break
  }
  // Closes only the port. HTTP's own closing work follows.
  TcpServer.prototype.close.call(server)
}

/** Changes an address with broken percent-encoding to one that isn't found. */
function readableUrl(asked: string): string {
  if (asked.startsWith('/') && !asked.includes('%')) return asked
  // Proxies may send the absolute URL.
  const url = asked.replace(/^https?:\/\/[^/?]*/i, '') || '/'
  const [path = '', ...query] = url.split('?')
  if (isReadable(path) || /^\/(api|media)\//.test(path)) return url
  return [path.replaceAll('%', '%25'), ...query].join('?')
}

/** Uses what is decoded, because a build leaves out a call whose result nobody needs. */
function isReadable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

/** Answers data that isn't HTTP and headers that never end, before we close the connection. */
function refuseGarbage(error: ConnectionError, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const { status, body } = asAnswer({ statusCode: error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400 })
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    ...Object.entries(HEADERS).map((header) => header.join(': ')),
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy())
}
