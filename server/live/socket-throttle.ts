import type { Socket } from 'socket.io'

/** Of one socket so many events are under way at once, and so many begin in each span of time. */
const AT_ONCE = 8
const IN_SPAN = 25
const SPAN_MS = 200
/** Whoever lets so many answers lie unread gets no more until they are fetched. */
const UNREAD = 100
/** So many that wait are more than one read of the line holds: it does not stop when it is asked to. */
const MOST_WAITING = 10_000
const LOOKS_AGAIN_MS = 20

/** The line itself where it is a WebSocket, and what still waits to be sent on it. */
interface Line {
  writeBuffer: unknown[]
  transport: { socket?: { pause: () => void; resume: () => void } }
}

/**
 * Lets a socket's events in one after the other. Who says more than a person can is not refused but heard slowly: their
 * line is not read on meanwhile, so that they wait, and nobody else does.
 */
export function turnstile(socket: Socket): (event: () => Promise<void>) => void {
  const waiting: (() => Promise<void>)[] = []
  let underWay = 0
  let begun = 0
  let spanEnds = 0
  let timer: NodeJS.Timeout | undefined
  let held: Line['transport']['socket']
  const line = () => socket.conn as unknown as Line

  /** Milliseconds until the next may begin; none where one that is under way has to end first. */
  function wait(): number | undefined {
    const now = performance.now()
    if (now >= spanEnds) [begun, spanEnds] = [0, now + SPAN_MS]
    if (underWay >= AT_ONCE) return undefined
    if (line().writeBuffer.length > UNREAD) return LOOKS_AGAIN_MS
    return begun < IN_SPAN ? 0 : spanEnds - now
  }
  function next() {
    timer = undefined
    let ms: number | undefined = 0
    while (waiting.length > 0 && (ms = wait()) === 0) {
      underWay++
      begun++
      void waiting.shift()!().finally(() => {
        underWay--
        if (!timer) next()
      })
    }
    if (waiting.length > 0 && ms !== undefined) timer = setTimeout(next, ms)
    if (waiting.length > 0 && !held) (held = line().transport.socket)?.pause()
    else if (waiting.length === 0 && held) {
      held.resume()
      held = undefined
    }
  }
  socket.on('disconnect', () => {
    waiting.length = 0
    clearTimeout(timer)
    // The end of the line is read from it too.
    held?.resume()
  })
  return (event) => {
    waiting.push(event)
    if (waiting.length > MOST_WAITING) socket.conn.close()
    else if (!timer) next()
  }
}
