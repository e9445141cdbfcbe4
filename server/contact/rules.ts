import { DAY } from '#contract/time.ts'
import type { Secrets } from '../identity/secrets.ts'
import { isSigned, signed } from '../identity/signed-links.ts'

/** A link to join is valid for a week, one to leave for as long as people keep mail. Signing adds a day or two. */
const LIVES = { join: 6 * DAY, leave: 3650 * DAY }
type Deed = keyof typeof LIVES

const about = (deed: Deed, email: string) => `newsletter ${deed} ${email}`

export function newsletterCode(secrets: Secrets, now: Date, deed: Deed, email: string): string {
  const { until, signature } = signed(secrets, new Date(now.getTime() + LIVES[deed]), about(deed, email))
  return [Buffer.from(email).toString('base64url'), until, signature].join('.')
}

/** The email of a code; null if the code is invalid. */
export function emailOfCode(secrets: Secrets, now: Date, deed: Deed, code: string): string | null {
  const [named = '', until = '', signature = ''] = code.split('.')
  const email = Buffer.from(named, 'base64url').toString()
  return isSigned(secrets, now, about(deed, email), { until, signature }) ? email : null
}
