import { randomBytes } from 'node:crypto'
import { ERRORS, Failure, sentenceOf, type ErrorCode } from '#contract/errors.ts'
import { isOutOfReach, isTooSlow } from '../db/errors.ts'
import { noteDiskFull } from '../db/full-disk.ts'
import { FilesOutOfReach } from '../providers/files.ts'

export interface ErrorAnswer {
  errors: string[]
  code: ErrorCode
  fields?: Record<string, string>
  /** The sentence with its placeholders, and what fills them, so that a page can say it in its reader's language. */
  sentence?: string
  values?: Record<string, string | number>
  ref?: string
}

/** Maps errors of the HTTP library to ours, by its codes and statuses. */
const BY_STATUS: Record<number, ErrorCode> = {
  400: 'MALFORMED',
  404: 'UNKNOWN_CALL',
  405: 'UNKNOWN_CALL',
  408: 'TOO_SLOW',
  413: 'BODY_TOO_LARGE',
  414: 'MALFORMED',
  415: 'WRONG_CONTENT_TYPE',
  431: 'MALFORMED',
  503: 'UNAVAILABLE',
}

/** Turns any error into an answer. An unexpected one has its request's reference, which the log has too. */
export function asAnswer(
  error: unknown,
  reference = newReference(),
): { status: number; body: ErrorAnswer; retryAfter?: number } {
  if (error instanceof Failure) {
    const { code, details, message } = error
    return {
      status: ERRORS[code].status,
      body: {
        errors: details.errors ?? [message],
        code,
        ...(details.fields && { fields: details.fields }),
        ...(details.values && { sentence: sentenceOf(code), values: details.values }),
        ...details.body,
      },
      ...(details.retryAfter !== undefined && { retryAfter: details.retryAfter }),
    }
  }
  if (noteDiskFull(error)) return asAnswer(new Failure('STORAGE_FULL', { retryAfter: 30 }))
  if (error instanceof FilesOutOfReach)
    return asAnswer(new Failure(error.stores ? 'FILES_AWAY' : 'UNAVAILABLE', { retryAfter: 5 }))
  if (isOutOfReach(error) || isTooSlow(error)) return asAnswer(new Failure('UNAVAILABLE', { retryAfter: 5 }))
  const status = (error as { statusCode?: unknown } | null)?.statusCode
  const code = typeof status === 'number' ? BY_STATUS[status] : undefined
  if (code) return { status: ERRORS[code].status, body: { errors: [sentenceOf(code)], code } }
  return {
    status: 500,
    body: { errors: [sentenceOf('UNEXPECTED')], code: 'UNEXPECTED', ref: reference },
  }
}

/** Identifies a request in the log, in its answer and on the page that failed. */
export const newReference = () => randomBytes(6).toString('hex')

export const iso = <T extends Date | null>(time: T) =>
  (time && time.toISOString()) as T extends Date ? string : null

/** Whether If-None-Match contains this tag. Weak and strong tags count alike. */
export const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || bare(tag) === bare(etag))

const bare = (etag: string) => etag.replace(/^W\//, '')
