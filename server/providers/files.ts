import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream, mkdirSync, openAsBlob, readdirSync, rmSync, statSync } from 'node:fs'
import { mkdir, open, opendir, rename, rm, statfs } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { DAY } from '#contract/time.ts'
import { isAway } from './network-errors.ts'
import { watchProvider, type Watch } from './provider-status.ts'

/** Where uploads are stored. A key is a path such as `pets/12/x7Gq.jpg`; its ending is the type of the file. */
export interface Files {
  put: (key: string, content: Uint8Array | Readable) => Promise<void>
  /** Callers must read the stream to its end or destroy it. With a range, only these bytes come, including both ends. */
  get: (key: string, range?: Range) => Promise<StoredFile | null>
  remove: (key: string) => Promise<void>
  /** The key of every file, for a backup. */
  list: () => AsyncIterable<string>
  /**
   * Fails with a sentence for operators if the store refuses us, which only they can change. If it's out of reach, or our
   * own disk is full, we start anyway.
   */
  check: () => Promise<void>
  /** Whether the store took the last file that we tried it with. */
  isUp: () => boolean
  watch: Watch
  /** Whether there is room for uploads: the rest of the disk is for messages. */
  hasRoom: () => Promise<boolean>
}

/** The store doesn't answer, or answers that it can't work now. It may have stored the file. */
export class FilesOutOfReach extends Error {
  override name = 'FilesOutOfReach'
  /** Whether we wanted to store something. */
  stores = false
}

interface Range {
  start: number
  end: number
}

export interface StoredFile {
  stream: Readable
  /** Of the whole file. */
  size: number
  type: string
}

const TYPES: Record<string, string> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  pdf: 'application/pdf',
  part: 'application/octet-stream',
  // A backup's own.
  json: 'application/json',
  dump: 'application/octet-stream',
  tgz: 'application/gzip',
}
const KEY = new RegExp(
  String.raw`^(?:[\w-]{1,100}/){0,8}[\w-]{1,100}\.(?<ending>${Object.keys(TYPES).join('|')})$`,
)

/** No upload takes this long: an older temporary file was left by a killed process. */
const LEFT_MS = DAY
const S3_RETRIES = 3
const S3_SECONDS = 60
const S3_CHECK_SECONDS = 10
const TRIED_AGAIN_AFTER_MS = 2000
const MIN_FREE_BYTES = 2 * 1024 ** 3
const MIN_FREE_PART = 0.05
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/

interface Where {
  filesUrl?: string | undefined
  dataDir: string
  /** Uploads stop below this many free bytes. */
  minFreeBytes?: number | undefined
}

export function openFiles({ filesUrl, dataDir, minFreeBytes }: Where): Files {
  const folder = path.join(dataDir, 'files')
  const spoolFolder = filesUrl ? path.join(dataDir, 'outgoing') : path.join(folder, 'incoming')
  sweep(spoolFolder)
  return filesUrl ? filesOnS3(filesUrl, spoolFolder) : filesOnDisk(folder, spoolFolder, minFreeBytes)
}

function sweep(folder: string) {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
    if (performance.timeOrigin - written > LEFT_MS) rmSync(file, { force: true })
  }
}

const filesOnDisk = (folder: string, spoolFolder: string, minFreeBytes: number | undefined): Files => ({
  async put(key, content) {
    const target = path.join(folder, checked(key))
    const file = await spool(content, spoolFolder)
    try {
      await mkdir(path.dirname(target), { recursive: true })
      await rename(file.path, target)
    } finally {
      await file.discard()
    }
  },
  async get(key, range) {
    const type = typeOf(key)
    if (!type) return null
    try {
      const file = await open(path.join(folder, key))
      const { size } = await file.stat()
      return { stream: file.createReadStream(range), size, type }
    } catch (error) {
      if (isAbsence(error)) return null
      throw error
    }
  },
  async remove(key) {
    await rm(path.join(folder, checked(key)), { force: true })
  },
  async *list() {
    for await (const entry of await opendir(folder, { recursive: true })) {
      const key = path.relative(folder, path.join(entry.parentPath, entry.name))
      if (entry.isFile() && typeOf(key)) yield key
    }
  },
  check: async () => {},
  isUp: () => true,
  watch: () => {},
  async hasRoom() {
    const { bavail, blocks, bsize } = await statfs(folder)
    const floor = minFreeBytes ?? Math.max(MIN_FREE_BYTES, blocks * bsize * MIN_FREE_PART)
    return bavail * bsize >= floor
  },
})

/**
 * `s3://KEY:SECRET@HOST/BUCKET[/FOLDER]`, where special characters of the secret are percent-encoded; `?region=` for a store
 * whose host doesn't include it. A host on this machine is reached without TLS.
 */
function filesOnS3(address: string, folder: string): Files {
  const { username, password, hostname, host, pathname, searchParams } = new URL(address)
  const [, bucket = '', ...folders] = pathname.replace(/\/$/, '').split('/')
  const store = `${LOOPBACK.test(hostname) ? 'http' : 'https'}://${host}/${bucket}`
  const prefix = folders.map((folder) => `${folder}/`).join('')
  const region = searchParams.get('region')
  const client = new AwsClient({
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    service: 's3',
    retries: S3_RETRIES,
    ...(region && { region }),
  })
  /** Limits how long an answer may take to begin. Reading a file may take longer, since its reader may be slow. */
  async function answerTo(url: string, init: RequestInit = {}, seconds = S3_SECONDS) {
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(), seconds * 1000)
    try {
      return await client.fetch(url, { ...init, signal: patience.signal })
    } catch (cause) {
      if (patience.signal.aborted) throw new FilesOutOfReach(`${host} doesn’t answer`)
      const why = causeOf(cause as Error)
      throw isAway(cause)
        ? new FilesOutOfReach(`${host} doesn’t answer (${why})`, { cause })
        : new Error(`${host} can’t be asked (${why})`, { cause })
    } finally {
      clearTimeout(timer)
    }
  }
  async function ask(method: string, key: string, init: RequestInit = {}) {
    try {
      const response = await answerTo(`${store}/${prefix}${key}`, { method, ...init })
      if (response.ok) return response
      await response.body?.cancel()
      if (response.status === 404) return null
      const says = `The file store answers ${response.status} to ${method} ${key}`
      throw isForNow(response) ? new FilesOutOfReach(says) : new Error(says)
    } catch (error) {
      if (error instanceof FilesOutOfReach) {
        error.stores = method === 'PUT'
        void untilBack()
      }
      throw error
    }
  }
  /** Stores a file and removes it: nothing else shows that the address, the bucket and the key are right. */
  async function tryOut() {
    const url = `${store}/${prefix}check/${randomUUID()}.json`
    const response = await answerTo(url, { method: 'PUT', body: '{}' }, S3_CHECK_SECONDS)
    await response.body?.cancel()
    const { status } = response
    if (isForNow(response))
      throw new FilesOutOfReach(`${host} answers ${status} to a file that we store in ${bucket}`)
    if (status === 404) throw new Error(`${host} has no bucket ${bucket}`)
    if (!response.ok)
      throw new Error(`${host} answers ${status} to a file that we store in ${bucket}; is the key right?`)
    await (await answerTo(url, { method: 'DELETE' }, S3_CHECK_SECONDS)).body?.cancel()
  }
  const presence = watchProvider()
  let trying = false
  /** Tries the store until it takes a file. */
  async function untilBack() {
    if (trying) return
    trying = true
    for (;;) {
      const error = await tryOut().catch((error: Error) => error)
      presence.note(!error, error?.message)
      if (!error) break
      await pause(TRIED_AGAIN_AFTER_MS, undefined, { ref: false })
    }
    trying = false
  }
  /** A page of up to a thousand keys, and where the next one begins. */
  async function page(from: string | undefined) {
    const query = new URLSearchParams({
      'list-type': '2',
      prefix,
      ...(from && { 'continuation-token': from }),
    })
    const response = await answerTo(`${store}?${query}`)
    const body = await response.text()
    if (!response.ok) throw new Error(`The file store answers ${response.status} to a list of its files`)
    return {
      // Our keys have nothing that XML would escape.
      keys: [...body.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key]) => key!.slice(prefix.length)),
      next: /<NextContinuationToken>([^<]*)</.exec(body)?.[1],
    }
  }
  return {
    async put(key, content) {
      checked(key)
      // The store needs length and hash before the first byte, and a retry needs the bytes again.
      const file = await spool(content, folder)
      try {
        const type = typeOf(key)!
        const stored = await ask('PUT', key, {
          body: await openAsBlob(file.path, { type }),
          headers: { 'content-type': type, 'x-amz-content-sha256': file.sha256 },
          // Otherwise fetch keeps the whole body in memory in case of a redirect.
          redirect: 'error',
          window: null,
        })
        if (!stored) throw new Error(`The file store has no bucket ${store}`)
        await stored.body?.cancel()
      } finally {
        await file.discard()
      }
    },
    async get(key, range) {
      const type = typeOf(key)
      const headers = range ? { range: `bytes=${range.start}-${range.end}` } : {}
      const response = type ? await ask('GET', key, { headers }) : null
      if (!type || !response?.body) return null
      const whole = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]
      return {
        stream: Readable.fromWeb(response.body),
        size: Number(whole ?? response.headers.get('content-length')),
        type,
      }
    },
    async remove(key) {
      await (await ask('DELETE', checked(key)))?.body?.cancel()
    },
    async *list() {
      let from: string | undefined
      do {
        const { keys, next } = await page(from)
        yield* keys.filter((key) => typeOf(key))
        from = next
      } while (from !== undefined)
    },
    check: () =>
      tryOut().catch((error: Error) => {
        if (!(error instanceof FilesOutOfReach)) throw error
        presence.note(false, error.message)
        void untilBack()
      }),
    isUp: presence.isUp,
    watch: presence.watch,
    hasRoom: async () => true,
  }
}

/** Whether the store may answer otherwise in a while. */
const isForNow = ({ status }: Response) => status >= 500 || status === 429

function causeOf({ cause, message }: Error) {
  const { code, message: why = message } = (cause ?? {}) as Partial<NodeJS.ErrnoException>
  return code ?? why
}

/** Writes all of the content to a new file and flushes it to disk. */
async function spool(content: Uint8Array | Readable, folder: string) {
  const file = path.join(folder, randomUUID())
  const discard = () => rm(file, { force: true })
  const hash = createHash('sha256')
  const hashing = new PassThrough().on('data', (chunk) => hash.update(chunk))
  try {
    const source = content instanceof Readable ? content : Readable.from([content])
    await pipeline(source, hashing, createWriteStream(file, { flags: 'wx', flush: true }))
  } catch (error) {
    await discard()
    throw error
  }
  return { path: file, sha256: hash.digest('hex'), discard }
}

const typeOf = (key: string) => TYPES[KEY.exec(key)?.groups?.['ending'] ?? '']

function checked(key: string) {
  if (!typeOf(key)) throw new Error(`Not a key of a file: ${key}`)
  return key
}

const isAbsence = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'
