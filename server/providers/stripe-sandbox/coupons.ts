import { textIn, wholeIn, type Fields } from './form.ts'
import { invalid } from './refusal.ts'
import { basics, the, type Shop } from './shop.ts'
import { findAny, newId, put, type Thing } from './store.ts'

export interface Coupon extends Thing {
  object: 'coupon'
  amount_off: number | null
  percent_off: number | null
  currency: string | null
  duration: 'once' | 'repeating'
  duration_in_months: number | null
  max_redemptions: number | null
  times_redeemed: number
  valid: boolean
}

export async function createCoupon(shop: Shop, fields: Fields): Promise<Coupon> {
  const id = textIn(fields, 'id') ?? newId('coupon')
  const [amount, percent] = [textIn(fields, 'amount_off'), Number(textIn(fields, 'percent_off') ?? 0)]
  const duration = textIn(fields, 'duration') ?? 'once'
  if ((amount === undefined) === (percent === 0))
    throw invalid('Must provide percent_off or amount_off.', { code: 'parameter_missing' })
  if (!(percent >= 0 && percent <= 100) || (amount !== undefined && !textIn(fields, 'currency')))
    throw invalid('A percentage is between 0 and 100, and an amount needs its currency.')
  if (duration !== 'once' && duration !== 'repeating')
    throw invalid('Invalid duration: only once and repeating are known here', {
      param: 'duration',
    })
  if ((duration === 'repeating') !== 'duration_in_months' in fields)
    throw invalid('A repeating coupon, and no other, has duration_in_months.', {
      param: 'duration_in_months',
    })
  if (await findAny(shop.db, id))
    throw invalid('Coupon already exists.', { code: 'resource_already_exists', param: 'id' })
  return put<Coupon>(shop.db, {
    id,
    object: 'coupon',
    ...basics(shop),
    amount_off: amount === undefined ? null : wholeIn(fields, 'amount_off'),
    percent_off: percent || null,
    currency: textIn(fields, 'currency')?.toLowerCase() ?? null,
    duration,
    duration_in_months: duration === 'repeating' ? wholeIn(fields, 'duration_in_months') : null,
    max_redemptions: 'max_redemptions' in fields ? wholeIn(fields, 'max_redemptions') : null,
    times_redeemed: 0,
    valid: true,
  })
}

/** Uses a coupon for a new subscription, and returns when its discount ends. */
export async function redeem(shop: Shop, id: string, until: (months: number) => number) {
  const coupon = await the<Coupon>(shop, 'coupon', id, 'discounts[0][coupon]')
  if (!coupon.valid)
    throw invalid(`Coupon expired: ${id}`, { code: 'coupon_expired', param: 'discounts[0][coupon]' })
  const times_redeemed = coupon.times_redeemed + 1
  const valid = coupon.max_redemptions === null || times_redeemed < coupon.max_redemptions
  await put<Coupon>(shop.db, { ...coupon, times_redeemed, valid })
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
