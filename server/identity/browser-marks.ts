import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Ctx, Earned } from '../context.ts'

/* A browser that signed in or paid carries marks in a cookie. They name nobody, and nobody can make one up. */

const KEPT = 4
const LENGTH = 22

const macOf = (secret: Uint8Array, text: string) =>
  createHmac('sha256', secret).update(text).digest('base64url').slice(0, LENGTH)

const marksIn = (cookie: string) => cookie.split('.').filter((mark) => mark.length === 2 * LENGTH)

/** The same account or card always earns the same mark, so a stranger can't collect many. */
function markOf(secret: Uint8Array, earned: Earned) {
  const name = macOf(secret, `browser ${earned}`)
  return name + macOf(secret, `mark ${name}`)
}

const isSame = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

export function carriesMark(secret: Uint8Array, cookie: string, earned: Earned): boolean {
  const wanted = markOf(secret, earned)
  return marksIn(cookie).some((mark) => isSame(mark, wanted))
}

/** Puts a mark in front; the oldest falls off. */
export const withMark = (secret: Uint8Array, cookie: string, earned: Earned) =>
  [...new Set([markOf(secret, earned), ...marksIn(cookie)])].slice(0, KEPT).join('.')

/**
 * What an attempt is counted for: the account, else a browser that signed in or paid before, else everybody behind the
 * address. So what strangers behind a shared address do counts only for those who were never here.
 */
export function countedFor({
  actor,
  secret,
  browserMark,
  address,
}: Pick<Ctx, 'actor' | 'secret' | 'browserMark' | 'address'>): string {
  if (actor && 'userId' in actor) return `person ${actor.userId}`
  const known = marksIn(browserMark).find((mark) =>
    isSame(mark.slice(LENGTH), macOf(secret, `mark ${mark.slice(0, LENGTH)}`)),
  )
  return known ? `browser ${known}` : address
}
