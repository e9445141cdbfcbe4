/**
 * What was written or chosen in a conversation and is not stored by the server yet: kept in IndexedDB until it is, over
 * reloads and days without a network. What the browser does not keep (it has no IndexedDB to give, or no room left)
 * stands as long as the page does.
 */
export interface Unsent {
  /** Grows: the order in which it was written. */
  n: number
  client_id: string
  consultation: number
  /** Empty where a file goes. */
  body: string
  at: string
  /** It was given up, and waits for somebody to say what becomes of it. */
  failed: boolean
  /** What the server had against it. */
  why?: string | undefined
  file?: UnsentFile
  /** The browser did not keep it: it is lost with the page. */
  pageOnly?: true
}

export interface UnsentFile {
  name: string
  /** As it was chosen; a picture is sent smaller. */
  before: number
  /** Still as it was chosen: it is made small first. */
  raw: boolean
  /** Gone where another try can not help. A plain Blob: not every browser keeps a File with its name. */
  content?: Blob
}

const STORE = 'unsent'
const BY = 'consultation'
/** What the page alone keeps stands between the whole numbers that the store gives. */
const BETWEEN = 1e-6

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
  opening.catch(() => (opening = undefined))
  return opening
}

let pageOnly: Unsent[] = []

async function read(ask: (store: IDBObjectStore) => IDBRequest<Unsent[]>): Promise<Unsent[]> {
  try {
    return await asPromise(ask((await database()).transaction(STORE).objectStore(STORE)))
  } catch {
    return []
  }
}

/** Whether it is kept. That there is no room left for a file shows only at the transaction's end. */
async function write(act: (store: IDBObjectStore) => void): Promise<boolean> {
  try {
    const transaction = (await database()).transaction(STORE, 'readwrite')
    act(transaction.objectStore(STORE))
    await new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve())
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('IndexedDB')))
    })
    return true
  } catch {
    return false
  }
}

function inOrder(stored: Unsent[], here: Unsent[]) {
  const standsHere = new Set(here.map(({ n }) => n))
  return [...stored.filter(({ n }) => !standsHere.has(n)), ...here].toSorted((a, b) => a.n - b.n)
}

/** Oldest first. */
export const unsentOf = async (consultation: number) =>
  inOrder(
    await read((store) => store.index(BY).getAll(consultation)),
    pageOnly.filter((one) => one.consultation === consultation),
  )

export const allUnsent = async () => inOrder(await read((store) => store.getAll()), pageOnly)

export async function keepUnsent(message: Omit<Unsent, 'n' | 'pageOnly'>) {
  if (await write((store) => store.add(message))) return
  const last = (await allUnsent()).at(-1)?.n ?? 0
  pageOnly.push({ ...message, n: last + BETWEEN, pageOnly: true })
}

/** As it is from now on. What was removed meanwhile does not come back. */
export async function changeUnsent({ pageOnly: wasHere, ...message }: Unsent) {
  const { n } = message
  const isGone = () => wasHere && !pageOnly.some((one) => one.n === n)
  if (isGone()) return
  const isKept = await write((store) => {
    const known = store.get(n)
    known.addEventListener('success', () => {
      try {
        if (wasHere || known.result) store.put(message)
      } catch {
        store.transaction.abort()
      }
    })
  })
  if (isGone()) return
  const others = pageOnly.filter((one) => one.n !== n)
  pageOnly = isKept ? others : [...others, { ...message, pageOnly: true }]
}

export async function forgetUnsent(n: number) {
  pageOnly = pageOnly.filter((one) => one.n !== n)
  await write((store) => store.delete(n))
}

export async function forgetAllUnsent() {
  pageOnly = []
  await write((store) => store.clear())
}
