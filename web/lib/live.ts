import { io, type Socket } from 'socket.io-client'
import type { Event, Input, Output, Push } from '#contract/call.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { ApiError } from './api.ts'
import { countData } from './data-used.ts'
import { mainToken, onSessionChange, settled, singleToken } from './session.ts'

const tokenNow = () => mainToken() ?? singleToken()

/** The server turned the line away for another reason than its token: it is tried again after so long. */
const AGAIN_MS = 5000
/** An answer that has not come by then is taken as lost; what is asked must bear being asked again. */
const PATIENCE_MS = 10_000
/** An acknowledgement has no status; these say that a later try may go well. */
const LATER: ErrorCode[] = ['UNEXPECTED', 'UNAVAILABLE', 'TOO_MANY_TRIES', 'TOO_SLOW']

/** The page's one socket, opened by the first who needs it. */
let socket: Socket | undefined

function open(): Socket {
  if (socket) return socket
  const opened = io({
    path: '/api/live',
    transports: ['websocket', 'polling'],
    // Where a network lets no WebSocket through, long polling carries the same.
    tryAllTransports: true,
    autoConnect: false,
    // An instance that restarts leaves another that answers at once; the second wait is twice as long.
    reconnectionDelay: 500,
    // Asked anew at every connection, so that a renewed token is used.
    auth: (send) => send({ token: tokenNow() }),
  })
  const follow = () => void (tokenNow() ? opened.connect() : opened.disconnect())
  // What the server itself cut or refused is not tried again by itself.
  const again = () => void setTimeout(follow, AGAIN_MS * (1 + Math.random()))
  opened.on('disconnect', (reason) => reason === 'io server disconnect' && again())
  opened.on('connect_error', ({ message }) => !opened.active && message !== 'Unauthorized' && again())
  const weigh = ({ data }: { data?: unknown }) => countData(typeof data === 'string' ? data.length : 0)
  opened.io.on('open', () => {
    opened.io.engine.on('packet', weigh)
    opened.io.engine.on('packetCreate', weigh)
  })
  onSessionChange(follow)
  void settled().then(follow)
  return (socket = opened)
}

/** Hears a push until the returned function is called. */
export function on<P extends Push>(
  definition: P,
  listen: (payload: Output<{ output: P['payload'] }>) => void,
) {
  const here = open()
  here.on(definition.push, listen)
  return () => void here.off(definition.push, listen)
}

/** Hears that the line stands, now or as soon as it does, and each time it stands again: what was told before was missed. */
export function onStanding(listen: (first: boolean) => void) {
  const here = open()
  let first = true
  const connect = () => {
    listen(first)
    first = false
  }
  here.on('connect', connect)
  if (here.connected) connect()
  return () => void here.off('connect', connect)
}

/** Whether the line stands, now and at every change. */
export function onLine(listen: (stands: boolean) => void) {
  const here = open()
  const up = () => listen(true)
  const down = () => listen(false)
  here.on('connect', up)
  here.on('disconnect', down)
  listen(here.connected)
  return () => {
    here.off('connect', up)
    here.off('disconnect', down)
  }
}

/** Asks over the line. A refusal has its code as a call's has; without a line or an answer it has the status 0. */
export async function ask<E extends Event>(
  { event }: E,
  input: Input<E>,
  patience = PATIENCE_MS,
): Promise<Output<E>> {
  const here = open()
  if (!here.connected) throw new ApiError(0, '')
  let answer: { ok: Output<E> } | { code: ErrorCode }
  try {
    answer = await here.timeout(patience).emitWithAck(event, input)
  } catch {
    throw new ApiError(0, '')
  }
  if ('ok' in answer) return answer.ok
  throw new ApiError(LATER.includes(answer.code) ? 503 : 400, JSON.stringify(answer))
}
