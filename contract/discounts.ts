import { type Currency, REGIONS, type Region } from './regions.ts'

/** What a code takes off a price: exactly one of the three. */
export interface Discount {
  amount_off: number | null
  percent_off: number | null
  left_to_pay?: number | null
}

/** The price after a discount. Saving a coupon checks that the rest can be charged. */
export function discounted(price: number, { amount_off, percent_off, left_to_pay }: Discount): number {
  if (left_to_pay != null) return Math.min(price, left_to_pay)
  return Math.max(0, price - (amount_off ?? Math.round((price * (percent_off ?? 0)) / 100)))
}

/** Percent off the first payment. */
export const PROMOS = { 'intro-20': 20, 'intro-30': 30, 'intro-40': 40 } as const
export type Promo = keyof typeof PROMOS
export const isPromo = (code: string | null | undefined): code is Promo =>
  code != null && Object.hasOwn(PROMOS, code)

/**
 * A promo and a coupon aren't combined: the larger discount counts. If they are equal, the coupon counts, as it may
 * apply for longer.
 */
export function better(
  price: number,
  promo: Promo | null | undefined,
  coupon: Discount | null | undefined,
): { price: number; off: number; by: 'promo' | 'coupon' | null } {
  const byPromo = promo ? discounted(price, { amount_off: null, percent_off: PROMOS[promo] }) : price
  const byCoupon = coupon ? discounted(price, coupon) : price
  const left = Math.min(byPromo, byCoupon)
  if (left === price) return { price, off: 0, by: null }
  return { price: left, off: price - left, by: byCoupon <= byPromo ? 'coupon' : 'promo' }
}

export const OFFER_DAYS = 14

/** What we offer a guest after a consult: money off a year, or the first three months free. */
export const OFFERS = {
  annual: (region: Region): { amount: number; currency: Currency } => ({
    amount: REGIONS[region].prices.thankYouOffer,
    currency: REGIONS[region].currency,
  }),
  monthly: { months: 3 },
}

/** A member gets the gift card this long after the first payment. */
export const GIFT_DAYS = 7
