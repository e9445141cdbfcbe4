import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import type { Call } from '#contract/call.ts'
import { fail, Failure } from '#contract/errors.ts'
import { Upload } from '#contract/fields.ts'
import { HOUR } from '#contract/time.ts'
import type { World } from '../context.ts'
import type { Job } from '../jobs/clock.ts'
import type { Files } from '../providers/files.ts'

const BODY_SECONDS = 15
const UPLOAD_GRACE_SECONDS = 8
const UPLOAD_FLOOR = 2000
const UPLOAD_STALLS_SECONDS = 30
const UPLOAD_SECONDS = 15 * 60
/** Many parallel uploads must not fill the disk between two checks. */
const LOOKS_EVERY_BYTES = 4 * 1024 ** 2
/** Seconds until another try makes sense, after a refusal because the disk is full. */
const FULL_FOR = 600
/** The same, because the file store is away. */
const AWAY_FOR = 5

/** The client has this long to read a refusal before we cut the connection. */
const READ_REFUSAL_WITHIN = 1000
/** A client keeps sending while we refuse it, and many never read an answer if the connection closes meanwhile. */
const REST_WITHIN = 500

/** Reads the rest of a body and drops it. False if it takes too long. */
export const readToEnd = (body: Readable): Promise<boolean> =>
  finished(body.resume(), { signal: AbortSignal.timeout(REST_WITHIN) }).then(
    () => true,
    () => false,
  )

/**
 * Ends a body that arrives too slowly. A plain one has 15 seconds. An upload may come over a slow connection, so it
 * has 15 minutes, but must keep up 2 kB/s after the first 8 seconds and never pause for 30: its connection may be lost
 * although nothing tells us. Time in which we don't read doesn't count, as while the database is slow to say who is calling.
 */
export function watchBody(payload: Readable, request: FastifyRequest, upload: boolean): Readable {
  if (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined)
    return payload
  let bytes = 0
  let seconds = 0
  let lastArrived = 0
  const count = (chunk: Buffer) => {
    bytes += chunk.length
    lastArrived = seconds
  }
  if (upload) payload.on('data', count).pause()
  const timer = setInterval(() => {
    if (!payload.readableFlowing) return
    seconds++
    const tooSlow = upload
      ? seconds > UPLOAD_SECONDS ||
        seconds - lastArrived > UPLOAD_STALLS_SECONDS ||
        (seconds > UPLOAD_GRACE_SECONDS && bytes < UPLOAD_FLOOR * (seconds - UPLOAD_GRACE_SECONDS))
      : seconds >= BODY_SECONDS
    if (!tooSlow) return
    // An error lets the reader still answer; destroying the stream would cut the connection.
    payload.emit('error', new Failure('TOO_SLOW'))
    setTimeout(() => payload.destroy(), READ_REFUSAL_WITHIN)
  }, 1000)
  const over = () => clearInterval(timer)
  payload.once('end', over).once('close', over).once('error', over)
  return payload
}

/**
 * Receives a multipart body: fields as text, files on disk. The files are deleted once the work is done. While the
 * disk is nearly full or the file store is away, we read the body without storing it, so that the browser gets to our
 * refusal.
 */
export async function withFiles<T>(
  request: FastifyRequest,
  upload: NonNullable<Call['upload']>,
  { env: { dataDir }, files }: Pick<World, 'env' | 'files'>,
  work: (body: unknown) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) return work(request.body)
  const refusal = !files.isUp() ? 'FILES_AWAY' : (await files.hasRoom()) ? null : 'UPLOADS_FULL'
  if (refusal) {
    await finished(request.raw.resume())
    fail(refusal, { retryAfter: refusal === 'FILES_AWAY' ? AWAY_FOR : FULL_FOR })
  }
  const parent = receivingIn(dataDir)
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(path.join(parent, 'call-'))
  inUse.add(folder)
  try {
    return await work(await receive(request, upload, folder, files).catch(blame))
  } finally {
    await rm(folder, { recursive: true, force: true })
    inUse.delete(folder)
  }
}

const receivingIn = (dataDir: string) => path.join(dataDir, 'receiving')
/** Folders of calls that are still running; the sweep leaves them alone, however old they are. */
const inUse = new Set<string>()
const LEFT_AFTER = HOUR

/** Deletes files of a process that was killed while receiving them. */
export const sweepReceived: Job = {
  name: 'sweep received files',
  lane: 'files',
  everyMinutes: 60,
  async run({ env, now }) {
    const parent = receivingIn(env.dataDir)
    for (const name of await readdir(parent).catch(() => [])) {
      const folder = path.join(parent, name)
      const left = await stat(folder).catch(() => null)
      if (left && !inUse.has(folder) && left.mtimeMs < now().getTime() - LEFT_AFTER)
        await rm(folder, { recursive: true, force: true })
    }
  },
}

/** What the parser rejects is the sender's fault. Errors of the disk or the connection have a code. */
function blame(error: Error & { code?: string }): never {
  if (error instanceof Failure || error.code !== undefined) throw error
  return fail('MALFORMED')
}

async function receive(
  request: FastifyRequest,
  { maxBytes, keepsParts }: NonNullable<Call['upload']>,
  folder: string,
  { hasRoom }: Pick<Files, 'hasRoom'>,
): Promise<object> {
  // The connection broke while we got ready, and the parser would wait for the body for ever.
  if (request.raw.destroyed) fail('MALFORMED')
  const fields: Record<string, unknown> = {}
  let files = 0
  for await (const part of request.parts({
    limits: { fileSize: maxBytes, files: 5, fields: 50, fieldSize: 100_000, parts: 55 },
  })) {
    if (part.type === 'field') {
      // Browsers write a line break in a form as CR LF, and as LF everywhere else.
      fields[part.fieldname] =
        typeof part.value === 'string' ? part.value.replace(/\r\n?/g, '\n') : part.value
      continue
    }
    const target = path.join(folder, String(files++))
    const sink = createWriteStream(target)
    const closed = new Promise<void>((resolve) => sink.once('close', () => resolve()))
    const brokeOff = await pipeline(part.file, whileThereIs(hasRoom), sink).catch((error: Error) => {
      if (keepsParts && hasBrokenOff(request, error)) return error
      throw error
    })
    await closed
    fields[part.fieldname] = new Upload({
      path: target,
      size: sink.bytesWritten,
      filename: part.filename,
      truncated: part.file.truncated,
      brokeOff: brokeOff ?? undefined,
    })
    if (brokeOff) break
  }
  return fields
}

const hasBrokenOff = ({ raw }: FastifyRequest, error: Error) =>
  raw.destroyed || (error instanceof Failure && error.code === 'TOO_SLOW')

/** Passes the content on, and stops when the disk is nearly full. */
const whileThereIs = (hasRoom: Files['hasRoom']) =>
  async function* (content: AsyncIterable<Buffer>) {
    let left = LOOKS_EVERY_BYTES
    for await (const chunk of content) {
      left -= chunk.length
      if (left < 0) {
        if (!(await hasRoom())) fail('UPLOADS_FULL', { retryAfter: FULL_FOR })
        left = LOOKS_EVERY_BYTES
      }
      yield chunk
    }
  }
