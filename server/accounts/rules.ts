import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export const newPublicId = () => `cus_${randomBytes(12).toString('hex')}`

const MARKS_KEPT = 4

const markOf = (secret: Uint8Array, email: string) =>
  createHmac('sha256', secret).update(`browser ${email}`).digest('base64url').slice(0, 32)

/** Whether this browser has signed in to this account before. */
export function knowsBrowser(secret: Uint8Array, marks: string, email: string): boolean {
  const wanted = Buffer.from(markOf(secret, email))
  return marks
    .split('.')
    .some((mark) => mark.length === wanted.length && timingSafeEqual(Buffer.from(mark), wanted))
}

/** Puts this account's mark in front; the oldest mark falls off. */
export const withMark = (secret: Uint8Array, marks: string, email: string) =>
  [...new Set([markOf(secret, email), ...marks.split('.').filter(Boolean)])].slice(0, MARKS_KEPT).join('.')
