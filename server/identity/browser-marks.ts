import type { Ctx, Earned } from '../context.ts'
import { isSame, macOf, type Secrets } from './secrets.ts'

/* A browser that signed in or paid has marks in a cookie. They don't say whose it is, and can't be made up. */

const KEPT = 4
const LENGTH = 22

const shortMacOf = (secret: Uint8Array, text: string) => macOf(secret, text).slice(0, LENGTH)

const marksIn = (cookie: string) => cookie.split('.').filter((mark) => mark.length === 2 * LENGTH)

/** The same account or card always earns the same mark, so a stranger can't collect many. */
function markOf(secret: Uint8Array, earned: Earned) {
  const name = shortMacOf(secret, `browser ${earned}`)
  return name + shortMacOf(secret, `mark ${name}`)
}

export function carriesMark(secrets: Secrets, cookie: string, earned: Earned): boolean {
  const wanted = secrets.map((secret) => markOf(secret, earned))
  return marksIn(cookie).some((mark) => wanted.some((one) => isSame(mark, one)))
}

/** Adds a mark at the front and drops the oldest. */
export const withMark = ([signing]: Secrets, cookie: string, earned: Earned) =>
  [...new Set([markOf(signing, earned), ...marksIn(cookie)])].slice(0, KEPT).join('.')

/**
 * What an attempt is counted for: the account, else a browser that signed in or paid before, else everybody behind the
 * address. So the attempts of strangers behind a shared address count only for people who were never here.
 */
export function countedFor({
  actor,
  secrets,
  browserMark,
  address,
}: Pick<Ctx, 'actor' | 'secrets' | 'browserMark' | 'address'>): string {
  if (actor && 'userId' in actor) return `person ${actor.userId}`
  const known = marksIn(browserMark).find((mark) =>
    secrets.some((secret) => isSame(mark.slice(LENGTH), shortMacOf(secret, `mark ${mark.slice(0, LENGTH)}`))),
  )
  return known ? `browser ${known}` : address
}
