import type { Input } from '#contract/call.ts'
import type { Coupon, saveCoupon } from '#contract/coupons.ts'
import { sentenceOf } from '#contract/errors.ts'
import { isDay } from '#contract/fields.ts'
import { minorOf, REGION_IDS, REGIONS } from '#contract/regions.ts'
import { isoDay } from '../lib/dates.ts'
import type { Meanwhile } from '../ui/changed-meanwhile.tsx'
import type { Rules } from '../ui/form-state.ts'
import type { Refusal } from '../ui/form.tsx'

type Sent = Input<typeof saveCoupon>
export type Kind = 'percent_off' | 'amount_off' | 'left_to_pay'

/** The fields as typed, with money as people write it. */
export type CouponTyped = ReturnType<typeof typedOf>

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const CODE_LENGTH = 10

/** Leaves out letters and digits that look alike. The other 32 are equally likely for a random byte. */
export const newCode = () =>
  Array.from(
    crypto.getRandomValues(new Uint8Array(CODE_LENGTH)),
    (byte) => ALPHABET[byte % ALPHABET.length],
  ).join('')

/** A coupon's last day in its region's zone. For every region, in the zone where that day ends last. */
export function lastDayOf({ end, region }: Pick<Coupon, 'end' | 'region'>): string {
  if (end === null) return ''
  return (region ? [region] : REGION_IDS)
    .map((one) => isoDay(new Date(end), REGIONS[one].timeZone))
    .toSorted()[0]!
}

const typed = (number: number | null) => (number === null ? '' : String(number))
const moneyTyped = (minor: number | null) =>
  minor === null ? '' : (minor / 100).toFixed(minor % 100 === 0 ? 0 : 2)

export const typedOf = (coupon: Coupon | undefined) => ({
  code: coupon?.code ?? '',
  referrer: coupon?.referrer ?? '',
  kind: coupon ? kindOf(coupon) : ('percent_off' as Kind),
  percent_off: typed(coupon?.percent_off ?? null),
  amount_off: moneyTyped(coupon?.amount_off ?? null),
  left_to_pay: moneyTyped(coupon?.left_to_pay ?? null),
  region: coupon?.region ?? ('' as const),
  product: coupon?.product ?? ('both' as const),
  length: typed(coupon?.length ?? null),
  uses: typed(coupon?.uses ?? null),
  uses_each: typed(coupon?.uses_each ?? null),
  end: coupon ? lastDayOf(coupon) : '',
})

export const kindOf = (coupon: Coupon): Kind =>
  coupon.percent_off !== null ? 'percent_off' : coupon.amount_off !== null ? 'amount_off' : 'left_to_pay'

const amountOf = (typed: string) => minorOf(typed) ?? typed.trim()

export function sentOf(values: CouponTyped, coupon: Coupon | undefined): Sent {
  const { kind, region } = values
  const stays = coupon && region === (coupon.region ?? '') && values.end === lastDayOf(coupon)
  return {
    ...(coupon && { id: coupon.id, updated_at: coupon.updated_at }),
    code: values.code,
    referrer: values.referrer,
    percent_off: kind === 'percent_off' ? values.percent_off : null,
    amount_off: kind === 'amount_off' ? amountOf(values.amount_off) : null,
    left_to_pay: kind === 'left_to_pay' ? amountOf(values.left_to_pay) : null,
    region: region || null,
    product: values.product,
    length: values.product === 'consult' ? null : values.length,
    uses: values.uses,
    uses_each: values.uses_each,
    // An unchanged end keeps its minute.
    end: stays ? coupon.end : values.end,
  }
}

const wrongPercent = (typed: string) =>
  typed.trim() === ''
    ? sentenceOf('COUPON_NO_DISCOUNT')
    : /\D/.test(typed.trim()) && sentenceOf('COUPON_PERCENT_NO_NUMBER')
const wrongAmount = (typed: string) =>
  typed.trim() === ''
    ? sentenceOf('COUPON_NO_DISCOUNT')
    : minorOf(typed) === undefined && sentenceOf('COUPON_AMOUNT_NO_NUMBER')

export const couponRules: Rules<CouponTyped> = ({
  code,
  referrer,
  kind,
  percent_off,
  amount_off,
  left_to_pay,
  end,
}) => ({
  code: !code.trim() && sentenceOf('COUPON_CODE_MISSING'),
  referrer: !referrer.trim() && sentenceOf('COUPON_REFERRER_MISSING'),
  percent_off: kind === 'percent_off' && wrongPercent(percent_off),
  amount_off: kind === 'amount_off' && wrongAmount(amount_off),
  left_to_pay: kind === 'left_to_pay' && wrongAmount(left_to_pay),
  end: end !== '' && !isDay(end) && 'Enter a date such as 31/12/2027.',
})

/** Shows the server's error about the discount beside the visible field. */
export function besideShown(refusal: unknown, kind: Kind): unknown {
  const { fields } = refusal as Partial<Refusal>
  if (!fields?.['amount_off']) return refusal
  const { amount_off: said, ...others } = fields
  return { ...(refusal as Refusal), fields: { ...others, [kind]: said } }
}

const LABELS: Partial<Record<keyof CouponTyped, string>> = {
  code: 'Code',
  referrer: 'Referrer',
  percent_off: 'Percent off',
  amount_off: 'Amount off',
  left_to_pay: 'Fixed price',
  region: 'Region',
  product: 'What it’s for',
  length: 'Months of membership',
  uses: 'Total uses',
  uses_each: 'Uses per buyer',
  end: 'Last day',
}

export function changesOf(typed: CouponTyped, current: Coupon): Meanwhile[] {
  const now = typedOf(current)
  return (Object.keys(LABELS) as (keyof CouponTyped)[])
    .filter((name) => now[name] !== typed[name])
    .map((name) => ({ label: LABELS[name]!, now: String(now[name]) }))
}
