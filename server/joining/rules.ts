import type { Plan } from '#contract/memberships.ts'
import { better, isPromo, type Promo, PROMOS } from '#contract/discounts.ts'
import { failAt } from '#contract/errors.ts'
import { REGIONS, type Region } from '#contract/regions.ts'
import { addMonths } from '#contract/time.ts'
import { discountOf } from '../coupons/rules.ts'
import type { CouponRow } from '../coupons/reads.ts'
import type { CheckedPet } from '../pets/writes.ts'
import type { Card, ProvidedDiscount } from '../providers/payments.ts'
import type { Buyer } from '../purchases/rules.ts'

/** The person who joins. Only the password's hash is kept, and only until the account is made. */
export interface Newcomer extends Buyer {
  passwordHash: string
}

/** Everything needed to charge and deliver a membership; stored with the purchase. */
export interface Order {
  plan: Plan
  /** The plan's price, and the discount. */
  price: number
  off: ProvidedDiscount | null
  pawcareOut: boolean
  /** Missing if the buyer has an account. */
  person?: Newcomer
  pet?: CheckedPet
  /** Set once the pet is added, on delivery. */
  petId?: number | undefined
  token?: string
  agreed?: boolean | undefined
  terms?: string | undefined
  /** The card to keep on file, as the provider read it. */
  card?: Card
}

export const asCustomer = ({ person }: Order) => ({
  email: person!.email,
  name: `${person!.firstName} ${person!.lastName}`,
})

/** The price of joining now. The larger of promo and coupon counts; a promo applies to the first payment only. */
export function priced(
  region: Region,
  plan: Plan,
  said: string | null | undefined,
  coupon: CouponRow | null,
): Omit<Sale, 'coupon'> & { isCoupon: boolean } {
  const price = REGIONS[region].prices[plan]
  const promo: Promo | null = isPromo(said) ? said : null
  const { price: amount, off, by } = better(price, promo, coupon && discountOf(coupon))
  const sale = { price, amount, off: null, promo: null, isCoupon: false }
  if (by === 'promo') return { ...sale, off: { percentOff: PROMOS[promo!], months: null }, promo }
  if (by !== 'coupon') return sale
  const { percentOff, length } = coupon!
  const months = length || null
  return {
    ...sale,
    off: percentOff === null ? { amountOff: off, months } : { percentOff, months },
    isCoupon: true,
  }
}

/** The coupon's discount on later payments; none if it was for the first payment only. */
export const discountFrom = (off: ProvidedDiscount | null, from: Date) =>
  off === null || off.months === null
    ? null
    : {
        percentOff: 'percentOff' in off ? off.percentOff : null,
        amountOff: 'amountOff' in off ? off.amountOff : null,
        until: addMonths(from, off.months).toISOString(),
      }

export const failHasAccount = () => failAt('email', 'EMAIL_HAS_ACCOUNT')

export interface Sale {
  /** The plan's price. */
  price: number
  /** The first payment. */
  amount: number
  off: ProvidedDiscount | null
  promo: Promo | null
  coupon: CouponRow | null
}

interface Sent {
  plan: Plan
  pawcare_out: boolean
  stripeToken?: string | null | undefined
  agreed?: boolean | undefined
  terms?: string | undefined
}

export const quoteOf = (region: Region, { amount, coupon, promo }: Sale) => ({
  region,
  amount,
  currency: REGIONS[region].currency,
  couponId: coupon?.id ?? null,
  promo,
})

export const orderOf = (sent: Sent, { price, off }: Sale): Order => ({
  plan: sent.plan,
  price,
  off,
  pawcareOut: sent.pawcare_out,
  ...(sent.stripeToken && { token: sent.stripeToken }),
  agreed: sent.agreed,
  terms: sent.terms,
})

/** Free months need a card too, which pays once they're over (decision 037). */
export function needsCard(token: string | null | undefined) {
  if (!token) failAt('stripeToken', 'CARD_MISSING')
}
