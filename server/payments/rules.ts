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
}
