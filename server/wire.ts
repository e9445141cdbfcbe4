import { randomBytes } from 'node:crypto'
import { ERRORS, Failure, words, type ErrorCode } from '#contract/errors.ts'
import { isOutOfReach } from './db/client.ts'

export interface WireError {
  errors: string[]
  code: ErrorCode
  fields?: Record<string, string>
  ref?: string
}

/** Errors of the HTTP library, by its own codes and statuses, in our words. */
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

/** Any error as it leaves the house. A surprise gets a reference, which the log line repeats. */
export function toWire(error: unknown): { status: number; body: WireError; retryAfter?: number } {
  if (error instanceof Failure) {
    const { code, details, message } = error
    return {
      status: ERRORS[code].status,
      body: {
        errors: details.errors ?? [message],
        code,
        ...(details.fields && { fields: details.fields }),
        ...details.body,
      },
      ...(details.retryAfter !== undefined && { retryAfter: details.retryAfter }),
    }
  }
  if (isOutOfReach(error)) return toWire(new Failure('UNAVAILABLE', { retryAfter: 5 }))
  const status = (error as { statusCode?: unknown } | null)?.statusCode
  const code = typeof status === 'number' ? BY_STATUS[status] : undefined
  if (code) return { status: ERRORS[code].status, body: { errors: [words(code)], code } }
  return {
    status: 500,
    body: { errors: [words('UNEXPECTED')], code: 'UNEXPECTED', ref: randomBytes(5).toString('hex') },
  }
}

/** A time as the wire has it. */
export const iso = <T extends Date | null>(time: T) =>
  (time && time.toISOString()) as T extends Date ? string : null
