import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isKnown } from './answers.ts'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)
const brotliAt = (bytes: Buffer, quality: number) =>
  toBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })

const accepts = (request: FastifyRequest, encoding: string) =>
  new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:\\s*,|\\s*$))`).test(
    request.headers['accept-encoding'] ?? '',
  )

/** Sends an answer made for this request only, so it's compressed fast rather than small. */
export async function sendCompressed(request: FastifyRequest, reply: FastifyReply, bytes: Buffer) {
  reply.header('vary', 'accept-encoding')
  if (accepts(request, 'br')) return reply.header('content-encoding', 'br').send(await brotliAt(bytes, 4))
  if (accepts(request, 'gzip')) return reply.header('content-encoding', 'gzip').send(await toGzip(bytes))
  return reply.send(bytes)
}

/** Prepares what we'll send again. Compressing it small takes longer than rendering a page, which pays only then. */
export async function keep(bytes: Buffer) {
  const [brotli, zipped] = await Promise.all([brotliAt(bytes, 10), toGzip(bytes)])
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  return { bytes, etag, brotli, gzip: zipped }
}
export type Kept = Awaited<ReturnType<typeof keep>>

export function sendKept(request: FastifyRequest, reply: FastifyReply, { bytes, etag, brotli, gzip }: Kept) {
  reply.header('vary', 'accept-encoding')
  if (reply.statusCode === 200) {
    reply.header('etag', etag)
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
  }
  if (accepts(request, 'br')) return reply.header('content-encoding', 'br').send(brotli)
  if (accepts(request, 'gzip')) return reply.header('content-encoding', 'gzip').send(gzip)
  return reply.send(bytes)
}
