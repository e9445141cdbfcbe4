import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { AwsV4Signer } from 'aws4fetch'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HOUR, MINUTE } from '#contract/time.ts'
import { portOf } from '#test/port-of.ts'
import { openFiles } from './files.ts'

const SECRET = 'sec/ret+with=signs'
const PICTURE = randomBytes(300_000)

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'vetchat-files-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const kinds = [
  { kind: 'disk', open: async () => ({ files: openFiles({ dataDir }), close: async () => {} }) },
  {
    kind: 'S3',
    open: async () => {
      const store = await startStore()
      return { files: openFiles({ filesUrl: store.url(SECRET), dataDir }), close: store.close }
    },
  },
]

it('what is left of an upload by a killed process is removed at a start a day later', () => {
  const incoming = path.join(dataDir, 'files/incoming')
  mkdirSync(incoming, { recursive: true })
  for (const name of ['left', 'running']) writeFileSync(path.join(incoming, name), 'half')
  const longAgo = new Date(Date.now() - 25 * HOUR)
  utimesSync(path.join(incoming, 'left'), longAgo, longAgo)
  openFiles({ dataDir })
  expect(readdirSync(incoming)).toEqual(['running'])
})

describe.each(kinds)('on $kind', ({ open }) => {
  let files: Awaited<ReturnType<typeof open>>['files']
  let close: () => Promise<void>
  beforeEach(async () => {
    ;({ files, close } = await open())
  })
  afterEach(() => close())

  it('files come back as they were put, with size and type', async () => {
    await files.put('pets/12/x7-Gq_.jpg', PICTURE)
    const stored = await files.get('pets/12/x7-Gq_.jpg')
    expect(stored).toMatchObject({ size: PICTURE.length, type: 'image/jpeg' })
    expect(await buffer(stored!.stream)).toEqual(PICTURE)
  })

  it('files are checked at a start, which leaves nothing behind', async () => {
    await files.check()
    expect(await Readable.from(files.list()).toArray()).toEqual([])
  })

  it('files are all listed', async () => {
    const keys = ['consultations/1/film.mp4', 'pets/1/a.jpg', 'pets/2/b.jpg']
    for (const key of keys) await files.put(key, PICTURE)
    expect((await Readable.from(files.list()).toArray()).toSorted()).toEqual(keys)
  })

  it('files can be put as a stream', async () => {
    const chunks = Array.from({ length: 50 }, () => randomBytes(20_000))
    await files.put('consultations/1/film.mp4', Readable.from(chunks))
    const stored = await files.get('consultations/1/film.mp4')
    expect(stored).toMatchObject({ size: 1_000_000, type: 'video/mp4' })
    expect(await buffer(stored!.stream)).toEqual(Buffer.concat(chunks))
  })

  it('files can be read in part, with the size of the whole', async () => {
    await files.put('a.webm', PICTURE)
    const part = await files.get('a.webm', { start: 5, end: 14 })
    expect(part!.size).toBe(PICTURE.length)
    expect(await buffer(part!.stream)).toEqual(PICTURE.subarray(5, 15))
  })

  it('files can be replaced, and removed more than once', async () => {
    await files.put('a.png', PICTURE)
    await files.put('a.png', PICTURE.subarray(0, 10))
    const stored = await files.get('a.png')
    expect(await buffer(stored!.stream)).toEqual(PICTURE.subarray(0, 10))
    await files.remove('a.png')
    await files.remove('a.png')
    expect(await files.get('a.png')).toBeNull()
  })

  it('files keep their old content and leave nothing behind when a stream breaks', async () => {
    await files.put('a.pdf', PICTURE)
    const broken = Readable.from(
      (async function* () {
        yield PICTURE
        throw new Error('cut off')
      })(),
    )
    await expect(files.put('a.pdf', broken)).rejects.toThrow('cut off')
    const stored = await files.get('a.pdf')
    expect(await buffer(stored!.stream)).toEqual(PICTURE)
    expect(filesIn(dataDir).filter((name) => !name.endsWith('.pdf'))).toEqual([])
  })

  it.each([
    '../secret.jpg',
    '/etc/x.jpg',
    'a/../../b.jpg',
    'a//b.jpg',
    'a\0.jpg',
    'a.jpg\n',
    'page.html',
    'a',
    '.jpg',
  ])('%j is the key of no file', async (key) => {
    writeFileSync(path.join(dataDir, 'secret.jpg'), 'secret')
    await expect(files.put(key, PICTURE)).rejects.toThrow('Not a key of a file')
    await expect(files.remove(key)).rejects.toThrow('Not a key of a file')
    expect(await files.get(key)).toBeNull()
  })
})

it('a file store keeps the files of a folder apart', async () => {
  const store = await startStore()
  const url = new URL(store.url(SECRET))
  url.pathname += '/2026-11'
  const [whole, part] = [store.url(SECRET), url.href].map((filesUrl) => openFiles({ filesUrl, dataDir }))
  await whole!.put('a.jpg', PICTURE)
  await part!.put('b.jpg', PICTURE)
  expect(await Readable.from(part!.list()).toArray()).toEqual(['b.jpg'])
  expect(await buffer((await whole!.get('2026-11/b.jpg'))!.stream)).toEqual(PICTURE)
  await store.close()
})

it('a file store that fails once gets the request again', async () => {
  const store = await startStore({ failures: 1 })
  const files = openFiles({ filesUrl: store.url(SECRET), dataDir })
  await files.put('a.jpg', Readable.from([PICTURE]))
  const stored = await files.get('a.jpg')
  expect(await buffer(stored!.stream)).toEqual(PICTURE)
  await store.close()
})

it('a file store that never answers is given up after a minute, whatever is asked of it [OPS-4]', async () => {
  const asked: string[] = []
  const silent = createServer(({ method }) => void asked.push(method!))
  const port = await portOf(silent)
  const files = openFiles({
    filesUrl: `s3://key:secret@127.0.0.1:${port}/bucket?region=af-south-1`,
    dataDir,
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const tries = [
    files.get('a.jpg'),
    files.remove('a.jpg'),
    files.put('a.jpg', PICTURE),
    Readable.from(files.list()).toArray(),
  ].map((work) => work.then(String, ({ message }: Error) => message))
  await vi.waitFor(() => expect(asked.toSorted()).toEqual(['DELETE', 'GET', 'GET', 'PUT']))
  vi.advanceTimersByTime(MINUTE)
  vi.useRealTimers()
  expect(await Promise.all(tries)).toEqual(tries.map(() => `127.0.0.1:${port} doesn’t answer`))
  silent.closeAllConnections()
  await new Promise((resolve) => silent.close(resolve))
})

it("a file store that doesn't accept the secret is an error, not a missing file", async () => {
  const store = await startStore()
  const files = openFiles({ filesUrl: store.url('another'), dataDir })
  await expect(files.put('a.jpg', PICTURE)).rejects.toThrow('answers 403 to PUT a.jpg')
  await expect(files.get('a.jpg')).rejects.toThrow('answers 403 to GET a.jpg')
  await store.close()
})

function filesIn(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
}

/** A small sandbox of S3 with one bucket, which checks the signature and the hash of every request. */
async function startStore({ failures = 0 } = {}) {
  const objects = new Map<string, Buffer>()
  let refusals = failures
  async function answer(
    request: IncomingMessage,
  ): Promise<[status: number, content?: Buffer, headers?: Record<string, string>]> {
    const content = await buffer(request)
    if (!(await isSigned(request, content))) return [403]
    if (refusals-- > 0) return [503]
    const { pathname, searchParams } = new URL(request.url!, 'http://store')
    if (pathname === '/bucket') return [200, page(searchParams)]
    const key = request.url!
    if (!key.startsWith('/bucket/')) return [404]
    if (request.method === 'PUT') objects.set(key, content)
    if (request.method === 'DELETE') return [objects.delete(key) ? 204 : 404]
    const stored = objects.get(key)
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    if (stored && start && end) {
      const headers = { 'content-range': `bytes ${start}-${end}/${stored.length}` }
      return [206, stored.subarray(Number(start), Number(end) + 1), headers]
    }
    return stored ? [200, request.method === 'GET' ? stored : undefined] : [404]
  }
  /** Two keys a page, so that a list of three takes two. */
  function page(query: URLSearchParams) {
    const prefix = query.get('prefix') ?? ''
    const keys = [...objects.keys()]
      .map((key) => key.slice('/bucket/'.length))
      .filter((key) => key.startsWith(prefix))
      .toSorted()
    const from = Number(query.get('continuation-token') ?? 0)
    const contents = keys.slice(from, from + 2).map((key) => `<Contents><Key>${key}</Key></Contents>`)
    const next = keys.length > from + 2 ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : ''
    return Buffer.from(`<ListBucketResult>${contents.join('')}${next}</ListBucketResult>`)
  }
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const [status, content, headers] = await answer(request)
    response.writeHead(status, { ...headers, 'content-length': content?.length ?? 0 }).end(content)
  })
  const port = await portOf(server)
  return {
    url: (secret: string) =>
      `s3://key:${encodeURIComponent(secret)}@127.0.0.1:${port}/bucket?region=af-south-1`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function isSigned(request: IncomingMessage, content: Buffer) {
  const { authorization, host, ...headers } = request.headers as Record<string, string>
  const [, names = ''] = /SignedHeaders=([^,]+)/.exec(authorization ?? '') ?? []
  const signer = new AwsV4Signer({
    method: request.method!,
    url: `http://${host}${request.url}`,
    headers: Object.fromEntries(
      names.split(';').flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])),
    ),
    accessKeyId: 'key',
    secretAccessKey: SECRET,
    service: 's3',
    region: 'af-south-1',
    datetime: headers['x-amz-date']!,
  })
  const hash = headers['x-amz-content-sha256']
  const isHashRight =
    hash === 'UNSIGNED-PAYLOAD' || hash === createHash('sha256').update(content).digest('hex')
  return isHashRight && authorization === (await signer.authHeader())
}
