import { DAY } from '#contract/time.ts'
import { isSignedBy, sign, type Secrets } from './secrets.ts'

/** A signed address is valid to the end of the next day, so it stays the same for a day and phones can cache the file. */
const SIGNED_DAYS = 2

export interface Signed {
  until?: string
  signature?: string
}

const textOf = (what: string, until: number) => `${what} ${until}`

/** The time until which something can be opened, and its signature. */
export function signed(secrets: Secrets, now: Date, what: string) {
  const until = (Math.floor(now.getTime() / DAY) + SIGNED_DAYS) * DAY
  return { until: String(until), signature: sign(secrets, textOf(what, until)) }
}

/** The same as the query of an address. */
export function signedQuery(secrets: Secrets, now: Date, what: string): string {
  const { until, signature } = signed(secrets, now, what)
  return `until=${until}&signature=${signature}`
}

export function isSigned(secrets: Secrets, now: Date, what: string, { until = '', signature = '' }: Signed) {
  const end = Number(until)
  if (!/^\d{1,15}$/.test(until) || end <= now.getTime()) return false
  return isSignedBy(secrets, textOf(what, end), String(signature))
}
