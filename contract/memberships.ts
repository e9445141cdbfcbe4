import * as z from 'zod'
import { call } from './call.ts'
import { sentenceOf } from './errors.ts'
import { currency, id, isoTime } from './fields.ts'
import { type Currency, REGIONS, type Region } from './regions.ts'

/* A membership: its plan, price, pets and state. */

/** Days after a failed payment in which the owner can still pay. */
export const GRACE_DAYS = 7

export const PLANS = ['annual', 'monthly'] as const
export type Plan = (typeof PLANS)[number]
/** Calls may also send `annually`. */
export const plan = z.preprocess(
  (sent: Plan | 'annually') => (sent === 'annually' ? 'annual' : sent),
  z.enum(PLANS, { error: sentenceOf('PLAN_MISSING') }),
)

/** Members pay 10% less for a further membership. */
export const furtherMembership = (region: Region, plan: Plan): { amount: number; currency: Currency } => ({
  amount: Math.round((REGIONS[region].prices[plan] * 9) / 10),
  currency: REGIONS[region].currency,
})

export const Subscription = z.object({
  id: z.number(),
  user_id: z.number(),
  pet_id: z.number().nullable(),
  pets: z.array(z.number()),
  /** Places still taken by pets who died or moved on, each until the end of the paid period. */
  leaving: z.array(z.object({ pet: z.string(), free_from: isoTime })),
  plan: z.enum(PLANS),
  stripe_subscription: z.string().nullable(),
  stripeData: z.object({
    id: z.string().nullable(),
    status: z.string(),
    current_period_end: isoTime.nullable(),
  }),
  recurring_start: isoTime,
  end: isoTime.nullable(),
  ended_at: isoTime.nullable(),
  deletedAt: isoTime.nullable(),
  source: z.string(),
  subs_id: z.string().nullable(),
  /** After a failed payment, the day on which it ends unless a payment succeeds. */
  grace_end: isoTime.nullable(),
  /** It ends with its period, and can't be restarted while the member's bank has taken back a payment for it. */
  disputed: z.boolean(),
  /** The next payment, minus what a coupon takes off. */
  price: z.number(),
  currency,
})
export type Subscription = z.infer<typeof Subscription>

/** Active if the provider says so, or if its end is empty or in the future. */
export const isActive = ({ stripeData, end }: Pick<Subscription, 'stripeData' | 'end'>, now: Date) =>
  stripeData.status === 'active' || end === null || new Date(end) >= now

export const providerSubscriptions = call('GET', '/subscription/:userId', {
  summary: "A person's subscriptions as the payment provider has them, for that person and admins",
  access: ['owner', 'admin'],
  input: z.object({ userId: id }),
  output: z.array(z.object({ id: z.string(), status: z.string(), current_period_end: isoTime.nullable() })),
})
