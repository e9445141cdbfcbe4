import { useEffect } from 'react'
import type { User } from '#contract/accounts.ts'
import type { Mark, Message } from '#contract/chat.ts'
import type { Room } from '#contract/consultations.ts'
import { KEPT } from '../lib/device-names.ts'
import { keepShell } from '../lib/room-shell.ts'
import { now, sessionIds, settled, singleTokens } from '../lib/session.ts'

/* What this device knows of a conversation, so that its owner can read it offline (decision 043). */

const LATEST = 50
const KEPT_MS = 7 * 24 * 3_600_000
/** After a change, so that many in a row are written once. */
const WRITES_AFTER_MS = 1000

export interface Kept {
  /** The consultation. */
  id: number
  /** The session that read it; no other may. */
  session: string
  at: number
  room: Room
  /** A guest has none. */
  user: User | undefined
  /** The latest. */
  messages: Message[]
  marks: Mark[]
  /** There are older ones. */
  more: boolean
}

function withStore<T>(act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open(KEPT.database, 1)
  return new Promise((resolve, reject) => {
    opening.addEventListener('upgradeneeded', () =>
      opening.result.createObjectStore(KEPT.store, { keyPath: 'id' }),
    )
    opening.addEventListener('error', () => reject(opening.error ?? new Error('IndexedDB')))
    opening.addEventListener('success', () => {
      const transaction = opening.result.transaction(KEPT.store, 'readwrite')
      const request = act(transaction.objectStore(KEPT.store))
      transaction.addEventListener('complete', () => resolve(request.result))
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('IndexedDB')))
      // It closes after the transaction, and then deleting the database isn't held up.
      opening.result.close()
    })
  })
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

/** What was read at the start of a page that came from this device. */
export const keptOf = (id: number) => (opened?.id === id ? opened : undefined)

/** Reads what is kept of a conversation, and deletes what is old or another session's. */
export async function openKept(id: number): Promise<void> {
  // A session without Remember me may have ended with the browser.
  await settled()
  try {
    const all = await withStore<Kept[]>((store) => store.getAll())
    const mine = sessionIds()
    const isMine = ({ at, session }: Kept) => at > now() - KEPT_MS && mine.includes(session)
    for (const one of all) if (!isMine(one)) await withStore((store) => store.delete(one.id))
    opened = all.find((one) => one.id === id && isMine(one))
  } catch {
    opened = undefined
  }
}

/** The server says that it is not, or no longer, for this reader. */
export const dropKept = (id: number) => void withStore((store) => store.delete(id)).catch(() => {})

/** Keeps the room's latest messages on this device while they are read. */
export function useKept(room: Room, user: User | undefined, chat: Chat) {
  const { messages, marks, older, opened: state, reach } = chat
  const isRead = state === 'open' && (reach === 'live' || reach === 'calls')
  useEffect(() => {
    if (!isRead || !import.meta.env.PROD) return
    const [session] = sessionIds(user ? undefined : singleTokens())
    const latest = messages.slice(-LATEST)
    const more = older !== 'none' || latest.length < messages.length
    const timer = setTimeout(() => {
      // A person who signed out in the meantime leaves nothing behind.
      if (session === undefined || !sessionIds().includes(session)) return
      const kept = { id: room.id, session, at: now(), room, user, messages: latest, marks, more }
      void withStore((store) => store.put(kept)).catch(() => {})
      void keepShell().catch(() => {})
    }, WRITES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isRead, room, user, messages, marks, older])
}
