/**
 * What was written in a conversation and is not stored by the server yet: kept in IndexedDB until it is, over reloads
 * and days without a network. Where a browser has none, it is kept as long as the page stands.
 */
export interface Unsent {
  /** Grows: the order in which it was written. */
  n: number
  client_id: string
  consultation: number
  body: string
  at: string
  /** It was given up, and waits for somebody to say what becomes of it. */
  failed: boolean
  /** What the server had against it. */
  why?: string | undefined
}

const STORE = 'unsent'
const BY = 'consultation'

let opening: Promise<IDBDatabase> | undefined

const asPromise = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB')))
  })

function database() {
  if (opening) return opening
  const request = indexedDB.open('vetchat', 1)
  request.addEventListener('upgradeneeded', () =>
    request.result.createObjectStore(STORE, { keyPath: 'n', autoIncrement: true }).createIndex(BY, BY),
  )
  opening = asPromise(request).then((opened) => {
    const forget = () => (opened.close(), (opening = undefined))
    opened.addEventListener('close', forget)
    opened.addEventListener('versionchange', forget)
    return opened
  })
  return opening
}

/** Stands in where the browser has no IndexedDB to give. */
let pageOnly: Unsent[] | undefined
let count = 0

async function inStore<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest,
  instead: (kept: Unsent[]) => T,
): Promise<T> {
  if (!pageOnly)
    try {
      return await asPromise<T>(act((await database()).transaction(STORE, mode).objectStore(STORE)))
    } catch {
      opening = undefined
      pageOnly = []
    }
  return instead(pageOnly)
}

/** Oldest first. */
export const unsentOf = (consultation: number) =>
  inStore<Unsent[]>(
    'readonly',
    (store) => store.index(BY).getAll(consultation),
    (kept) => kept.filter((one) => one.consultation === consultation),
  )

export const allUnsent = () =>
  inStore<Unsent[]>(
    'readonly',
    (store) => store.getAll(),
    (kept) => [...kept],
  )

export const keepUnsent = (message: Omit<Unsent, 'n'>) =>
  inStore<unknown>(
    'readwrite',
    (store) => store.add(message),
    (kept) => kept.push({ ...message, n: ++count }),
  )

export const changeUnsent = (message: Unsent) =>
  inStore<unknown>(
    'readwrite',
    (store) => store.put(message),
    (kept) => (pageOnly = kept.map((one) => (one.n === message.n ? message : one))),
  )

export const forgetUnsent = (n: number) =>
  inStore<unknown>(
    'readwrite',
    (store) => store.delete(n),
    (kept) => (pageOnly = kept.filter((one) => one.n !== n)),
  )

export const forgetAllUnsent = () =>
  inStore<unknown>(
    'readwrite',
    (store) => store.clear(),
    () => (pageOnly = []),
  )
