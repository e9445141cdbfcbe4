import { needed, wholeIn, type Fields } from './form.ts'
import { invalid } from './refusal.ts'
import { the, type Shop } from './shop.ts'
import { newId, put, type Thing } from './store.ts'

export interface Coupon extends Thing {
  object: 'coupon'
  amount_off: number | null
  percent_off: number | null
  duration: string
  duration_in_months: number | null
  valid: boolean
}

export const createCoupon = (shop: Shop, fields: Fields): Promise<Coupon> =>
  put<Coupon>(shop.db, {
    id: newId('coupon'),
    object: 'coupon',
    created: shop.at,
    amount_off: 'amount_off' in fields ? wholeIn(fields, 'amount_off') : null,
    percent_off: 'percent_off' in fields ? Number(needed(fields, 'percent_off')) : null,
    duration: needed(fields, 'duration'),
    duration_in_months: 'duration_in_months' in fields ? wholeIn(fields, 'duration_in_months') : null,
    valid: true,
  })

/** Uses up a coupon for a new subscription, and returns when its discount ends. */
export async function redeem(shop: Shop, id: string, until: (months: number) => number) {
  const coupon = await the<Coupon>(shop, 'coupon', id, 'discounts[0][coupon]')
  if (!coupon.valid)
    throw invalid(`Coupon expired: ${id}`, { code: 'coupon_expired', param: 'discounts[0][coupon]' })
  await put<Coupon>(shop.db, { ...coupon, valid: false })
  return coupon.duration_in_months === null ? null : until(coupon.duration_in_months)
}

/** What is left to pay of an amount. */
export async function reduced(
  shop: Shop,
  { coupon, couponUntil }: { coupon: string | null; couponUntil: number | null },
  amount: number,
  { first, start }: { first: boolean; start: number },
): Promise<number> {
  if (!coupon) return amount
  const { amount_off, percent_off, duration } = await the<Coupon>(
    shop,
    'coupon',
    coupon,
    'discounts[0][coupon]',
  )
  if (duration === 'once' && !first) return amount
  if (couponUntil !== null && start >= couponUntil) return amount
  return Math.max(0, amount - (amount_off ?? Math.round((amount * percent_off!) / 100)))
}
