import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { Failure } from '#contract/errors.ts'
import { Upload } from '#contract/fields.ts'

const BODY_SECONDS = 15
const UPLOAD_GRACE_SECONDS = 8
const UPLOAD_FLOOR = 2000
const UPLOAD_SECONDS = 15 * 60

/**
 * Ends a body that dawdles. A plain one has 15 seconds; an upload may take long on a slow line,
 * so it has to keep a floor of 2 kB/s after its first 8 seconds, and 15 minutes at most.
 */
export function watchBody(payload: Readable, request: FastifyRequest, upload: boolean): Readable {
  if (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined)
    return payload
  let bytes = 0
  let seconds = 0
  const count = (chunk: Buffer) => void (bytes += chunk.length)
  if (upload) payload.on('data', count).pause()
  const timer = setInterval(() => {
    seconds++
    const tooSlow = upload
      ? seconds > UPLOAD_SECONDS ||
        (seconds > UPLOAD_GRACE_SECONDS && bytes < UPLOAD_FLOOR * (seconds - UPLOAD_GRACE_SECONDS))
      : seconds >= BODY_SECONDS
    if (tooSlow) payload.destroy(new Failure('TOO_SLOW'))
  }, 1000)
  const over = () => clearInterval(timer)
  payload.once('end', over).once('close', over).once('error', over)
  return payload
}

export interface Received {
  discard: () => Promise<void>
}

/** Reads a multipart body to its end: fields as text, files on disk, there until the call is answered. */
export async function receiveFiles(
  request: FastifyRequest,
  maxBytes: number,
  dataDir: string,
): Promise<object> {
  if (!request.isMultipart()) return (request.body as object | null) ?? {}
  const parent = path.join(dataDir, 'receiving')
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(path.join(parent, 'call-'))
  request.received = { discard: () => rm(folder, { recursive: true, force: true }) }
  const fields: Record<string, unknown> = {}
  let files = 0
  for await (const part of request.parts({
    limits: { fileSize: maxBytes, files: 5, fields: 50, fieldSize: 100_000, parts: 55 },
  })) {
    if (part.type === 'field') {
      fields[part.fieldname] = part.value
      continue
    }
    const target = path.join(folder, String(files++))
    const sink = createWriteStream(target)
    await pipeline(part.file, sink)
    fields[part.fieldname] = new Upload({
      path: target,
      size: sink.bytesWritten,
      filename: part.filename,
      truncated: part.file.truncated,
    })
  }
  return fields
}
