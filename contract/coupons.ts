import * as z from 'zod'
import { call } from './call.ts'
import { sentenceOf } from './errors.ts'
import { currency, id, isoDate, isoTime, nothing, optionalText, sentTime, text } from './fields.ts'
import * as lengths from './lengths.ts'
import { confirmation } from './human.ts'
import { plan, PLANS } from './memberships.ts'
import { REGION_IDS } from './regions.ts'

/* Codes that take something off a price. */

export const COUPON_PRODUCTS = ['consult', 'membership', 'both'] as const

/** Without a state, a list contains every coupon that isn't deleted. */
export const COUPON_STATES = ['active', 'ended', 'deleted'] as const
export const COUPON_SORTS = ['newest', 'used'] as const

const Coupon = z.object({
  id: z.number(),
  code: z.string(),
  amount_off: z.number().nullable(),
  percent_off: z.number().nullable(),
  left_to_pay: z.number().nullable(),
  /** How many months it applies to; null for the first payment only. */
  length: z.number().nullable(),
  referrer: z.string(),
  end: isoTime.nullable(),
  region: z.enum(REGION_IDS).nullable(),
  product: z.enum(COUPON_PRODUCTS),
  uses: z.number().nullable(),
  /** How often one buyer may use it. */
  uses_each: z.number().nullable(),
  used: z.number(),
  /** How much it took off first payments, at today's prices; one sum for each currency. */
  given: z.array(z.object({ amount: z.number(), currency })),
  updated_at: isoTime,
  deleted_at: isoTime.nullable(),
})
export type Coupon = z.infer<typeof Coupon>

export const lookUpCoupon = call('POST', '/pay/coupon', {
  summary: 'What a code takes off, if it is valid for this region and product',
  access: 'anyone',
  input: z.object({
    couponCode: text(lengths.code, sentenceOf('COUPON_INVALID'), sentenceOf('COUPON_INVALID')),
    product: z.enum(['consult', 'membership']).default('consult'),
    /** Without it, coupons of either plan match. */
    plan: plan.optional(),
    referrer: optionalText(lengths.referrer).optional(),
    ...confirmation,
  }),
  output: z.object({
    coupon: z.object({
      code: z.string(),
      /** For a coupon that fixes the price left to pay, the difference; without a plan, from the annual price. */
      amount_off: z.number().nullable(),
      percent_off: z.number().nullable(),
      left_to_pay: z.number().nullable(),
      length: z.number().nullable(),
      plan: z.enum(PLANS).nullable(),
    }),
  }),
})

export const listCoupons = call('GET', '/pay/getCoupons', {
  summary:
    'Coupons without the deleted ones, newest first, a hundred at a time; send the last id for the next page. q searches codes and referrers',
  access: ['admin'],
  input: z.object({
    cursor: id.optional(),
    q: optionalText(lengths.referrer).optional(),
    state: z.enum(COUPON_STATES).optional(),
    sort: z.enum(COUPON_SORTS).optional(),
  }),
  output: z.array(Coupon),
})

/** Forms send an empty field as an empty string, and numbers as they were typed. */
const numberOr = (error: string, min = 0, max = 100_000_000) =>
  z
    .preprocess((value: number | string | null) => {
      if (value === '') return null
      return typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value
    }, z.int({ error }).min(min, { error }).max(max, { error }).nullable())
    .optional()

export const saveCoupon = call('POST', '/pay/saveCoupon', {
  summary: 'Create a coupon, or change the one with this id; fields left out stay',
  access: ['admin'],
  /** A coupon can make everything free, for everybody. */
  again: true,
  input: z.object({
    id: id.nullish(),
    code: text(lengths.code, sentenceOf('COUPON_CODE_MISSING')),
    amount_off: numberOr(sentenceOf('COUPON_AMOUNT_NO_NUMBER')),
    percent_off: numberOr(sentenceOf('COUPON_PERCENT_NO_NUMBER')),
    left_to_pay: numberOr(sentenceOf('COUPON_AMOUNT_NO_NUMBER')),
    length: numberOr(sentenceOf('COUPON_NUMBER_WRONG'), 0, 1200),
    referrer: text(lengths.referrer, sentenceOf('COUPON_REFERRER_MISSING')),
    end: z.union([isoDate, sentTime, z.literal('')]).nullish(),
    region: z.enum(REGION_IDS).nullish(),
    product: z.enum(COUPON_PRODUCTS).optional(),
    uses: numberOr(sentenceOf('COUPON_NUMBER_WRONG'), 1),
    uses_each: numberOr(sentenceOf('COUPON_NUMBER_WRONG'), 1),
    /** The coupon's last change that the sender has seen; 409 if it was changed since. */
    updated_at: sentTime.optional(),
  }),
  output: Coupon,
})

export const deleteCoupon = call('DELETE', '/pay/deleteCoupon/:id', {
  summary: 'Delete a coupon; what was bought with it stays',
  access: ['admin'],
  input: z.object({ id }),
  output: nothing,
})

export const takeOffer = call('POST', '/consultation/:id/offer', {
  summary:
    'A coupon for the person who paid for this consult and wasn’t refunded, for one use within two weeks. A repeated call returns the same one',
  access: ['owner', 'guest'],
  input: z.object({ id, plan }),
  output: z.object({ code: z.string(), plan: z.enum(PLANS), end: isoTime }),
})
