import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const toBrotli = promisify(brotliCompress)
export const toGzip = promisify(gzip)
export const brotliAt = (bytes: Buffer, quality: number) =>
  toBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })

export const accepts = (request: FastifyRequest, encoding: string) =>
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
