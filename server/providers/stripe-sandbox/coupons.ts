import { metadataIn, textIn, wholeIn, type Fields } from './form.ts'
import { Refusal } from './refusal.ts'
import { basics, the, type Shop } from './shop.ts'
import { findAny, newId, put, type Thing } from './store.ts'

export interface Coupon extends Thing {
  object: 'coupon'
  amount_off: number | null
  percent_off: number | null
  currency: string | null
  duration: 'once' | 'forever'
  name: string | null
  metadata: Record<string, string>
  valid: boolean
}

export async function createCoupon(shop: Shop, fields: Fields): Promise<Coupon> {
  const id = textIn(fields, 'id') ?? newId('coupon')
  const [amount, percent] = [textIn(fields, 'amount_off'), Number(textIn(fields, 'percent_off') ?? 0)]
  const duration = textIn(fields, 'duration') ?? 'once'
  if ((amount === undefined) === (percent === 0))
    throw new Refusal(400, 'parameter_missing', 'Must provide percent_off or amount_off.')
  if (!(percent >= 0 && percent <= 100) || (amount !== undefined && !textIn(fields, 'currency')))
    throw new Refusal(400, null, 'A percentage is between 0 and 100, and an amount needs its currency.')
  if (duration !== 'once' && duration !== 'forever')
    throw new Refusal(400, null, 'Only once and forever are known here.', { param: 'duration' })
  if (await findAny(shop.db, id))
    throw new Refusal(400, 'resource_already_exists', 'Coupon already exists.', { param: 'id' })
  return put<Coupon>(shop.db, {
    id,
    object: 'coupon',
    ...basics(shop),
    amount_off: amount === undefined ? null : wholeIn(fields, 'amount_off'),
    percent_off: percent || null,
    currency: textIn(fields, 'currency')?.toLowerCase() ?? null,
    duration,
    name: textIn(fields, 'name') ?? null,
    metadata: metadataIn(fields),
    valid: true,
  })
}

/** What is left to pay of an amount. */
export async function reduced(
  shop: Shop,
  coupon: string | null,
  amount: number,
  first: boolean,
): Promise<number> {
  if (!coupon) return amount
  const { amount_off, percent_off, duration } = await the<Coupon>(
    shop,
    'coupon',
    coupon,
    'discounts[0][coupon]',
  )
  if (duration === 'once' && !first) return amount
  return Math.max(0, amount - (amount_off ?? Math.round((amount * percent_off!) / 100)))
}
