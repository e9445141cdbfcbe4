import type { Output } from '#contract/call.ts'
import type { attach as attachCall, sendMessage as sendMessageEvent } from '#contract/chat.ts'
import { words } from '#contract/errors.ts'
import { ApiError } from '../lib/api.ts'
import { smallPhoto } from '../lib/picture.ts'
import { now } from '../lib/session.ts'
import { changeUnsent, forgetUnsent, keepUnsent, type Unsent, unsentOf } from '../lib/unsent.ts'
import { say } from '../ui/say.ts'
import { alone, type Came, openLane } from './lane.tsx'
import { asFile, chosen, isReadable, isSmall, refused, smaller, wrongWith } from './chosen.tsx'

/** Words wait at most so long for photos that were chosen before them, and for nothing larger. */
const WORDS_WAIT_MS = 10_000
/** A file on its way that does not move for so long is tried anew. */
const STANDS_STILL_MS = 60_000

interface Told {
  sendMessage: (message: Unsent) => Promise<Output<typeof sendMessageEvent>>
  attach: (
    message: { client_id: string; file: File },
    onProgress: (part: number) => void,
    signal: AbortSignal,
  ) => Promise<Output<typeof attachCall>>
  isOnline: () => boolean
  /** What still waits or was given up. */
  changed: (unsent: Unsent[]) => void
  /** The file that leaves now, with how much of it has left, from 0 to 1. */
  leaves: (file: { n: number; part: number } | undefined) => void
  said: (message: Unsent, stored: Output<typeof sendMessageEvent>) => void
  attached: (message: Unsent, stored: Output<typeof attachCall>) => void
  /** Refused because the consult is over: the words go back to where they were written. */
  ended: (words: string, why: string) => void
}

const passing = ({ status }: ApiError) => [0, 408, 429].includes(status) || status >= 500
const isOver = ({ status, code }: ApiError) => status === 401 || code === 'UNAUTHORIZED'

/** Sends what was written and chosen: words after words, files after files, and each after what was there before it. */
export function openOutbox(consultation: number, told: Told) {
  const { isOnline } = told
  const name = `vetchat unsent ${consultation}`
  const tabs = new BroadcastChannel(name)
  const end = new AbortController()
  const closed = () => end.signal.aborted
  let leaving: { n: number; abort: AbortController } | undefined

  async function look() {
    const unsent = await unsentOf(consultation)
    if (leaving && unsent.every(({ n }) => n !== leaving?.n)) leaving.abort.abort()
    if (!closed()) told.changed(unsent)
  }
  async function tell() {
    if (!closed()) tabs.postMessage('changed')
    await look()
    lanes.forEach((lane) => lane.wake())
  }
  const waiting = async () => (await unsentOf(consultation)).filter(({ failed }) => !failed)

  /** What an error makes of what was tried. */
  async function after(error: unknown, message: Unsent): Promise<Came> {
    if (closed()) return 'nothing'
    if (!(error instanceof ApiError) || passing(error)) return 'later'
    if (isOver(error)) return 'nothing'
    if (message.file) await changeUnsent(refused(message, error.message))
    else if (error.code === 'CONSULT_ENDED') {
      await forgetUnsent(message.n)
      told.ended(message.body, error.message)
    } else await changeUnsent({ ...message, failed: true, why: error.message })
    return 'done'
  }

  let heldSince: number | undefined
  /** One try with the first words that wait. */
  async function sayNext(): Promise<Came> {
    const all = await waiting()
    const next = all.find(({ file }) => !file)
    const isHeld = isOnline() && next && all.some((one) => one.n < next.n && isSmall(one))
    heldSince = isHeld ? (heldSince ?? performance.now()) : undefined
    if (!next || closed()) return 'nothing'
    if (!isOnline()) return 'later'
    if (heldSince !== undefined && performance.now() - heldSince < WORDS_WAIT_MS) return 'held'
    try {
      told.said(next, await told.sendMessage(next))
      await forgetUnsent(next.n)
      return 'done'
    } catch (error) {
      return after(error, next)
    }
  }

  /** One try with the first file that waits. Without a network those that wait are made small meanwhile. */
  async function attachNext(): Promise<Came> {
    const all = await waiting()
    const files = all.filter(({ file }) => file)
    const [next] = files
    if (!next || closed()) return 'nothing'
    const raw = isOnline() ? files.slice(0, 1) : files
    const toMake = raw.find(({ file }) => file!.raw)
    if (toMake) return makeSmall(toMake)
    if (!isOnline()) return 'later'
    if (!all[0]!.file) return 'held'
    return attach(next)
  }

  async function makeSmall(one: Unsent): Promise<Came> {
    const file = asFile(one)
    const small = (await isReadable(file)) ? await smallPhoto(file) : null
    // The page that comes after makes it anew.
    if (closed()) return 'nothing'
    const wrong = small ? wrongWith(small) : words('FILE_WRONG_TYPE')
    await changeUnsent(wrong ? refused(one, wrong) : smaller(one, small!))
    return 'done'
  }

  async function attach(one: Unsent): Promise<Came> {
    const file = asFile(one)
    if (!(await isReadable(file))) {
      await changeUnsent(refused(one, say('This device can’t read it any more. Please choose it again.')))
      return 'done'
    }
    const abort = new AbortController()
    leaving = { n: one.n, abort }
    let still: ReturnType<typeof setTimeout> | undefined
    const moves = (part: number) => {
      clearTimeout(still)
      still = setTimeout(() => abort.abort(), STANDS_STILL_MS)
      told.leaves({ n: one.n, part })
    }
    moves(0)
    try {
      told.attached(one, await told.attach({ client_id: one.client_id, file }, moves, abort.signal))
      await forgetUnsent(one.n)
      return 'done'
    } catch (error) {
      return await after(error, one)
    } finally {
      clearTimeout(still)
      leaving = undefined
      told.leaves(undefined)
    }
  }

  async function giveUp(isFile: boolean) {
    for (const one of await waiting())
      if (Boolean(one.file) === isFile) await changeUnsent({ ...one, failed: true })
  }

  const laneOf = (what: string, attempt: () => Promise<Came>, isFile: boolean) =>
    openLane({
      attempt: () => alone(`${name}${what}`, attempt),
      isOnline,
      closed,
      tell,
      giveUp: () => giveUp(isFile),
      holdsMs: WORDS_WAIT_MS,
    })
  const lanes = [laneOf('', sayNext, false), laneOf(' files', attachNext, true)]
  const send = () => lanes.forEach((lane) => void lane.send())

  async function add(one: Pick<Unsent, 'body' | 'failed' | 'why' | 'file'>) {
    const at = new Date(now()).toISOString()
    await keepUnsent({ client_id: crypto.randomUUID(), consultation, at, ...one })
    await tell()
    send()
  }

  tabs.addEventListener('message', () => void look().then(() => lanes.forEach((lane) => lane.wake())))
  void look().then(send)

  return {
    add: (body: string) => add({ body, failed: false }),
    async attach(files: File[]) {
      for (const file of files) await add({ body: '', ...chosen(file) })
    },
    async retry(message: Unsent) {
      await changeUnsent({ ...message, failed: false, why: undefined })
      await tell()
      send()
    },
    async remove({ n }: Unsent) {
      await forgetUnsent(n)
      await tell()
    },
    /** The network may be back. */
    send,
    close() {
      end.abort()
      leaving?.abort.abort()
      lanes.forEach((lane) => lane.wake())
      tabs.close()
    },
  }
}
