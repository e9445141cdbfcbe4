import { createHmac, timingSafeEqual } from 'node:crypto'
import { FOLLOW_UP_HOURS } from '#contract/chat.ts'
import type { World } from '../context.ts'
import type { Site } from '../env.ts'

/** Everyone who has a consultation open hears what happens in it here. */
export const consultationRoom = (id: number) => `consultation:${id}`

/** As owners and colleagues call a vet. */
export const doctor = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `Dr ${firstName} ${lastName}`.trim()

/** Where a file that was sent in a consultation is kept. */
export const attachmentKey = (name: string) => `consultations/${name}`

/** Until when who was seen can still write and go on; null where no vet has ended it. */
export const followUpEnds = ({ end, cancelledAt }: { end: Date | null; cancelledAt: Date | null }) =>
  end === null || cancelledAt !== null ? null : new Date(end.getTime() + FOLLOW_UP_HOURS * 3_600_000)

/** A link that opens one consultation lives this long, and opens it once. */
const LINK_HOURS = 48

export interface LinkTo {
  /** The owner's public id. */
  customer: string
  consultation: number
}

const linkSignature = (secret: Uint8Array, { customer, consultation }: LinkTo, expires: number) =>
  createHmac('sha256', secret)
    .update(JSON.stringify(['consultation link', customer, consultation, expires]))
    .digest('base64url')

/** The address that opens one consultation without a password. One that follows another, in the same second even, is another. */
export function consultLink(
  { secret, now }: Pick<World, 'secret' | 'now'>,
  site: Site,
  to: LinkTo,
  after = 0,
): string {
  const expires = Math.max(Math.floor(now().getTime() / 1000) + LINK_HOURS * 3600, after + 1)
  const signature = linkSignature(secret, to, expires)
  return `${site.url}/userVideo/${encodeURIComponent(to.customer)}/${to.consultation}?expires=${expires}&signature=${signature}`
}

export function isLinkOfOurs(secret: Uint8Array, to: LinkTo, expires: number, signature: string): boolean {
  const [given, right] = [Buffer.from(signature), Buffer.from(linkSignature(secret, to, expires))]
  return given.length === right.length && timingSafeEqual(given, right)
}
