import * as z from 'zod/mini'
import { isoTime } from './fields.ts'

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
