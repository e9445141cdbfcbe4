/** The outbox's names in IndexedDB. Pages fill it, and the service worker counts what is waiting in it. */
export const OUTBOX = { database: 'vetchat', store: 'unsent', index: 'consultation' }
/** Conversations that can be read offline. Rooms store them, and the end of a session deletes them all. */
export const KEPT = { database: 'vetchat-kept', store: 'conversations' }
/** The room's page and its files, without anyone's name. While offline, the service worker answers with them. */
export const SHELL = { cache: 'room', address: '/room-shell' }

interface Place {
  database: string
  store: string
  /** Called where there is no store yet. */
  create: (opening: IDBOpenDBRequest) => void
}

const settled = (one: EventTarget & { error: DOMException | null }, good: string, bad: string) =>
  new Promise<void>((resolve, reject) => {
    one.addEventListener(good, () => resolve())
    one.addEventListener(bad, () => reject(one.error ?? new Error('IndexedDB')))
  })

/** One transaction with a store on this device. A full disk only shows at its end. */
export async function withStore<T>(
  { database, store, create }: Place,
  act: (store: IDBObjectStore) => IDBRequest<T> | void,
): Promise<T> {
  const opening = indexedDB.open(database, 1)
  opening.addEventListener('upgradeneeded', () => create(opening))
  await settled(opening as IDBRequest, 'success', 'error')
  try {
    const transaction = opening.result.transaction(store, 'readwrite')
    const asked = act(transaction.objectStore(store))
    await settled(transaction, 'complete', 'abort')
    return asked?.result as T
  } finally {
    // An open connection would hold up deleting the database.
    opening.result.close()
  }
}
