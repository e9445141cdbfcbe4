import { STATUS_CODES, type Server as HttpServer } from 'node:http'
import { Server as TcpServer, type Socket } from 'node:net'
import multipart from '@fastify/multipart'
import Fastify, {
  LogController,
  type ConnectionError,
  type FastifyInstance,
  type FastifyReply,
} from 'fastify'
import { Server } from 'socket.io'
import { fail, Failure } from '#contract/errors.ts'
import { accountJobs } from './accounts/jobs.ts'
import { analyticsRoutes } from './analytics/routes.ts'
import { accountRoutes } from './accounts/routes.ts'
import { aftercareRoutes } from './aftercare/routes.ts'
import { sweepReceived, watchBody } from './http/body.ts'
import { claimJobs } from './claims/jobs.ts'
import { claimRoutes } from './claims/routes.ts'
import { makeClock, type Clock } from './jobs/clock.ts'
import type { World } from './context.ts'
import type { Database } from './db/client.ts'
import { siteOf, type Env } from './env.ts'
import { serveMedia } from './http/media.ts'
import { watchHouse } from './health/metrics.ts'
import { giftJobs } from './memberships/gift-jobs.ts'
import { healthRoutes } from './health/routes.ts'
import { humanRoutes } from './human/routes.ts'
import { logging } from './http/log.ts'
import { sendMails, sweepMails } from './mail/outbox.ts'
import type { MovedClock } from './jobs/moved-clock.ts'
import { sweepCodes } from './identity/codes.ts'
import { couponRoutes } from './coupons/routes.ts'
import { checkoutRoutes } from './checkout/routes.ts'
import { oneConsult } from './checkout/writes.ts'
import { chatRoutes } from './chat/routes.ts'
import { chatSockets } from './chat/sockets.ts'
import { contactRoutes } from './contact/routes.ts'
import { clinicalRoutes } from './clinical/routes.ts'
import { consultationJobs } from './consultations/jobs.ts'
import { consultationRoutes } from './consultations/routes.ts'
import { ledgerJobs } from './ledger/jobs.ts'
import { ledgerRoutes } from './ledger/routes.ts'
import { joiningJobs } from './joining/jobs.ts'
import { joiningRoutes } from './joining/routes.ts'
import { membership } from './joining/writes.ts'
import { libraryRoutes } from './library/routes.ts'
import { lineJobs } from './queue/jobs.ts'
import { queueRoutes } from './queue/routes.ts'
import { membershipJobs } from './memberships/jobs.ts'
import { membershipRoutes } from './memberships/routes.ts'
import { paymentRoutes } from './payments/routes.ts'
import { sandboxRoutes } from './sandbox/routes.ts'
import { forPet } from './payments/writes.ts'
import { petJobs } from './pets/jobs.ts'
import { petRoutes } from './pets/routes.ts'
import { policyJobs } from './policies/jobs.ts'
import { policyRoutes } from './policies/routes.ts'
import { finishPurchases } from './purchases/jobs.ts'
import type { Kind } from './purchases/rules.ts'
import { applyEvent } from './purchases/writes.ts'
import { openApi } from './http/openapi.ts'
import { profileJobs } from './profile/jobs.ts'
import { profileRoutes } from './profile/routes.ts'
import { sweepSpent } from './identity/single-use-tokens.ts'
import type { Files } from './providers/files.ts'
import type { Carrier } from './providers/carrier.ts'
import type { Postman } from './providers/mail.ts'
import type { Payments } from './providers/payments.ts'
import { serveWebhook } from './http/webhook.ts'
import { asker, mountCalls, mountEvents, type Served } from './http/serve.ts'
import { sendTogether } from './live/packet-batching.ts'
import type { Event } from '#contract/call.ts'
import { letOut, toWire } from './http/wire.ts'

export interface Deps {
  env: Env
  database: Database
  secret: Uint8Array
  files: Files
  postman: Postman
  payments: Payments
  clock?: MovedClock
  /** Takes live messages to other instances; one that is alone needs none. */
  carrier?: Carrier
  /** Tests run what is due themselves. */
  ticking?: boolean
  logStream?: { write: (line: string) => void }
}

export interface House {
  app: FastifyInstance
  world: World
  clock: Clock
  io: Server
  /** Every address that is answered here. */
  routes: string[]
  ask: ReturnType<typeof asker>
  /** Refuses new work, lets running work finish, and closes what was opened here. */
  stop: () => Promise<void>
}

/** One line a slice. */
const CALLS = [
  ...healthRoutes,
  ...sandboxRoutes,
  ...accountRoutes,
  ...profileRoutes,
  ...petRoutes,
  ...policyRoutes,
  ...claimRoutes,
  ...membershipRoutes,
  ...paymentRoutes,
  ...ledgerRoutes,
  ...checkoutRoutes,
  ...joiningRoutes,
  ...consultationRoutes,
  ...chatRoutes,
  ...queueRoutes,
  ...clinicalRoutes,
  ...contactRoutes,
  ...analyticsRoutes,
  ...libraryRoutes,
  ...couponRoutes,
  ...humanRoutes,
  ...aftercareRoutes,
]
const EVENTS: Served<Event>[] = [...chatSockets]
/** What can be bought. */
const KINDS: Kind[] = [forPet, oneConsult, membership]
const JOBS = [
  ...accountJobs,
  ...profileJobs,
  ...petJobs,
  ...policyJobs,
  ...claimJobs,
  ...membershipJobs,
  ...ledgerJobs,
  finishPurchases(KINDS),
  ...joiningJobs,
  ...giftJobs,
  ...consultationJobs,
  ...lineJobs,
  sweepMails,
  sweepReceived,
  sweepSpent,
  sweepCodes,
]

/** On every answer; a document brings its own in their place. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
/** Where the payment provider's events arrive. */
const WEBHOOK = '/api/stripe/webhook'
const LIVE = '/api/live'
const BODY_LIMIT = 256 * 1024
const SOCKET_FRAME = 64 * 1024

export async function buildApp(deps: Deps): Promise<House> {
  const { env, database } = deps
  let stopping = false
  const app = Fastify({
    logger: {
      level: env.logLevel,
      ...(deps.logStream && { stream: deps.logStream }),
      base: undefined,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      ...logging,
    },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: env.trustProxy,
    bodyLimit: BODY_LIMIT,
    exposeHeadRoutes: false,
    // Slow or silent clients are let go; calls with a body have a timer of their own.
    requestTimeout: 16 * 60_000,
    keepAliveTimeout: 10_000,
    http: {
      headersTimeout: 8000,
      connectionsCheckingInterval: 1000,
      // Whoever offers another protocol, as clients of HTTP/2 do, is answered in this one.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    rewriteUrl: ({ url = '/' }) => readableUrl(url),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    frameworkErrors: (error, _request, reply) => {
      const { status, body } = toWire(error)
      void (reply as FastifyReply).code(status).headers(HEADERS).send(body)
    },
    clientErrorHandler: refuseGarbage,
    // What still comes over an open connection is answered; health alone says that the house is closing.
    return503OnClosing: false,
  })
  const routes: string[] = []
  app.addHook('onRoute', ({ url }) => void routes.push(url))
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS)
    if (siteOf(env.sites, request.host).url.startsWith('https:'))
      reply.header('strict-transport-security', 'max-age=63072000')
  })
  await app.register(multipart, { throwFileSizeLimit: false })
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, undefined)
    app.getDefaultJsonParser('error', 'error')(_request, text as string, done)
  })
  const io = new Server(app.server, {
    path: LIVE,
    serveClient: false,
    connectTimeout: 5000,
    maxHttpBufferSize: SOCKET_FRAME,
    transports: ['websocket', 'polling'],
    allowRequest: (request, answer) =>
      answer(null, fromOurSite(env, request.headers.origin, request.headers.host)),
  })
  // Answers of the socket's own long polling do not come by way of the hooks.
  app.server.prependListener('request', ({ url }, answer) => {
    if (url?.startsWith(LIVE))
      for (const [name, value] of Object.entries(HEADERS)) answer.setHeader(name, value)
  })
  sendTogether(io)
  const world: World = {
    env,
    db: database.db,
    now: deps.clock?.now ?? (() => new Date()),
    moveClock: deps.clock?.move ?? (() => fail('UNKNOWN_CALL')),
    log: app.log as World['log'],
    files: deps.files,
    payments: deps.payments,
    secret: deps.secret,
    tell(room, { push, payload: shape }, given, except) {
      const payload = letOut(shape, given)
      io.to(room)
        .except(except ?? [])
        .emit(push, payload)
      deps.carrier?.carry({ room, push, payload })
    },
    hangUp(room) {
      io.in(room).disconnectSockets(true)
      deps.carrier?.carry({ room, hangUp: true })
    },
    stopping: () => stopping,
    wake: () => clock.wake(),
  }
  const providerJobs = deps.payments.sandbox?.jobs(async (payload, signature) => {
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    return (await app.inject({ method: 'POST', url: WEBHOOK, headers, payload })).statusCode
  })
  const jobs = [...(providerJobs ?? []), ...JOBS, sendMails(deps.postman)]
  const clock = makeClock(world, jobs)
  // Not before: what is due at once asks the house by its own calls, and it can not be added to any more after that.
  if (deps.ticking ?? true) app.addHook('onListen', async () => clock.start())

  app.setErrorHandler((error, request, reply) => {
    const { status, body, retryAfter } = toWire(error)
    if (status >= 500 && (!(error instanceof Failure) || error.cause !== undefined))
      request.log.error({
        event: 'call failed',
        call: request.routeOptions.config.name,
        ref: body.ref,
        err: error,
      })
    if (status === 401) reply.header('www-authenticate', 'Bearer')
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
    if (status === 401 && body.code === 'UNAUTHORIZED')
      return reply.code(401).type('text/plain').send('Unauthorized')
    return reply.code(status as 500).send(body)
  })
  app.addHook('preParsing', async (request, _reply, body) =>
    watchBody(body, request, request.routeOptions.config.upload === true),
  )
  // Who is answered before the body was read to its end is not waited for: no other request can follow it.
  app.addHook('onSend', async ({ raw }, reply) => {
    const sendsBody = 'transfer-encoding' in raw.headers || Number(raw.headers['content-length']) > 0
    if (sendsBody && !raw.readableEnded) reply.header('connection', 'close')
  })
  watchHouse(app, world)
  await app.register(
    async (api) => {
      mountCalls(api, world, CALLS)
      let document: object | undefined
      api.get('/openapi.json', () => (document ??= openApi(CALLS)))
      for (const rest of ['/', '/*']) api.all(rest, () => fail('UNKNOWN_CALL'))
    },
    { prefix: '/api' },
  )
  serveMedia(app, world)
  serveWebhook(app, world, (event) => applyEvent(world, KINDS, event))
  app.setNotFoundHandler(() => fail('UNKNOWN_CALL'))
  mountEvents(io, world, EVENTS)
  await deps.carrier?.hear(
    (parcel) =>
      'hangUp' in parcel
        ? io.in(parcel.room).disconnectSockets(true)
        : void io.to(parcel.room).emit(parcel.push, parcel.payload),
    // Whoever comes back asks for what was said meanwhile.
    () => io.sockets.sockets.forEach((socket) => socket.conn.close()),
  )

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
      // Whoever was answered meanwhile may ask no more on that connection.
      const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
      await Promise.all([io.close(), app.close()]).finally(() => clearInterval(sweep))
      await clock.stop()
    },
  }
}

const MOST_TURNS = 500

/**
 * Takes no new connections. Those that the kernel has taken and nobody has fetched would be cut off, so it waits for a
 * turn of the loop that found nothing to do. Between that look and the end a busy machine may give the processor to
 * somebody else, and what comes meanwhile is lost: who has just slept is not interrupted so soon.
 */
async function closeInQuiet(server: HttpServer) {
  const { nodeTiming } = performance
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    const { events } = nodeTiming.uvMetricsInfo
    await new Promise((resolve) => setImmediate(resolve))
    if (nodeTiming.uvMetricsInfo.events === events) break
  }
  // The port alone, with no work before it; what HTTP has to close follows.
  TcpServer.prototype.close.call(server)
}

/** A page whose address can not be read is not there, and says so as every page that is not there. */
function readableUrl(asked: string): string {
  if (asked.startsWith('/') && !asked.includes('%')) return asked
  // Proxies may ask by the whole address.
  const url = asked.replace(/^https?:\/\/[^/?]*/i, '') || '/'
  const [path = '', ...query] = url.split('?')
  if (!path.includes('%') || /^\/(api|media)\//.test(path)) return url
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?')
  }
}

/** Answers what is no HTTP, and who never came to the end of a header, before they are let go. */
function refuseGarbage(error: ConnectionError, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const { status, body } = toWire({ statusCode: error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400 })
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

/** A page of another site may not open a socket here; a program that is no browser sends no origin. */
function fromOurSite(env: Env, origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  return new URL(origin).host === host || siteOf(env.sites, new URL(origin).host).url === origin
}
