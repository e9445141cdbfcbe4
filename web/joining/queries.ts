import { takeOffer } from '#contract/coupons.ts'
import { useCall } from '../lib/queries.ts'

/** The personal coupon of who bought a consult; its own token is tried where the account's does not reach. */
export const useTakeOffer = (consultation: number) =>
  useCall(takeOffer, { showsFailure: true, options: { consultation } })
