import { createHmac, timingSafeEqual } from 'node:crypto'
import type { World } from '../context.ts'
import type { Site } from '../env.ts'

/** Everyone who has a consultation open hears what happens in it here. */
export const consultationRoom = (id: number) => `consultation:${id}`

/** As owners and colleagues call a vet. */
export const doctor = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `Dr ${firstName} ${lastName}`.trim()

/** Cases that a vet can keep up with at once by text. */
const SIDE_BY_SIDE = 3
/** Until there are some to learn from. */
const USUAL_MINUTES = 20

interface Line {
  /** Cases that wait before this one, and those that vets have. */
  ahead: number
  inProgress: number
  vets: number
  /** How long the latest took, in minutes. */
  recent: number[]
}

/** From and to how many minutes until a vet joins; null with nobody on duty, when nobody can say. */
export function expectedWait({ ahead, inProgress, vets, recent }: Line): [number, number] | null {
  if (vets === 0) return null
  const sorted = recent.toSorted((a, b) => a - b)
  const usual = sorted[sorted.length >> 1] ?? USUAL_MINUTES
  const seats = vets * SIDE_BY_SIDE
  const queued = ahead + 1 - Math.max(0, seats - inProgress)
  const minutes = Math.max(1, (queued * usual) / seats)
  return [Math.max(1, Math.round(minutes * 0.6)), Math.round(minutes * 1.4) + 2]
}
/** Where a file that was sent in a consultation is kept. */
export const attachmentKey = (name: string) => `consultations/${name}`

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
