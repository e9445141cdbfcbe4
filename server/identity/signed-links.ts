import { createHmac, timingSafeEqual } from 'node:crypto'

const DAY = 86_400_000
/** A signed address is valid to the end of the next day, so it stays the same for a day and phones can cache the file. */
const SIGNED_DAYS = 2

export interface Signed {
  until?: string
  signature?: string
}

const signatureOf = (secret: Uint8Array, what: string, until: number) =>
  createHmac('sha256', secret).update(`${what} ${until}`).digest('base64url')

/** The query of an address that opens one thing for a while. */
export function signedQuery(secret: Uint8Array, now: Date, what: string): string {
  const until = (Math.floor(now.getTime() / DAY) + SIGNED_DAYS) * DAY
  return `until=${until}&signature=${signatureOf(secret, what, until)}`
}

export function isSigned(
  secret: Uint8Array,
  now: Date,
  what: string,
  { until = '', signature = '' }: Signed,
): boolean {
  const end = Number(until)
  if (!/^\d{1,15}$/.test(until) || end <= now.getTime()) return false
  const [given, right] = [Buffer.from(String(signature)), Buffer.from(signatureOf(secret, what, end))]
  return given.length === right.length && timingSafeEqual(given, right)
}
