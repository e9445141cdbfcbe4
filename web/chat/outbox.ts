import type { Message } from '#contract/chat.ts'
import * as chat from '#contract/chat.ts'
import { MINUTE } from '#contract/time.ts'
import { ApiError, isSilence } from '../lib/api.ts'
import { ask } from '../lib/live.ts'
import { OUTBOX, withStore } from '../lib/device.ts'
import { userId } from '../lib/last-shown.ts'
import { now, settled, signedIn } from '../lib/session.ts'
import { say } from '../ui/say.ts'
import { returnToDraft } from './draft.ts'
import { chosen, isSmall, type OutboxFile, readFile, rejected, shrunk } from './outbox-files.ts'
import { showOwn } from './own-pictures.ts'
import { readFilePart, sendFile, sendMessageByCall } from './queries.ts'

/** A message or a file that was sent here and that the server hasn't stored yet. */
export interface OutboxItem {
  /** Grows in the order in which things were sent. */
  n: number
  client_id: string
  consultation: number
  /** Who sent it. Undefined for a guest, and for somebody whom no page has shown yet. */
  by?: number | undefined
  /** Empty for a file. */
  body: string
  at: string
  /** We gave up on it: it waits until the person retries or removes it. */
  failed: boolean
  /** Why the server refused it. */
  why?: string | undefined
  file?: OutboxFile
  /** Much of the file had been sent when its connection broke, and the person hasn't agreed to send all of it again. */
  costly?: boolean | undefined
  /** The browser didn't store it, so it is lost when the page closes. */
  pageOnly?: true
}

// --- where items are stored: in IndexedDB, for reloads and days offline; otherwise, or if there's no room, in the page's memory

/** Items that only the page has get numbers between IndexedDB's whole numbers. */
const BETWEEN = 1e-6

let pageOnly: OutboxItem[] = []

const PLACE = {
  ...OUTBOX,
  create: ({ result }: IDBOpenDBRequest) =>
    result
      .createObjectStore(OUTBOX.store, { keyPath: 'n', autoIncrement: true })
      .createIndex(OUTBOX.index, OUTBOX.index),
}

const read = (all: (store: IDBObjectStore) => IDBRequest<OutboxItem[]>) =>
  withStore(PLACE, all).catch((): OutboxItem[] => [])

/** Whether the browser stored it. */
const write = (act: (store: IDBObjectStore) => void) =>
  withStore(PLACE, (store) => void act(store)).then(
    () => true,
    () => false,
  )

function inOrder(stored: OutboxItem[], here: OutboxItem[]) {
  const standsHere = new Set(here.map(({ n }) => n))
  return [...stored.filter(({ n }) => !standsHere.has(n)), ...here].toSorted((a, b) => a.n - b.n)
}

const itemsOf = async (consultation: number) =>
  inOrder(
    await read((store) => store.index(OUTBOX.index).getAll(consultation)),
    pageOnly.filter((one) => one.consultation === consultation),
  )

/** Everything waiting on this device, oldest first. */
const wholeOutbox = async () => inOrder(await read((store) => store.getAll()), pageOnly)

/** What this person sent. Others, and guests, may have left something on a shared device. */
export async function ownOutbox() {
  await settled()
  const own = userId()
  // A person whom no page has shown yet can't be told from a guest.
  return own === undefined && signedIn() ? [] : (await wholeOutbox()).filter(({ by }) => by === own)
}

export const emptyOwnOutbox = async () => removeItems(await ownOutbox())

async function addItem(sent: Omit<OutboxItem, 'n' | 'by' | 'pageOnly'>) {
  await settled()
  const item = { ...sent, by: userId() }
  if (await write((store) => store.add(item))) return
  const last = (await wholeOutbox()).at(-1)?.n ?? 0
  pageOnly.push({ ...item, n: last + BETWEEN, pageOnly: true })
}

/** Photos that were chosen before the consult began wait here until its room sends them. */
export async function leavePhotos(consultation: number, photos: { id: string; file: File }[]) {
  const at = new Date(now()).toISOString()
  for (const { id, file } of photos)
    await addItem({ client_id: id, consultation, at, body: '', ...chosen(file) })
}

/** An item that was removed in the meantime stays removed. */
async function changeItem({ pageOnly: wasHere, ...item }: OutboxItem) {
  const { n } = item
  const isGone = () => wasHere && !pageOnly.some((one) => one.n === n)
  if (isGone()) return
  const isStored = await write((store) => {
    const known = store.get(n)
    known.addEventListener('success', () => {
      try {
        if (wasHere || known.result) store.put(item)
      } catch {
        store.transaction.abort()
      }
    })
  })
  if (isGone()) return
  const others = pageOnly.filter((one) => one.n !== n)
  pageOnly = isStored ? others : [...others, { ...item, pageOnly: true }]
}

async function removeItems(items: Pick<OutboxItem, 'n'>[]) {
  const gone = new Set(items.map(({ n }) => n))
  pageOnly = pageOnly.filter(({ n }) => !gone.has(n))
  await write((store) => gone.forEach((n) => store.delete(n)))
}

// --- how they are sent: text and files in parallel, each in its own order

/** How long text waits for photos chosen before it. It never waits for larger files. */
const TEXT_WAITS_MS = 10_000
/** An upload without progress for this long is started again. */
const STALLED_MS = MINUTE
/** If more than this was sent in vain, we ask before it costs data again. Of larger files, the server may have kept a part. */
const SPARE_BYTES = 1_000_000
/** How long an item is retried while there is a network, with growing pauses. */
const TRIES_FOR_MS = MINUTE
const FIRST_PAUSE_MS = 1000
const LAST_PAUSE_MS = 15_000

/** The result of a try. Held: something else has to be sent first. */
type Outcome = 'nothing' | 'done' | 'later' | 'held'

type OutboxState = typeof EMPTY_OUTBOX
export const EMPTY_OUTBOX = {
  /** Oldest first. */
  outbox: [] as OutboxItem[],
  upload: undefined as { n: number; percent: number } | undefined,
  /** Why the last message went back to the draft: the consult had ended. */
  refusal: undefined as string | undefined,
}

interface Options {
  consultation: number
  isOnline: () => boolean
  changed: (change: Partial<OutboxState>) => void
  stored: (message: Omit<Message, 'user_id'>) => void
}

/** These errors pass only hours later, so the person decides when to try again. */
const passesLater = ({ code }: ApiError) => code === 'FILES_FULL_TODAY' || code === 'UPLOADS_FULL'
const mayPass = ({ status, code }: ApiError) =>
  [0, 408, 429].includes(status) || status >= 500 || code === 'FILE_PART_GONE'
const isSignedOut = ({ status, code }: ApiError) => status === 401 || code === 'UNAUTHORIZED'

/** One tab sends at a time. Without locks two may, and the server recognises a repeated item by its client_id. */
const alone = <T>(name: string, act: () => Promise<T>) =>
  'locks' in navigator ? navigator.locks.request(name, act) : act()

export function openOutbox({ consultation, isOnline, changed, stored }: Options) {
  const name = `vetchat unsent ${consultation}`
  let tabs: BroadcastChannel | undefined
  let uploading: { n: number; abort: AbortController } | undefined
  const isClosed = () => tabs === undefined

  async function look() {
    const outbox = await itemsOf(consultation)
    if (uploading && outbox.every(({ n }) => n !== uploading?.n)) uploading.abort.abort()
    if (!isClosed()) changed({ outbox })
  }
  async function update() {
    tabs?.postMessage('changed')
    await look()
    run()
  }
  const waiting = async () => (await itemsOf(consultation)).filter(({ failed }) => !failed)

  /** The server's last answer to a try that may be repeated. */
  let why: string | undefined
  async function afterError(error: unknown, item: OutboxItem): Promise<Outcome> {
    if (isClosed()) return 'nothing'
    if (!(error instanceof ApiError)) return 'later'
    if (passesLater(error)) {
      await changeItem({ ...item, failed: true, why: error.message })
      return 'done'
    }
    if (mayPass(error)) {
      why = error.code === undefined ? undefined : error.message
      return 'later'
    }
    if (isSignedOut(error)) return 'nothing'
    if (item.file) await changeItem({ ...item, ...rejected(item.file, error.message) })
    else if (error.code === 'CONSULT_ENDED') {
      await removeItems([item])
      returnToDraft(consultation, item.body)
      changed({ refusal: error.message })
    } else await changeItem({ ...item, failed: true, why: error.message })
    return 'done'
  }

  let heldSince: number | undefined
  async function tryText(): Promise<Outcome> {
    const items = await waiting()
    const next = items.find(({ file }) => !file)
    const isHeld = isOnline() && next && items.some(({ n, file }) => n < next.n && file && isSmall(file))
    heldSince = isHeld ? (heldSince ?? performance.now()) : undefined
    if (!next || isClosed()) return 'nothing'
    if (!isOnline()) return 'later'
    if (heldSince !== undefined && performance.now() - heldSince < TEXT_WAITS_MS) return 'held'
    const { client_id, body } = next
    try {
      stored({ ...(await sendText({ consultation, client_id, body })), client_id, body, attachment: null })
      await removeItems([next])
      return 'done'
    } catch (error) {
      return afterError(error, next)
    }
  }

  async function tryFile(): Promise<Outcome> {
    const items = await waiting()
    const files = items.filter(({ file }) => file)
    const [next] = files
    if (!next || isClosed()) return 'nothing'
    // While offline, there is time to shrink all of them.
    const toShrink = (isOnline() ? [next] : files).find(({ file }) => file!.raw)
    if (toShrink) {
      const change = await shrunk(toShrink.file!)
      if (isClosed()) return 'nothing'
      await changeItem({ ...toShrink, ...change })
      return 'done'
    }
    if (!isOnline()) return 'later'
    if (!items[0]!.file) return 'held'
    const file = await readFile(next.file!)
    if (file) return upload(next, file)
    const why = say('This device can’t read it any more. Please choose it again.')
    await changeItem({ ...next, ...rejected(next.file!, why) })
    return 'done'
  }

  async function upload(item: OutboxItem, file: File): Promise<Outcome> {
    const { n, client_id } = item
    const abort = new AbortController()
    uploading = { n, abort }
    let stalled: ReturnType<typeof setTimeout> | undefined
    let told: number | undefined
    let from = 0
    let sent = 0
    const progress = (part: number) => {
      clearTimeout(stalled)
      stalled = setTimeout(() => abort.abort(), STALLED_MS)
      sent = part * (file.size - from)
      const percent = Math.round(((from + sent) / file.size) * 100)
      if (percent !== told) changed({ upload: { n, percent } })
      told = percent
    }
    const own = { consultation, client_id }
    showOwn(client_id, file)
    try {
      if (file.size > SPARE_BYTES) from = (await readFilePart(own)).bytes
      // The server may not know yet that the connection broke.
      if (from === 0 && item.costly) return 'later'
      progress(0)
      stored({ ...(await sendFile({ ...own, file, from }, progress, abort.signal)), client_id, body: '' })
      await removeItems([item])
      return 'done'
    } catch (error) {
      const hasBroken = !(error instanceof ApiError) || isSilence(error)
      if (!hasBroken || sent < SPARE_BYTES) return await afterError(error, item)
      const costly = { ...item, costly: true }
      await changeItem(costly)
      await look()
      return await afterError(error, costly)
    } finally {
      clearTimeout(stalled)
      uploading = undefined
      changed({ upload: undefined })
    }
  }

  async function giveUp(isFile: boolean) {
    for (const item of await waiting()) {
      if (Boolean(item.file) !== isFile) continue
      const costs = say(
        'The connection dropped halfway. Trying again uses the data for the whole file again, so you may want to wait for Wi-Fi.',
      )
      await changeItem({ ...item, failed: true, why: item.costly ? costs : why })
    }
    await update()
  }
  const lane = { isClosed, isOnline, update }
  const lanes = [
    openLane({ ...lane, attempt: () => alone(name, tryText), giveUp: () => giveUp(false) }),
    openLane({ ...lane, attempt: () => alone(`${name} files`, tryFile), giveUp: () => giveUp(true) }),
  ]
  const run = () => lanes.forEach((one) => void one.run())
  const wake = () => lanes.forEach((one) => one.wake())

  const fromHere = new Set<string>()
  async function add(item: Pick<OutboxItem, 'body' | 'failed' | 'why' | 'file'>) {
    const at = new Date(now()).toISOString()
    const client_id = crypto.randomUUID()
    fromHere.add(client_id)
    await addItem({ client_id, consultation, at, ...item })
    await update()
  }

  return {
    /** Whether this page sent it, and not another device, or an earlier page that left it here. */
    isFromHere: (clientId: string) => fromHere.has(clientId),
    send: (body: string) => void add({ body, failed: false }),
    async attach(files: File[]) {
      for (const file of files) await add({ body: '', ...chosen(file) })
    },
    /** A photo that a vet asked for, as sharp as the camera took it. */
    attachWhole: (photo: File) => add({ body: '', ...chosen(photo, false) }),
    async retry(item: OutboxItem) {
      await changeItem({ ...item, failed: false, why: undefined, costly: undefined })
      await update()
    },
    async remove(item: OutboxItem) {
      await removeItems([item])
      await update()
    },
    open() {
      tabs = new BroadcastChannel(name)
      tabs.addEventListener('message', () => void look().then(wake))
      void look().then(run)
    },
    /** Retries without waiting for the end of a pause: the network may be back. */
    run,
    close() {
      tabs?.close()
      tabs = undefined
      uploading?.abort.abort()
      wake()
    },
  }
}

/** By the socket if it is up, or else by a plain call. */
async function sendText(message: { consultation: number; client_id: string; body: string }) {
  try {
    return await ask(chat.sendMessage, message)
  } catch (error) {
    // Status 0 means no answer. A socket gets these two codes if its token doesn't open this room.
    const isRefused = error instanceof ApiError && error.status > 0
    if (isRefused && error.code !== 'NOT_FOUND' && error.code !== 'UNAUTHORIZED') throw error
    return sendMessageByCall(message)
  }
}

interface Lane {
  attempt: () => Promise<Outcome>
  update: () => Promise<void>
  giveUp: () => Promise<void>
  isOnline: () => boolean
  isClosed: () => boolean
}

/** Sends one item after the other, until none waits. */
function openLane({ attempt, update, giveUp, isOnline, isClosed }: Lane) {
  let isRunning = false
  let again = false
  let endPause = () => {}

  const pauseFor = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      endPause = () => (clearTimeout(timer), resolve())
    })
  function wake() {
    again = true
    endPause()
  }
  async function run() {
    wake()
    if (isRunning) return
    isRunning = true
    let since: number | undefined
    let pause = FIRST_PAUSE_MS
    try {
      while (!isClosed()) {
        again = false
        const outcome = await attempt()
        if (outcome === 'nothing') {
          if (!again) break
        } else if (outcome === 'done') {
          since = undefined
          pause = FIRST_PAUSE_MS
          await update()
        } else if (outcome === 'held') {
          if (!again) await pauseFor(TEXT_WAITS_MS)
        } else if (!isOnline()) {
          // Being offline isn't a failure: it waits as long as that lasts.
          since = undefined
          await pauseFor(LAST_PAUSE_MS)
        } else {
          since ??= performance.now()
          if (performance.now() - since < TRIES_FOR_MS) await pauseFor(pause)
          else await giveUp()
          pause = Math.min(pause * 2, LAST_PAUSE_MS)
        }
      }
    } finally {
      isRunning = false
    }
  }
  return { run, wake }
}
