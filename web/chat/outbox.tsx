import type { Output } from '#contract/call.ts'
import type { say as sayEvent } from '#contract/chat.ts'
import { ApiError } from '../lib/api.ts'
import { now } from '../lib/session.ts'
import { changeUnsent, forgetUnsent, keepUnsent, type Unsent, unsentOf } from '../lib/unsent.ts'

/** So long it is tried again by itself while there is a network, with pauses that grow from the first to the last. */
const TRIES_FOR_MS = 60_000
const FIRST_PAUSE_MS = 1000
const LAST_PAUSE_MS = 15_000

type Stored = Output<typeof sayEvent>

interface Told {
  say: (message: Unsent) => Promise<Stored>
  isOnline: () => boolean
  /** What still waits or was given up. */
  changed: (unsent: Unsent[]) => void
  sent: (message: Unsent, stored: Stored) => void
  /** Refused because the consult is over: the words go back to where they were written. */
  ended: (words: string, why: string) => void
}

const passing = ({ status }: ApiError) => [0, 408, 429].includes(status) || status >= 500
const isOver = ({ status, code }: ApiError) => status === 401 || code === 'UNAUTHORIZED'

/** Of several tabs one sends at a time. Where a browser has no locks, the server knows what it has got already. */
const alone = <T,>(name: string, act: () => Promise<T>) =>
  'locks' in navigator ? navigator.locks.request(name, act) : act()

/** Sends what was written, one after the other in the order of writing. */
export function openOutbox(consultation: number, { say, isOnline, changed, sent, ended }: Told) {
  const name = `vetchat unsent ${consultation}`
  const tabs = new BroadcastChannel(name)
  const end = new AbortController()
  const closed = () => end.signal.aborted
  let sending = false
  let again = false
  let wake = () => {}

  async function look() {
    const unsent = await unsentOf(consultation)
    if (!closed()) changed(unsent)
  }
  async function told() {
    if (!closed()) tabs.postMessage('changed')
    await look()
  }

  /** One try with the first that waits. */
  async function attempt(): Promise<'nothing' | 'done' | 'later'> {
    const next = (await unsentOf(consultation)).find(({ failed }) => !failed)
    if (!next || closed()) return 'nothing'
    if (!isOnline()) return 'later'
    try {
      sent(next, await say(next))
      await forgetUnsent(next.n)
    } catch (error) {
      if (!(error instanceof ApiError) || passing(error)) return 'later'
      if (isOver(error)) return 'nothing'
      if (error.code === 'CONSULT_ENDED') {
        await forgetUnsent(next.n)
        ended(next.body, error.message)
      } else await changeUnsent({ ...next, failed: true, why: error.message })
    }
    return 'done'
  }

  async function giveUp() {
    for (const one of await unsentOf(consultation))
      if (!one.failed) await changeUnsent({ ...one, failed: true })
  }

  const pauseFor = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => (clearTimeout(timer), resolve())
    })

  async function send() {
    again = true
    if (sending) return wake()
    sending = true
    let since: number | undefined
    let pause = FIRST_PAUSE_MS
    try {
      while (!closed()) {
        again = false
        const came = await alone(name, attempt)
        if (came === 'nothing') {
          if (!again) break
        } else if (came === 'done') {
          since = undefined
          pause = FIRST_PAUSE_MS
          await told()
        } else if (!isOnline()) {
          // Offline is not failure: it waits as long as that takes.
          since = undefined
          await pauseFor(LAST_PAUSE_MS)
        } else {
          since ??= performance.now()
          if (performance.now() - since < TRIES_FOR_MS) await pauseFor(pause)
          else {
            await giveUp()
            await told()
          }
          pause = Math.min(pause * 2, LAST_PAUSE_MS)
        }
      }
    } finally {
      sending = false
    }
  }

  tabs.addEventListener('message', () => void look())
  void look().then(send)

  return {
    async add(body: string) {
      const at = new Date(now()).toISOString()
      const message = { client_id: crypto.randomUUID(), consultation, body, at }
      await keepUnsent({ ...message, failed: false })
      await told()
      void send()
    },
    async retry(message: Unsent) {
      await changeUnsent({ ...message, failed: false, why: undefined })
      await told()
      void send()
    },
    async remove({ n }: Unsent) {
      await forgetUnsent(n)
      await told()
    },
    /** The network may be back. */
    send: () => void send(),
    close() {
      end.abort()
      wake()
      tabs.close()
    },
  }
}
