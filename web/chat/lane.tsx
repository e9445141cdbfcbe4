/** So long it is tried again by itself while there is a network, with pauses that grow from the first to the last. */
const TRIES_FOR_MS = 60_000
const FIRST_PAUSE_MS = 1000
const LAST_PAUSE_MS = 15_000

/** What a try has brought; held: something else goes first. */
export type Came = 'nothing' | 'done' | 'later' | 'held'

/** Of several tabs one sends at a time. Where a browser has no locks, the server knows what it has got already. */
export const alone = <T,>(name: string, act: () => Promise<T>) =>
  'locks' in navigator ? navigator.locks.request(name, act) : act()

interface Lane {
  attempt: () => Promise<Came>
  isOnline: () => boolean
  closed: () => boolean
  tell: () => Promise<void>
  giveUp: () => Promise<void>
  /** What is held is looked at again after so long, if nothing wakes it. */
  holdsMs: number
}

/** Sends one after the other, until nothing waits. */
export function openLane({ attempt, isOnline, closed, tell, giveUp, holdsMs }: Lane) {
  let sending = false
  let again = false
  let goOn = () => {}

  const pauseFor = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      goOn = () => (clearTimeout(timer), resolve())
    })
  /** Something has changed: what is paused goes on, and what is just being tried is looked at again. */
  function wake() {
    again = true
    goOn()
  }

  async function send() {
    wake()
    if (sending) return
    sending = true
    let since: number | undefined
    let pause = FIRST_PAUSE_MS
    try {
      while (!closed()) {
        again = false
        const came = await attempt()
        if (came === 'nothing') {
          if (!again) break
        } else if (came === 'done') {
          since = undefined
          pause = FIRST_PAUSE_MS
          await tell()
        } else if (came === 'held') {
          if (!again) await pauseFor(holdsMs)
        } else if (!isOnline()) {
          // Offline is not failure: it waits as long as that takes.
          since = undefined
          await pauseFor(LAST_PAUSE_MS)
        } else {
          since ??= performance.now()
          if (performance.now() - since < TRIES_FOR_MS) await pauseFor(pause)
          else {
            await giveUp()
            await tell()
          }
          pause = Math.min(pause * 2, LAST_PAUSE_MS)
        }
      }
    } finally {
      sending = false
    }
  }

  return { send, wake }
}
