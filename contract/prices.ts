import { type Currency, REGIONS, type Region } from './regions.ts'

/* What is taken off a price, as page and server both work it out. */

/** What a code takes off a price. Exactly one of the three is there. */
export interface Discount {
  amount_off: number | null
  percent_off: number | null
  left_to_pay: number | null
}

/** The price that a code leaves. Nobody pays less than the provider can charge: below that it is nothing. */
export function discounted(price: number, { amount_off, percent_off, left_to_pay }: Discount): number {
  const off = amount_off ?? (percent_off === null ? 0 : Math.round((price * percent_off) / 100))
  return left_to_pay === null ? Math.max(0, price - off) : Math.min(price, left_to_pay)
}

/** The promos that pages carry, and what each takes off the first payment in percent. */
export const PROMOS = { 'intro-20': 20, 'intro-30': 30, 'intro-40': 40 } as const
export type Promo = keyof typeof PROMOS
export const isPromo = (code: string | null | undefined): code is Promo =>
  code != null && Object.hasOwn(PROMOS, code)

export const OFFER_DAYS = 14

/** What a guest is offered after a consult: so much off a year, or the first three months for nothing. */
export const OFFERS = {
  annual: (region: Region): { amount: number; currency: Currency } => ({
    amount: REGIONS[region].prices.thankYouOffer,
    currency: REGIONS[region].currency,
  }),
  monthly: { months: 3 },
}
