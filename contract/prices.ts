import { type Currency, REGIONS, type Region } from './regions.ts'

/* What is taken off a price, as page and server both work it out. */

/** What a code takes off a price. Exactly one of the three is there. */
export interface Discount {
  amount_off: number | null
  percent_off: number | null
  left_to_pay?: number | null
}

/** The price that a code leaves. That it can be charged is seen to when a code is saved. */
export function discounted(price: number, { amount_off, percent_off, left_to_pay }: Discount): number {
  if (left_to_pay != null) return Math.min(price, left_to_pay)
  return Math.max(0, price - (amount_off ?? Math.round((price * (percent_off ?? 0)) / 100)))
}

/** The promos that pages carry, and what each takes off the first payment in percent. */
export const PROMOS = { 'intro-20': 20, 'intro-30': 30, 'intro-40': 40 } as const
export type Promo = keyof typeof PROMOS
export const isPromo = (code: string | null | undefined): code is Promo =>
  code != null && Object.hasOwn(PROMOS, code)

/**
 * Promo and coupon do not add up: the one that takes more off counts. Where both take the same it is the coupon, which
 * may hold for longer.
 */
export function better(
  price: number,
  promo: Promo | null | undefined,
  coupon: Discount | null | undefined,
): { price: number; off: number; by: 'promo' | 'coupon' | null } {
  const byPromo = promo ? discounted(price, { amount_off: null, percent_off: PROMOS[promo] }) : price
  const byCoupon = coupon ? discounted(price, coupon) : price
  const left = Math.min(byPromo, byCoupon)
  const by = left === price ? null : byCoupon <= byPromo ? 'coupon' : 'promo'
  return { price: left, off: price - left, by }
}

export const OFFER_DAYS = 14

/** What a guest is offered after a consult: so much off a year, or the first three months for nothing. */
export const OFFERS = {
  annual: (region: Region): { amount: number; currency: Currency } => ({
    amount: REGIONS[region].prices.thankYouOffer,
    currency: REGIONS[region].currency,
  }),
  monthly: { months: 3 },
}

/** After the first payment stands this long, a member gets the gift card. */
export const GIFT_DAYS = 7
