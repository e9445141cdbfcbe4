import type { Attachment, Mark, Message } from '#contract/chat.ts'
import * as chat from '#contract/chat.ts'
import { ApiError } from '../lib/api.ts'
import { ask, on, onConnection } from '../lib/live.ts'
import type { Unsent } from '../lib/unsent.ts'
import { openOutbox } from './outbox.tsx'
import { markByCall, readMessages, sendMessageByCall, sendFile } from './queries.ts'

/** Without a socket the server is asked so often; where no answer comes, with pauses that grow up to the last. */
const ASKS_EVERY_MS = 4000
const LAST_PAUSE_MS = 10_000
/** A line that is lost may be back in a moment. */
const MOMENT_MS = 1500
const MARKS_EVERY_MS = 400
/** "Is typing" is said again so often, and taken as over without a word for longer than that. */
const TYPING_EVERY_MS = 3000
const TYPING_LASTS_MS = 6000

export type Side = 'owner' | 'vet'

export interface TalkState {
  /** Failed: what was said could not be read, and nothing of it is there. */
  opened: 'opening' | 'open' | 'failed'
  /** Live by the socket, by plain calls, or the server is out of reach. */
  reach: 'opening' | 'live' | 'calls' | 'lost'
  /** How often the room was joined: what changed in it before was not heard. */
  joins: number
  /** By their numbers. */
  messages: Message[]
  /** Words, and files, that the server has not stored yet. */
  unsent: Unsent[]
  files: Unsent[]
  /** The file that leaves just now, with how much of it has left, from 0 to 1. */
  leaving: { n: number; part: number } | undefined
  /** The file that was stored last. */
  arrived: { seq: number; kind: Attachment['kind'] } | undefined
  marks: Mark[]
  older: 'none' | 'there' | 'coming' | 'failed'
  /** The first that was not seen when the conversation was opened. */
  firstUnread: number | undefined
  otherTypes: boolean
  /** Words that were refused because the consult is over. */
  returned: { words: string; why: string } | undefined
}

export const OPENING: TalkState = {
  opened: 'opening',
  reach: 'opening',
  joins: 0,
  messages: [],
  unsent: [],
  files: [],
  leaving: undefined,
  arrived: undefined,
  marks: [],
  older: 'none',
  firstUnread: undefined,
  otherTypes: false,
  returned: undefined,
}

export type Talk = ReturnType<typeof openTalk>

/** One conversation as this page holds it, from whatever way the network lets through. */
export function openTalk({ consultation, me, side }: { consultation: number; me: number; side: Side }) {
  let state = OPENING
  const listeners = new Set<() => void>()
  const set = (change: Partial<TalkState>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  const end = new AbortController()
  const closed = () => end.signal.aborted
  /** The socket stands; this page is in the room; the socket's own token does not open this room. */
  let stands = false
  let joined = false
  let turnedAway = false
  const stops: (() => void)[] = []

  // --- what was said

  /** Up to here everything is known. */
  let synced: number | undefined

  function merge(more: Message[]) {
    const all = new Map(state.messages.map((one) => [one.seq, one]))
    for (const one of more) all.set(one.seq, one)
    if (all.size === state.messages.length) return
    const messages = [...all.values()].toSorted((a, b) => a.seq - b.seq)
    set({
      messages,
      unsent: stillUnsent(state.unsent, messages),
      files: stillUnsent(state.files, messages),
    })
  }

  function stillUnsent(unsent: Unsent[], messages: Message[]) {
    const stored = new Set(messages.map(({ client_id }) => client_id))
    return unsent.some(({ client_id }) => stored.has(client_id))
      ? unsent.filter(({ client_id }) => !stored.has(client_id))
      : unsent
  }

  function mergeMarks(more: Mark[]) {
    const all = new Map(state.marks.map((one) => [one.user_id, one]))
    let grew = false
    for (const one of more) {
      const known = all.get(one.user_id)
      if (known && known.delivered >= one.delivered && known.seen >= one.seen) continue
      grew = true
      all.set(one.user_id, {
        user_id: one.user_id,
        delivered: Math.max(one.delivered, known?.delivered ?? 0),
        seen: Math.max(one.seen, known?.seen ?? 0),
      })
    }
    if (grew) set({ marks: [...all.values()] })
  }

  let syncing = false
  let asked = false
  let pause = ASKS_EVERY_MS
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Reads what is missing. Asked again meanwhile, it reads again afterwards. */
  async function sync() {
    asked = true
    if (syncing) return
    syncing = true
    clearTimeout(timer)
    while (asked && !closed()) {
      asked = false
      await readMissing()
    }
    syncing = false
    if (!joined && !closed()) timer = setTimeout(sync, pause)
  }

  async function readMissing() {
    const byLine = stands && !turnedAway
    try {
      for (;;) {
        const which = { consultation, ...(synced !== undefined && { after: synced }) }
        const page = await (byLine ? ask(chat.joinRoom, which) : readMessages(which))
        if (closed()) return
        const first = synced === undefined
        merge(page.messages)
        mergeMarks(page.marks)
        if (first) {
          const seen = page.marks.find(({ user_id }) => user_id === me)?.seen ?? 0
          const unread = page.messages.find(({ seq, user_id }) => seq > seen && user_id !== me)
          set({ older: page.more ? 'there' : 'none', firstUnread: unread?.seq })
        } else if (page.more) {
          synced = page.messages.at(-1)!.seq
          continue
        }
        // What was heard beyond it may stand behind a gap.
        synced = page.messages.at(-1)?.seq ?? synced ?? 0
        break
      }
      const was = joined
      joined = byLine && stands
      pause = ASKS_EVERY_MS
      set({
        opened: 'open',
        reach: joined ? 'live' : 'calls',
        joins: state.joins + (joined && !was ? 1 : 0),
      })
      outbox.send()
      void sendMarks()
    } catch (error) {
      if (closed()) return
      if (byLine && error instanceof ApiError && error.status > 0 && error.status < 500) {
        // The line's token is another one's: plain calls try the consultation's own.
        turnedAway = true
        asked = true
        return
      }
      pause = Math.min(pause * 1.5, LAST_PAUSE_MS)
      set({ reach: 'lost', opened: state.opened === 'opening' ? 'failed' : state.opened })
    }
  }

  async function older() {
    const first = state.messages[0]?.seq
    if (first === undefined || state.older === 'none' || state.older === 'coming') return
    set({ older: 'coming' })
    try {
      const page = await readMessages({ consultation, before: first })
      if (closed()) return
      merge(page.messages)
      set({ older: page.more ? 'there' : 'none' })
    } catch {
      set({ older: 'failed' })
    }
  }

  // --- what this side says

  const outbox = openOutbox(consultation, {
    // Some browsers say that they are offline while all is well.
    isOnline: () => navigator.onLine || state.reach === 'live' || state.reach === 'calls',
    async sendMessage({ client_id, body }) {
      const message = { consultation, client_id, body }
      if (joined)
        try {
          return await ask(chat.sendMessage, message)
        } catch (error) {
          // Without an answer it goes the other way; the server knows it again by its name.
          if (!(error instanceof ApiError) || error.status > 0) throw error
        }
      return sendMessageByCall(message)
    },
    attach: ({ client_id: id, file }, onProgress, signal) =>
      sendFile(consultation, { id, file }, onProgress, signal),
    changed(unsent) {
      const gone = [...state.unsent, ...state.files].some(({ n }) => !unsent.some((one) => one.n === n))
      const still = stillUnsent(unsent, state.messages)
      set({ unsent: still.filter(({ file }) => !file), files: still.filter(({ file }) => file) })
      // Another tab has sent it: here it is to be read.
      if (gone) void sync()
    },
    leaves(leaving) {
      const percent = (of: typeof leaving) => of && Math.round(of.part * 100)
      const before = state.leaving
      if (before?.n !== leaving?.n || percent(before) !== percent(leaving)) set({ leaving })
    },
    said({ client_id, body }, { seq, at }) {
      merge([{ seq, at, client_id, body, user_id: me, attachment: null }])
      heardUpTo(seq)
    },
    attached({ client_id }, { seq, at, attachment }) {
      merge([{ seq, at, client_id, body: '', user_id: me, attachment }])
      set({ arrived: { seq, kind: attachment.kind } })
      heardUpTo(seq)
    },
    ended: (words, why) => set({ returned: { words, why } }),
  })

  /** Numbers may be left out, so a gap is looked into. */
  function heardUpTo(seq: number) {
    if (synced === undefined) return void (asked = true)
    if (joined && seq === synced + 1) synced = seq
    else if (seq > synced) void sync()
  }

  // --- how far both have come

  let seen = 0
  let told = { delivered: 0, seen: 0 }
  let telling = false

  async function sendMarks() {
    if (telling || closed() || state.opened !== 'open') return
    const delivered = state.messages.findLast(({ user_id }) => user_id !== me)?.seq ?? 0
    const mark = { delivered, seen: Math.min(seen, delivered) }
    const known = state.marks.find(({ user_id }) => user_id === me)
    const far = (name: 'delivered' | 'seen') => Math.max(told[name], known?.[name] ?? 0)
    if (mark.delivered <= far('delivered') && mark.seen <= far('seen')) return
    telling = true
    await new Promise((resolve) => setTimeout(resolve, MARKS_EVERY_MS))
    try {
      if (joined) await ask(chat.mark, { consultation, ...mark })
      else await markByCall({ consultation, ...mark })
      told = mark
      mergeMarks([{ user_id: me, ...mark }])
    } catch {
      // Told again with the next one that is heard.
    }
    telling = false
    if (told === mark) void sendMarks()
  }

  // --- typing

  let writing = false
  let saidAt = 0
  let stopsWriting: ReturnType<typeof setTimeout> | undefined
  let otherStops: ReturnType<typeof setTimeout> | undefined

  const sayTyping = (on: boolean) => {
    writing = on
    saidAt = performance.now()
    if (joined) void ask(chat.typing, { consultation, writing: on }).catch(() => {})
  }

  function types(on: boolean) {
    clearTimeout(stopsWriting)
    if (on) stopsWriting = setTimeout(() => types(false), TYPING_LASTS_MS)
    if (on !== writing || (on && performance.now() - saidAt > TYPING_EVERY_MS)) sayTyping(on)
  }

  function otherTypes(on: boolean) {
    clearTimeout(otherStops)
    if (on) otherStops = setTimeout(() => set({ otherTypes: false }), TYPING_LASTS_MS)
    if (on !== state.otherTypes) set({ otherTypes: on })
  }

  // --- the ways

  stops.push(
    onConnection((up) => {
      stands = up
      joined = false
      if (up) void sync()
      else if (!syncing) {
        clearTimeout(timer)
        timer = setTimeout(sync, MOMENT_MS)
      }
    }),
    on(chat.messageSaid, ({ consultation: which, message }) => {
      if (which !== consultation) return
      if (message.user_id !== me) otherTypes(false)
      merge([message])
      heardUpTo(message.seq)
      void sendMarks()
    }),
    on(chat.marksMoved, ({ consultation: which, mark }) => {
      if (which === consultation) mergeMarks([mark])
    }),
    on(chat.someoneTypes, ({ consultation: which, side: whose, writing: on }) => {
      if (which === consultation && whose !== side) otherTypes(on)
    }),
  )

  const hear = (target: EventTarget, what: string, then: () => void) => {
    target.addEventListener(what, then)
    stops.push(() => target.removeEventListener(what, then))
  }
  hear(window, 'online', () => (outbox.send(), void sync()))
  hear(window, 'offline', () => set({ reach: 'lost' }))
  hear(document, 'visibilitychange', () => {
    if (document.visibilityState === 'visible' && !joined) void sync()
  })

  void sync()

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    state: () => state,
    older: () => void older(),
    /** Once more, without waiting. */
    again: () => void sync(),
    sendMessage(body: string) {
      types(false)
      return outbox.add(body)
    },
    attach: (files: File[]) => void outbox.attach(files),
    retry: outbox.retry,
    remove: outbox.remove,
    types,
    /** The reader has seen everything up to here. */
    sees(seq: number) {
      if (seq <= seen) return
      seen = seq
      void sendMarks()
    },
    close() {
      end.abort()
      clearTimeout(timer)
      clearTimeout(stopsWriting)
      clearTimeout(otherStops)
      if (writing) sayTyping(false)
      if (joined) void ask(chat.leaveRoom, { consultation }).catch(() => {})
      stops.forEach((stop) => stop())
      outbox.close()
    },
  }
}
