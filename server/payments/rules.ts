import type { Plan } from '#contract/memberships.ts'
import type { CheckedPet } from '../pets/writes.ts'

/** Everything needed to deliver a membership bought for a pet; stored with the purchase. */
export interface Order {
  plan?: Plan
  /** The new pet with its consents, unless the pet exists already. */
  pet?: CheckedPet
  agreed?: boolean
  terms?: string
  petId?: number
  /** The membership that the pet is in now. */
  membershipId?: number
}
