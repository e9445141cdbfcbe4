import * as z from 'zod/mini'
import { call, people } from './call.ts'
import { id, isoTime, nothing } from './fields.ts'

export const Subscription = z.object({
  id: z.number(),
  user_id: z.number(),
  /** Its first pet. */
  pet_id: z.nullable(z.number()),
  pets: z.array(z.number()),
  plan: z.enum(['annual', 'monthly']),
  stripe_subscription: z.nullable(z.string()),
  stripeData: z.object({
    id: z.nullable(z.string()),
    status: z.string(),
    current_period_end: z.nullable(isoTime),
  }),
  recurring_start: isoTime,
  end: z.nullable(isoTime),
  ended_at: z.nullable(isoTime),
  deletedAt: z.nullable(isoTime),
  source: z.string(),
  subs_id: z.nullable(z.string()),
  price: z.number(),
  currency: z.enum(['zar', 'aud']),
})
export type Subscription = z.infer<typeof Subscription>

/** A membership counts while the provider says so, or it has no end, or its end is still to come. */
export const isActive = ({ stripeData, end }: Pick<Subscription, 'stripeData' | 'end'>, now: Date) =>
  stripeData.status === 'active' || end === null || new Date(end) >= now

export const PaymentMethod = z.object({
  object: z.literal('card'),
  brand: z.string(),
  last4: z.string(),
  exp_month: z.number(),
  exp_year: z.number(),
})
export type PaymentMethod = z.infer<typeof PaymentMethod>

export const providerSubscriptions = call({
  method: 'GET',
  path: '/subscription/:userId',
  summary: "A person's subscriptions as the payment provider has them, for that person and admins",
  access: ['owner', 'admin'],
  input: z.object({ userId: id }),
  output: z.array(z.object({ id: z.string(), status: z.string(), current_period_end: z.nullable(isoTime) })),
})

export const myPaymentMethod = call({
  method: 'GET',
  path: '/subscription/userPayment/',
  summary: 'The card on file, or null',
  access: people,
  input: nothing,
  output: z.nullable(PaymentMethod),
})
