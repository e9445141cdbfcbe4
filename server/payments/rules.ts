import { createHash, createHmac } from 'node:crypto'
import type { Plan } from '#contract/memberships.ts'
import type { CheckedPet } from '../pets/writes.ts'

/** All that is needed to deliver a membership bought for a pet, kept with the purchase. */
export interface Order {
  plan?: Plan
  /** A pet that is to be added, with what was agreed to, or one that is there already. */
  pet?: CheckedPet
  agreed?: boolean
  terms?: string
  petId?: number
  /** The membership it stands in now. */
  membershipId?: number
  /** Why the card was refused, in the provider's words. */
  refusal?: string
}

export const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/**
 * What only the paying browser holds. It comes out of the purchase's own key, so that the same request can be given
 * the same one again, and stands nowhere.
 */
export const purchaseToken = (secret: Uint8Array, idempotencyKey: string) =>
  createHmac('sha256', secret).update(`purchase ${idempotencyKey}`).digest('base64url')
