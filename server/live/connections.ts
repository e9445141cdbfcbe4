import type { Server as HttpServer } from 'node:http'
import type { Socket as NetSocket } from 'node:net'
import proxyAddress from '@fastify/proxy-addr'
import { Server, type Socket } from 'socket.io'
import * as z from 'zod'
import type { ActorKind, Event, Push } from '#contract/call.ts'
import { messageSaid } from '#contract/chat.ts'
import { consultationChanged } from '#contract/consultations.ts'
import { sentenceOf } from '#contract/errors.ts'
import { isStaff, type Actor, type Ctx, type LeavesOnly, type World } from '../context.ts'
import { siteOf, type Env } from '../env.ts'
import { readToEnd } from '../http/body.ts'
import { admit, answer, asObject, contextFor, inPlace, readInput, type Served } from '../http/serve.ts'
import { asAnswer } from '../http/answers.ts'
import { networkOf } from '../identity/limits.ts'
import { callerOf, type Caller } from '../identity/session.ts'
import type { Carrier } from '../providers/carrier.ts'

/* Rooms. A push to a room reaches every socket in it. */

export const consultationRoom = (id: number) => `consultation:${id}`
/** The staff in a consultation's room. When a vet ends the consult, the others leave. */
export const staffRoom = (id: number) => `consultation:${id}:staff`
export const personRoom = (userId: number) => `person:${userId}`
export const sessionRoom = (sessionId: string) => `session:${sessionId}`
/** Vets and admins learn here what happens in the queue. */
export const STAFF_ROOM = 'staff'

/** An actor's own news, on every device. */
function ownRoom(actor: Actor): string {
  if (actor.kind === 'clinic') return `clinic:${actor.clinicId}`
  return actor.kind === 'guest' ? `guest:${actor.consultationId}` : personRoom(actor.userId)
}

const roomsOf = (actor: Actor): string[] => (isStaff(actor) ? [ownRoom(actor), STAFF_ROOM] : [ownRoom(actor)])

export function enterRoom({ join, actor }: Pick<Ctx<readonly ActorKind[]>, 'join' | 'actor'>, id: number) {
  join(consultationRoom(id))
  if (isStaff(actor)) join(staffRoom(id))
}

/** Reaches the sockets of a room on every instance. */
export const openRooms = (io: Server, carrier: Carrier | undefined): Pick<World, 'tell' | 'hangUp'> => ({
  tell(room, { push, payload: shape }, given, except) {
    const payload = z.parse(shape, given)
    io.to(room)
      .except(except ?? [])
      .emit(push, payload)
    carrier?.carry({ room, push, payload })
  },
  hangUp(room, only) {
    end(io, room, only)
    carrier?.carry({ room, hangUp: only ?? true })
  },
})

function end(io: Server, room: string, only: LeavesOnly | undefined) {
  if (only) io.in(room).except(only.except).socketsLeave(only.from)
  else io.in(room).disconnectSockets(true)
}

/** Passes on the pushes of other instances. */
export const hearOthers = async (io: Server, carrier: Carrier | undefined) =>
  carrier?.hear(
    (parcel) =>
      'hangUp' in parcel
        ? end(io, parcel.room, parcel.hangUp === true ? undefined : parcel.hangUp)
        : void io.to(parcel.room).emit(parcel.push, parcel.payload),
    // Clients that reconnect fetch the messages they missed.
    () => io.sockets.sockets.forEach((socket) => socket.conn.close()),
  )

/* Connections. */

const PATH = '/api/live'
const FRAME_LIMIT = 64 * 1024

/** Listens for sockets on the server's port. `headers` go with every answer of long polling. */
export function openSockets(server: HttpServer, env: Env, headers: Record<string, string>): Server {
  const io = new Server(server, {
    path: PATH,
    serveClient: false,
    connectTimeout: 5000,
    maxHttpBufferSize: FRAME_LIMIT,
    transports: ['websocket', 'polling'],
    allowRequest: (request, answer) =>
      answer(
        null,
        !request.socket.destroyed && isFromOurSite(env, request.headers.origin, request.headers.host),
      ),
  })
  // Socket.IO's long polling bypasses Fastify's hooks.
  server.prependListener('request', (request, answer) => {
    if (!request.url?.startsWith(PATH)) return
    for (const [name, value] of Object.entries(headers)) answer.setHeader(name, value)
    // Socket.IO may refuse a request before its body has arrived, and the rest may never arrive.
    answer.once('finish', async () => request.complete || (await readToEnd(request)) || request.destroy())
  })
  batchPackets(io)
  io.engine.on('connection', cutUnread)
  return io
}

/** Pages of other sites may not open a socket here. A program other than a browser sends no origin. */
function isFromOurSite(env: Env, origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  return new URL(origin).host === host || siteOf(env.sites, new URL(origin).host).url === origin
}

/** What still waits to be sent on a connection. If that's a WebSocket, also the WebSocket and the TCP socket under it. */
interface Connection {
  writeBuffer: unknown[]
  transport: { socket?: { pause: () => void; resume: () => void; _socket?: NetSocket } }
}

/**
 * Sends everything for one connection in one turn of the event loop in a single write. `npm run bench -- chat`: at full
 * load a message takes the server 40 µs with this and 52 µs with a write for each.
 */
export function batchPackets(io: Server): void {
  io.engine.on('flush', (connection: Connection) => {
    const socket = connection.transport.socket?._socket
    if (!socket || socket.writableCorked > 0) return
    socket.cork()
    process.nextTick(() => socket.uncork())
  })
}

interface Told extends Connection {
  on: (name: 'packetCreate', heard: () => void) => void
  close: (discard: boolean) => void
}

const MOST_UNREAD = 1000

/**
 * Closes a connection that reads nothing of what it is told, before that fills memory. A page that only lost its network
 * connects again, and fetches what it missed.
 */
export const cutUnread = (connection: Told) =>
  connection.on('packetCreate', () => {
    if (connection.writeBuffer.length > MOST_UNREAD) connection.close(true)
  })

/* Events. */

/** Authenticates a socket by its token and answers its events with handlers. */
export function mountEvents(io: Server, world: World, served: Served<Event>[]): void {
  const trusted = proxyAddress.compile(world.env.trustProxy)
  const asked = new WeakSet<object>()
  io.use((socket, next) => {
    // A page asks once on each connection. Thousands of requests fit into one write, and each reads the database.
    if (asked.has(socket.conn)) return void socket.conn.close()
    asked.add(socket.conn)
    const token: unknown = socket.handshake.auth['token']
    const admitted = typeof token === 'string' ? callerOf(world, token) : Promise.resolve(null)
    admitted.then(
      (caller) => {
        socket.data.caller = caller
        if (!caller || caller.isSettingUp) return next(new Error('Unauthorized'))
        const others = io.sockets.adapter.rooms.get(ownRoom(caller.actor))?.size ?? 0
        // The page then works with plain calls, and tries again later.
        next(others < mostSockets(caller.actor.kind) ? undefined : new Error('Too many'))
      },
      // We couldn't check the token. A dropped connection retries automatically; a refused one waits much longer.
      (error: Error) => {
        socket.conn.close()
        next(error)
      },
    )
  })
  io.on('connection', (socket) => {
    const { actor, expires } = socket.data.caller as Caller
    void socket.join([sessionRoom(actor.sessionId), ...roomsOf(actor)])
    void leaveIfEnded(world, socket)
    const over = setTimeout(
      () => socket.disconnect(true),
      Math.min(2 ** 31 - 1, expires.getTime() - world.now().getTime()),
    )
    socket.on('disconnect', () => clearTimeout(over))
    const { headers } = socket.handshake
    const ctx = contextFor(world, siteOf(world.env.sites, headers.host).region, actor, {
      address: networkOf(proxyAddress(socket.request, trusted)),
      agent: headers['user-agent'] ?? '',
      join: (room) => void socket.join(room),
      leave: (room) => void socket.leave(room),
      isIn: (room) => socket.rooms.has(room),
      tell: (room, push, payload) =>
        world.tell(room, push, payload, isNewsToSender(push, payload) ? undefined : socket.id),
    })
    const listeners = new Map(served.map((one) => [one.definition.event, eventListener(ctx, one)]))
    const start = throttle(socket)
    socket.onAny((event: string, raw: unknown, acknowledge: unknown) => {
      // Our pages always ask for an acknowledgement. Events without one are not ours; they still count against the throttle.
      const listener = typeof acknowledge === 'function' ? listeners.get(event) : undefined
      start(async () => listener && inPlace(actor, () => listener(raw, acknowledge as Acknowledge)))
    })
  })
}

/** The sender has the acknowledgement of what they sent. What VetChat changes or says because of it is news to them too. */
const isNewsToSender = ({ push }: Push, payload: unknown) =>
  push === consultationChanged.push ||
  (push === messageSaid.push && (payload as z.infer<typeof messageSaid.payload>).message.user_id === null)

/** A session may end between the handshake and joining its room, and would then miss the news of its end. */
async function leaveIfEnded(world: World, socket: Socket) {
  try {
    if (!(await callerOf(world, String(socket.handshake.auth['token'])))) socket.disconnect(true)
  } catch {
    socket.conn.close()
  }
}

type Acknowledge = (answer: object) => void

const eventListener = (ctx: Ctx, one: Served<Event>) => async (raw: unknown, acknowledge: Acknowledge) => {
  try {
    admit(one.definition.access, ctx.actor)
    acknowledge({ ok: await answer(one, ctx, readInput(one.definition, asObject(raw))) })
  } catch (error) {
    const { status, body } = asAnswer(error)
    if (status >= 500)
      ctx.log.error({ event: 'socket event failed', name: one.name, ref: body.ref, err: error })
    acknowledge(status === 401 ? { errors: [sentenceOf('UNAUTHORIZED')], code: 'UNAUTHORIZED' } : body)
  }
}

/**
 * How many sockets one person, guest or clinic may have open on this instance. A clinic's desks share them. Each costs
 * about 21 kB, and a stranger can make 30 accounts an hour.
 */
export const mostSockets = (kind: Actor['kind']) => (kind === 'clinic' ? 500 : 60)
/** A socket may have this many events in progress, and begin this many in each interval. */
const IN_PROGRESS = 8
const EACH_INTERVAL = 25
const INTERVAL_MS = 200
/** A client that leaves this many answers unread gets no more until it has read them. */
const UNREAD = 100
/** More events than fit in one read of the connection. This client keeps sending although we stopped reading. */
const MOST_WAITING = 10_000
/** Long polling can't be paused, and what waits may be 64 kB each. */
const MOST_WAITING_POLLED = 100
const LOOKS_AGAIN_MS = 20

/**
 * Starts a socket's events one after the other. A client that sends more than a person can isn't refused but slowed: we
 * stop reading its connection until we have caught up. `npm run drill -- socket`: beside one client that floods us, other
 * people's calls take 0.2 s (p99) with this, and 4 s without; their messages 0.2 s, and 45 s without.
 */
export function throttle(socket: Socket): (event: () => Promise<void>) => void {
  const waiting: (() => Promise<void>)[] = []
  let inProgress = 0
  let begun = 0
  let intervalEnds = 0
  let timer: NodeJS.Timeout | undefined
  let paused: Connection['transport']['socket']
  const connection = () => socket.conn as unknown as Connection

  /** Milliseconds until the next event may begin; undefined if one in progress must end first. */
  function wait(): number | undefined {
    const now = performance.now()
    if (now >= intervalEnds) [begun, intervalEnds] = [0, now + INTERVAL_MS]
    if (inProgress >= IN_PROGRESS) return undefined
    if (connection().writeBuffer.length > UNREAD) return LOOKS_AGAIN_MS
    return begun < EACH_INTERVAL ? 0 : intervalEnds - now
  }
  function next() {
    timer = undefined
    let ms: number | undefined = 0
    while (waiting.length > 0 && (ms = wait()) === 0) {
      inProgress++
      begun++
      void waiting.shift()!().finally(() => {
        inProgress--
        if (!timer) next()
      })
    }
    if (waiting.length > 0 && ms !== undefined) timer = setTimeout(next, ms)
    if (waiting.length > 0 && !paused) (paused = connection().transport.socket)?.pause()
    else if (waiting.length === 0 && paused) {
      paused.resume()
      paused = undefined
    }
  }
  socket.on('disconnect', () => {
    waiting.length = 0
    clearTimeout(timer)
    // A paused connection would never see that it ended.
    paused?.resume()
  })
  return (event) => {
    waiting.push(event)
    const most = connection().transport.socket ? MOST_WAITING : MOST_WAITING_POLLED
    if (waiting.length > most) socket.conn.close()
    else if (!timer) next()
  }
}
