import { FOLLOW_UP_HOURS } from '#contract/chat.ts'
import { addHours, secondsOf } from '#contract/time.ts'
import type { World } from '../context.ts'
import { isSignedBy, sign, type Secrets } from '../identity/secrets.ts'

export const attachmentKey = (name: string) => `consultations/${name}`

interface Ended {
  end: Date | null
  cancelledAt: Date | null
  extendedUntil: Date | null
}

/** Until when the owner can still write and reopen the consult; null if no vet has ended it. */
export const followUpEnds = ({ end, cancelledAt, extendedUntil }: Ended) =>
  end === null || cancelledAt !== null ? null : (extendedUntil ?? addHours(end, FOLLOW_UP_HOURS))

/** The link expires after this long and opens once. */
export const LINK_HOURS = 48

export interface LinkTo {
  customer: string
  consultation: number
}

const linkText = ({ customer, consultation }: LinkTo, expires: number) =>
  JSON.stringify(['consultation link', customer, consultation, expires])

/** The address that opens one consultation without a password. `after` makes links of the same second differ. */
export function consultLink({ secrets, now }: Pick<World, 'secrets' | 'now'>, to: LinkTo, after = 0): string {
  const expires = Math.max(secondsOf(now()) + LINK_HOURS * 3600, after + 1)
  const signature = sign(secrets, linkText(to, expires))
  return `/userVideo/${encodeURIComponent(to.customer)}/${to.consultation}?expires=${expires}&signature=${signature}`
}

export const isLinkOfOurs = (secrets: Secrets, to: LinkTo, expires: number, signature: string) =>
  isSignedBy(secrets, linkText(to, expires), signature)
