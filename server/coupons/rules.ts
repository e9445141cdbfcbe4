import { type Plan, PLANS } from '#contract/memberships.ts'
import { type Discount, discounted } from '#contract/discounts.ts'
import { instantOf, type Currency, REGION_IDS, type Region, REGIONS } from '#contract/regions.ts'
import { hashOf } from '../identity/secrets.ts'
import { mailboxOf } from '../mail/mailbox.ts'

/** Where a coupon is valid and what it takes off. */
interface Terms {
  amountOff: number | null
  percentOff: number | null
  leftToPay: number | null
  region: Region | null
  product: 'consult' | 'membership' | 'both'
  plan: Plan | null
  end: Date | null
  uses: number | null
  usesEach: number | null
  deletedAt: Date | null
}

export interface Sale {
  product: 'consult' | 'membership'
  plan?: Plan | null | undefined
  region: Region
}

export const discountOf = (coupon: Pick<Terms, 'amountOff' | 'percentOff' | 'leftToPay'>): Discount => ({
  amount_off: coupon.amountOff,
  percent_off: coupon.percentOff,
  left_to_pay: coupon.leftToPay,
})

/** Before a plan is chosen we assume the one that pages offer first. */
export const priceOf = ({ product, plan, region }: Sale): number =>
  REGIONS[region].prices[product === 'consult' ? product : (plan ?? 'annual')]

/** Whether a coupon takes something off this purchase now, given its uses so far. */
export const holds = (coupon: Terms, sale: Sale, now: Date, used: { all: number; buyer: number }): boolean =>
  coupon.deletedAt === null &&
  (coupon.end === null || now <= coupon.end) &&
  (coupon.region === null || coupon.region === sale.region) &&
  (coupon.product === 'both' || coupon.product === sale.product) &&
  (coupon.plan === null || !sale.plan || coupon.plan === sale.plan) &&
  isLeft(coupon, used)

export const isLeft = (
  { uses, usesEach }: Pick<Terms, 'uses' | 'usesEach'>,
  used: { all: number; buyer: number },
): boolean => (uses === null || used.all < uses) && (usesEach === null || used.buyer < usesEach)

/** A price that the coupon leaves in one of its regions, above zero but too small to charge. */
export function unchargeable(
  coupon: Pick<Terms, 'amountOff' | 'percentOff' | 'leftToPay' | 'region' | 'product' | 'plan'>,
): { price: number; currency: Currency } | null {
  const plans = coupon.plan ? [coupon.plan] : PLANS
  const products = [
    ...(coupon.product === 'membership' ? [] : (['consult'] as const)),
    ...(coupon.product === 'consult' ? [] : plans),
  ]
  for (const region of coupon.region ? [coupon.region] : REGION_IDS)
    for (const product of products) {
      const { prices, smallestCharge, currency } = REGIONS[region]
      const price = discounted(prices[product], discountOf(coupon))
      if (price > 0 && price < smallestCharge) return { price, currency }
    }
  return null
}

/** The last moment of a day in a region; for a coupon of all regions, the latest of them. */
export function endOfDay(date: string, region: Region | null): Date {
  const ends = (region ? [region] : REGION_IDS).map((one) => instantOf(one, date, '24:00').getTime())
  return new Date(Math.max(...ends) - 1)
}

/** Identifies a buyer for counting, by a hash of the mailbox. */
export const buyerOf = (email: string) => hashOf(mailboxOf(email))
