import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { Attachment, Mark, Message } from '#contract/chat.ts'
import * as chat from '#contract/chat.ts'
import { consultationChanged } from '#contract/consultations.ts'
import { ApiError } from '../lib/api.ts'
import { listen, subscribers, together } from '../ui/listen.ts'
import { ask, on, onConnection } from '../lib/live.ts'
import { type Kept, keptOf } from './kept.ts'
import { furthestMarks } from './marks.ts'
import { EMPTY_OUTBOX, openOutbox, type OutboxItem } from './outbox.ts'
import { readLatest, readMessages, sendMarksByCall } from './queries.ts'
import { openTyping } from './typing.ts'

/** How often we ask the server without a socket. While it doesn't answer, we ask less often. */
const ASKS_EVERY_MS = 4000
const LAST_PAUSE_MS = 10_000
/** A lost connection may be back in a moment. */
const MOMENT_MS = 1500
const MARKS_EVERY_MS = 400

export type Side = 'owner' | 'vet'

export type ConversationState = typeof OPENING
export const OPENING = {
  /** Failed: the messages couldn't be read, and none are on this device. */
  opened: 'opening' as 'opening' | 'open' | 'failed',
  /** Live over the socket, by plain calls, or out of reach. */
  reach: 'opening' as 'opening' | 'live' | 'calls' | 'lost',
  /** How often the page joined the room. Changes before the last time may have been missed. */
  joins: 0,
  /** Sorted by their numbers. */
  messages: [] as Message[],
  ...EMPTY_OUTBOX,
  /** The file that was stored last. */
  arrived: undefined as { seq: number; kind: Attachment['kind'] } | undefined,
  marks: [] as Mark[],
  /** The reader has seen everything up to here, whether the server knows it yet or not. */
  seen: 0,
  older: 'none' as 'none' | 'there' | 'coming' | 'failed',
  /** The first message that was unread when the conversation was opened. */
  firstUnread: undefined as number | undefined,
  otherTypes: false,
}

/** `me` is the reader, whose side is `side`. */
interface Reader {
  consultation: number
  me: number
  side: Side
}

export type ConversationStore = ReturnType<typeof conversationStore>

/** A conversation's store, open for as long as the component is there. */
export function useConversation(consultation: number, { me, side }: Omit<Reader, 'consultation'>) {
  const store = useMemo(() => conversationStore({ consultation, me, side }), [consultation, me, side])
  useEffect(() => store.open(), [store])
  return store
}

const opening = () => OPENING
export const useConversationState = ({ subscribe, state }: ConversationStore) =>
  useSyncExternalStore(subscribe, state, opening)

/** One value of the conversation, for a component that shows nothing else. */
export const useConversationPart = <T extends string | boolean | undefined>(
  { subscribe, state }: ConversationStore,
  part: (state: ConversationState) => T,
) =>
  useSyncExternalStore(
    subscribe,
    () => part(state()),
    () => part(OPENING),
  )

/** One conversation as this page knows it, over whatever the network allows. */
function conversationStore({ consultation, me, side }: Reader) {
  const kept = keptOf(consultation)
  let state = kept ? asKept(kept, me) : OPENING
  let isOpen = false
  const { subscribe, tell } = subscribers()
  const set = (change: Partial<ConversationState>) => {
    state = { ...state, ...change }
    tell()
  }

  /** Whether the socket is up, whether it is in the room, and whether its token can't open this room. */
  let isUp = false
  let joined = false
  let turnedAway = false

  // --- messages

  /** Every message up to this number is known. */
  let synced = kept?.messages.at(-1)?.seq

  function merge(more: Message[]) {
    const all = new Map(state.messages.map((one) => [one.seq, one]))
    for (const one of more) all.set(one.seq, one)
    if (all.size === state.messages.length) return
    const messages = [...all.values()].toSorted((a, b) => a.seq - b.seq)
    const before = state.outbox
    set({ messages, outbox: withoutStored(before, messages) })
    dropArrived(before)
  }

  /** A file that isn't sent again without asking may have arrived, if only the answer was lost. */
  function dropArrived(items: OutboxItem[]) {
    const left = withoutStored(items, state.messages)
    for (const one of items) if ((one.failed || one.costly) && !left.includes(one)) void outbox.remove(one)
  }

  function mergeMarks(more: Mark[]) {
    const marks = furthestMarks(state.marks, more)
    if (marks === state.marks) return
    const seen = marks.find(({ user_id }) => user_id === me)?.seen ?? 0
    set({ marks, seen: Math.max(state.seen, seen) })
  }

  let syncing = false
  let asked = false
  let pause = ASKS_EVERY_MS
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Reads the missing messages. If it is called again meanwhile, it reads once more afterwards. */
  async function sync() {
    asked = true
    if (syncing) return
    syncing = true
    clearTimeout(timer)
    while (asked) {
      asked = false
      await readMissing()
    }
    syncing = false
    if (!joined && isOpen) timer = setTimeout(sync, pause)
  }

  async function readMissing() {
    if (!isOpen) return
    const bySocket = isUp && !turnedAway
    try {
      for (;;) {
        const which = { consultation, after: synced }
        const byCall = () => (synced === undefined ? readLatest(consultation) : readMessages(which))
        const page = await (bySocket ? ask(chat.joinRoom, which) : byCall())
        if (!isOpen) return
        const first = synced === undefined
        merge(page.messages)
        mergeMarks(page.marks)
        if (first) {
          const unread = page.messages.find(({ seq, user_id }) => seq > state.seen && user_id !== me)
          set({ older: page.more ? 'there' : 'none', firstUnread: unread?.seq })
        } else if (page.more) {
          synced = page.messages.at(-1)!.seq
          continue
        }
        // Messages that were pushed meanwhile may have a gap before them.
        synced = page.messages.at(-1)?.seq ?? synced ?? 0
        break
      }
      const was = joined
      joined = bySocket && isUp
      pause = ASKS_EVERY_MS
      set({
        opened: 'open',
        reach: joined ? 'live' : 'calls',
        joins: state.joins + (joined && !was ? 1 : 0),
      })
      outbox.run()
      void sendMarks()
    } catch (error) {
      if (!isOpen) return
      const isRefused = error instanceof ApiError && error.status > 0 && error.status < 500
      // Plain calls try the consultation's own token instead.
      if (bySocket && isRefused) {
        turnedAway = true
        joined = false
      }
      if (bySocket && (turnedAway || !isUp)) {
        asked = true
        return
      }
      pause = Math.min(pause * 1.5, LAST_PAUSE_MS)
      set({
        ...(!isRefused && { reach: 'lost' }),
        opened: state.opened === 'opening' ? 'failed' : state.opened,
      })
    }
  }

  async function loadOlder() {
    const first = state.messages[0]?.seq
    if (first === undefined || state.older === 'none' || state.older === 'coming') return
    set({ older: 'coming' })
    try {
      const page = await readMessages({ consultation, before: first })
      if (!isOpen) return
      merge(page.messages)
      set({ older: page.more ? 'there' : 'none' })
    } catch {
      set({ older: 'failed' })
    }
  }

  /** Numbers may be skipped, so a gap is checked. */
  function heardUpTo(seq: number) {
    if (synced === undefined) return void (asked = true)
    if (joined && seq === synced + 1) synced = seq
    else if (seq > synced) void sync()
  }

  const outbox = openOutbox({
    consultation,
    // Some browsers say that they're offline although they aren't.
    isOnline: () => navigator.onLine || state.reach === 'live' || state.reach === 'calls',
    changed({ outbox: items, ...change }) {
      if (!items) return set(change)
      dropArrived(items)
      // An outbox that stays empty needs no new render.
      if (items.length === 0 && state.outbox.length === 0) return
      const isGone = state.outbox.some(({ n }) => items.every((one) => one.n !== n))
      set({ outbox: withoutStored(items, state.messages) })
      // Another tab has sent it, so it is read from the server.
      if (isGone) void sync()
    },
    stored(message) {
      const { seq, attachment } = message
      merge([{ ...message, user_id: me }])
      if (attachment) set({ arrived: { seq, kind: attachment.kind } })
      heardUpTo(seq)
    },
  })

  // --- how far this side has received and read

  let told = { delivered: 0, seen: 0 }
  let telling = false

  async function sendMarks() {
    if (telling || !isOpen || state.opened !== 'open') return
    const delivered = state.messages.findLast(({ user_id }) => user_id !== me)?.seq ?? 0
    const mark = { delivered, seen: Math.min(state.seen, delivered) }
    const known = state.marks.find(({ user_id }) => user_id === me)
    const far = (name: 'delivered' | 'seen') => Math.max(told[name], known?.[name] ?? 0)
    if (mark.delivered <= far('delivered') && mark.seen <= far('seen')) return
    telling = true
    await new Promise((resolve) => setTimeout(resolve, MARKS_EVERY_MS))
    try {
      if (joined) await ask(chat.sendMarks, { consultation, ...mark })
      else await sendMarksByCall({ consultation, ...mark })
      told = mark
      mergeMarks([{ user_id: me, ...mark }])
    } catch {
      // Sent again with the next message.
    }
    telling = false
    if (told === mark) void sendMarks()
  }

  // --- typing

  const typing = openTyping({
    tell(writing) {
      if (joined) void ask(chat.tellTyping, { consultation, writing }).catch(() => {})
    },
    show(otherTypes) {
      if (otherTypes !== state.otherTypes) set({ otherTypes })
    },
  })

  // --- open and closed

  function open() {
    isOpen = true
    const stop = together(
      listen(window, 'online', () => (outbox.run(), void sync())),
      listen(window, 'offline', () => set({ reach: 'lost' })),
      listen(document, 'visibilitychange', () => {
        if (document.visibilityState === 'visible' && !joined) void sync()
      }),
      onConnection((up) => {
        isUp = up
        joined = false
        if (up) void sync()
        else if (!syncing) {
          clearTimeout(timer)
          timer = setTimeout(sync, MOMENT_MS)
        }
      }),
      on(chat.messageSaid, ({ consultation: which, message }) => {
        if (which !== consultation) return
        if (message.user_id !== me) typing.setOtherTypes(false)
        merge([message])
        heardUpTo(message.seq)
        void sendMarks()
      }),
      on(chat.marksMoved, ({ consultation: which, mark }) => {
        if (which === consultation) mergeMarks([mark])
      }),
      on(chat.someoneTypes, ({ consultation: which, side: whose, writing }) => {
        if (which === consultation && whose !== side) typing.setOtherTypes(writing)
      }),
      // A case that isn't a vet's to read any more leaves them out of its room, until its owner asks every vet.
      on(consultationChanged, ({ consultation: which }) => {
        if (side !== 'vet' || which !== consultation) return
        turnedAway = false
        void sync()
      }),
    )
    outbox.open()
    void sync()

    return function close() {
      isOpen = false
      clearTimeout(timer)
      typing.close()
      if (joined) void ask(chat.leaveRoom, { consultation }).catch(() => {})
      isUp = joined = false
      stop()
      outbox.close()
    }
  }

  return {
    consultation,
    me,
    side,
    outbox,
    open,
    state: () => state,
    subscribe,
    loadOlder: () => void loadOlder(),
    retry: () => void sync(),
    setTyping: typing.setTyping,
    markSeen(seq: number) {
      if (seq <= state.seen) return
      set({ seen: seq })
      void sendMarks()
    },
  }
}

/** What this device has stored, shown until the server answers. */
const asKept = ({ messages, marks, more }: Kept, me: number): ConversationState => ({
  ...OPENING,
  opened: 'open',
  reach: 'lost',
  messages,
  marks,
  seen: marks.find(({ user_id }) => user_id === me)?.seen ?? 0,
  older: more ? 'there' : 'none',
})

function withoutStored(items: OutboxItem[], messages: Message[]) {
  const stored = new Set(messages.map(({ client_id }) => client_id))
  return items.some(({ client_id }) => stored.has(client_id))
    ? items.filter(({ client_id }) => !stored.has(client_id))
    : items
}
