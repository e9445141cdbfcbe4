import type { io as openSocket, Socket } from 'socket.io-client'
import type { Event, Input, Output, Push } from '#contract/call.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { ApiError } from './api.ts'
import { countData } from './data-used.ts'
import { isSameSession, mainToken, onSessionChange, settled, singleToken } from './session.ts'

const tokenNow = () => mainToken() ?? singleToken()
/** The token that this connection uses. Another tab may have signed in since. */
let connectedAs: string | undefined
export const isOwnConnection = () => isSameSession(connectedAs, tokenNow())

/** How long the page waits after the server refused the connection for a reason other than its token. */
const AGAIN_MS = 5000
/** An answer that takes longer counts as lost, so every event must be safe to send again. */
const PATIENCE_MS = 10_000
/** An acknowledgement has no status. After these codes a retry may succeed. */
const LATER: ErrorCode[] = ['UNEXPECTED', 'UNAVAILABLE', 'TOO_MANY_TRIES', 'TOO_SLOW']

/** The page's one socket. Its library loads after the page itself, when something first listens. */
let socket: Socket | undefined
let opening: Promise<Socket> | undefined

const opened = (): Promise<Socket> =>
  (opening ??= import('socket.io-client').then(
    ({ io }) => (socket = open(io)),
    (error: unknown) => {
      opening = undefined
      throw error
    },
  ))

function open(io: typeof openSocket): Socket {
  const made = io({
    path: '/api/live',
    transports: ['websocket', 'polling'],
    // Long polling replaces WebSockets where a network blocks them.
    tryAllTransports: true,
    autoConnect: false,
    // When an instance restarts, another one answers straight away; the second pause is twice as long.
    reconnectionDelay: 500,
    // Read at every connection, so that a renewed token is used.
    auth: (send) => send({ token: (connectedAs = tokenNow()) }),
  })
  // A second request to connect, sent before the first is answered, makes the server cut the connection.
  const follow = () => {
    if (!tokenNow()) made.disconnect()
    else if (!made.active) made.connect()
  }
  // Socket.IO doesn't reconnect after the server itself has cut or refused the connection.
  const again = () => void setTimeout(follow, AGAIN_MS * (1 + Math.random()))
  made.on('disconnect', (reason) => reason === 'io server disconnect' && again())
  made.on('connect_error', ({ message }) => {
    if (made.active) return
    if (message !== 'Unauthorized') again()
    else if (!isOwnConnection()) follow()
  })
  const weigh = ({ data }: { data?: unknown }) => countData(typeof data === 'string' ? data.length : 0)
  made.io.on('open', () => {
    made.io.engine.on('packet', weigh)
    made.io.engine.on('packetCreate', weigh)
  })
  onSessionChange(follow)
  void settled().then(follow)
  return made
}

/** Starts as soon as there is a socket, unless the returned function was called first. */
function whileOpen(start: (socket: Socket) => () => void) {
  let isOver = false
  let stop = () => {}
  opened().then(
    (socket) => {
      if (!isOver) stop = start(socket)
    },
    // Pages also work without the socket's library.
    () => {},
  )
  return () => {
    isOver = true
    stop()
  }
}

/** Listens to a push until the returned function is called. */
export const on = <P extends Push>(
  { push }: P,
  listen: (payload: Output<{ output: P['payload'] }>) => void,
) =>
  whileOpen((socket) => {
    socket.on(push, listen)
    return () => void socket.off(push, listen)
  })

export const isConnected = () => socket?.connected === true

/** Calls back when the connection comes up (or already is) and when it is lost. Pushes in between are missed. */
export const onConnection = (listen: (isUp: boolean) => void) =>
  whileOpen((socket) => {
    const up = () => listen(true)
    const down = () => listen(false)
    socket.on('connect', up)
    socket.on('disconnect', down)
    if (socket.connected) up()
    return () => {
      socket.off('connect', up)
      socket.off('disconnect', down)
    }
  })

/** Sends an event over the socket. A refusal carries its code, as a call's does; without a connection or a response the status is 0. */
export async function ask<E extends Event>({ event }: E, input: Input<E>): Promise<Output<E>> {
  if (!socket?.connected) throw new ApiError(0, '')
  let answer: { ok: Output<E> } | { code: ErrorCode }
  try {
    answer = await socket.timeout(PATIENCE_MS).emitWithAck(event, input)
  } catch {
    throw new ApiError(0, '')
  }
  if ('ok' in answer) return answer.ok
  throw new ApiError(LATER.includes(answer.code) ? 503 : 400, JSON.stringify(answer))
}
