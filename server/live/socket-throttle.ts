import type { Socket } from 'socket.io'

/** A socket may have this many events in progress, and begin this many in each interval. */
const IN_PROGRESS = 8
const EACH_INTERVAL = 25
const INTERVAL_MS = 200
/** A client that leaves this many answers unread gets no more until it has read them. */
const UNREAD = 100
/** More events than one read of the connection holds: this client keeps sending although we stopped reading. */
const MOST_WAITING = 10_000
const LOOKS_AGAIN_MS = 20

/** The connection itself where it is a WebSocket, and what still waits to be sent on it. */
interface Connection {
  writeBuffer: unknown[]
  transport: { socket?: { pause: () => void; resume: () => void } }
}

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
    if (waiting.length > MOST_WAITING) socket.conn.close()
    else if (!timer) next()
  }
}
