import { useEffect, useState } from 'react'
import type { User } from '#contract/accounts.ts'
import type { Mark, Message } from '#contract/chat.ts'
import type { Room } from '#contract/consultations.ts'
import { DAY } from '#contract/time.ts'
import { KEPT, withStore } from '../lib/device.ts'
import { keepShell } from '../lib/room-shell.ts'
import { now, sessionIds, settled, singleTokens } from '../lib/session.ts'

/* What this device stores of a conversation, so that its owner can read it offline (decision 043). */

const LATEST = 50
const KEPT_MS = 7 * DAY
/** The pause after a change, so that several in a row are written once. */
const WRITES_AFTER_MS = 1000

export interface Kept {
  /** The consultation. */
  id: number
  /** Only the session that read it may show it. */
  session: string
  at: number
  room: Room
  /** Undefined for a guest. */
  user: User | undefined
  /** Only the latest. */
  messages: Message[]
  marks: Mark[]
  /** Whether there are older messages. */
  more: boolean
}

const PLACE = {
  ...KEPT,
  create: ({ result }: IDBOpenDBRequest) => result.createObjectStore(KEPT.store, { keyPath: 'id' }),
}

/** What a room shows of its conversation. */
interface Chat {
  messages: Message[]
  marks: Mark[]
  older: string
  opened: string
  reach: string
}

let opened: Kept | undefined

/** The stored conversation, if this page was opened from this device. */
export const keptOf = (id: number) => (opened?.id === id ? opened : undefined)

/** Reads a stored conversation, and deletes those that are old or belong to another session. */
export async function openKept(id: number): Promise<void> {
  // A session without Remember me may have ended with the browser.
  await settled()
  try {
    const all = await withStore<Kept[]>(PLACE, (store) => store.getAll())
    const mine = sessionIds()
    const isMine = ({ at, session }: Kept) => at > now() - KEPT_MS && mine.includes(session)
    for (const one of all) if (!isMine(one)) await withStore(PLACE, (store) => store.delete(one.id))
    opened = all.find((one) => one.id === id && isMine(one))
  } catch {
    opened = undefined
  }
}

/** For when the server says that this reader can't read it, or can't any more. */
export const dropKept = (id: number) => void withStore(PLACE, (store) => store.delete(id)).catch(() => {})

/** Stores the room's latest messages on this device while they are read. */
export function useKept(room: Room, user: User | undefined, chat: Chat) {
  const { messages, marks, older, opened: state, reach } = chat
  // Once it was read, what arrived just before a lost connection is stored too.
  const [isRead, setRead] = useState(false)
  if (!isRead && state === 'open' && (reach === 'live' || reach === 'calls')) setRead(true)
  useEffect(() => {
    if (!isRead || !import.meta.env.PROD) return
    const [session] = sessionIds(user ? undefined : singleTokens())
    const latest = messages.slice(-LATEST)
    const more = older !== 'none' || latest.length < messages.length
    const timer = setTimeout(() => {
      // Nothing is stored for a person who signed out meanwhile.
      if (session === undefined || !sessionIds().includes(session)) return
      const kept = { id: room.id, session, at: now(), room, user, messages: latest, marks, more }
      void withStore(PLACE, (store) => store.put(kept)).catch(() => {})
      void keepShell().catch(() => {})
    }, WRITES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isRead, room, user, messages, marks, older])
}
