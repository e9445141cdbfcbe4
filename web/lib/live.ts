import { io, type Socket } from 'socket.io-client'
import type { Output, Push } from '#contract/call.ts'
import { mainToken, onSessionChange, settled, singleToken } from './session.ts'

const tokenNow = () => mainToken() ?? singleToken()

/** The server turned the line away for another reason than its token: it is tried again after so long. */
const AGAIN_MS = 5000

/** The page's one socket, opened by the first who needs it. */
let socket: Socket | undefined

function open(): Socket {
  if (socket) return socket
  const opened = io({
    path: '/api/live',
    transports: ['websocket', 'polling'],
    autoConnect: false,
    // Asked anew at every connection, so that a renewed token is used.
    auth: (send) => send({ token: tokenNow() }),
  })
  const follow = () => void (tokenNow() ? opened.connect() : opened.disconnect())
  // What the server itself cut or refused is not tried again by itself.
  const again = () => void setTimeout(follow, AGAIN_MS * (1 + Math.random()))
  opened.on('disconnect', (reason) => reason === 'io server disconnect' && again())
  opened.on('connect_error', ({ message }) => !opened.active && message !== 'Unauthorized' && again())
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

/** Hears that the line stands again after it was lost: what was told meanwhile was missed. */
export function onReturn(listen: () => void) {
  const here = open()
  let lost = false
  const lose = () => void (lost = true)
  const connect = () => {
    if (lost) listen()
    lost = false
  }
  here.on('disconnect', lose)
  here.on('connect', connect)
  return () => {
    here.off('disconnect', lose)
    here.off('connect', connect)
  }
}
