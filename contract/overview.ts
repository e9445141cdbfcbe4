import * as z from 'zod'
import { call } from './call.ts'
import { currency, id, isoTime } from './fields.ts'
import { REGION_IDS } from './regions.ts'

/* What an admin looks at first: how the region's consults, waits, money and members are doing. */

/** How many days a range covers, today included. */
export const RANGES = [1, 7, 30, 90] as const
export type Range = (typeof RANGES)[number]

/** The share of consults, in percent, that we want answered within the promise. */
export const GOAL_PERCENT = 95

/** A day in the region's zone: YYYY-MM-DD. */
const day = z.string()

export const getOverview = call('GET', '/overview', {
  summary: "A region's consults, waits, ratings, money and members over the last days, in its time zone",
  access: ['admin'],
  input: z.object({ days: id.pipe(z.literal(RANGES)).default(30) }),
  output: z.object({
    region: z.enum(REGION_IDS),
    from: day,
    to: day,
    /** Every day of the range, oldest first. Consults count on the day they began; `net` is payments minus refunds. */
    by_day: z.array(
      z.object({
        day,
        text: z.number(),
        video: z.number(),
        phone: z.number(),
        /** Answered within the promised minutes, and not. */
        within: z.number(),
        late: z.number(),
        net: z.number(),
        gained: z.number(),
        lost: z.number(),
      }),
    ),
    /** How long consults that began in an hour of the day waited for their first vet. Hours without one are left out. */
    by_hour: z.array(
      z.object({ hour: z.number(), waits: z.number(), median: z.number(), nine_of_ten: z.number() }),
    ),
    /** In minutes. The longest also counts consults that still wait. */
    wait: z.object({
      median: z.number().nullable(),
      longest: z.object({ minutes: z.number(), at: isoTime }).nullable(),
    }),
    /** Consults that a vet took and whose owner had been shown an expected wait. */
    estimates: z.object({
      told: z.number(),
      sooner: z.number(),
      within: z.number(),
      later: z.number(),
      /** The estimates that were furthest off. */
      missed: z.array(
        z.object({ id: z.number(), at: isoTime, from: z.number(), to: z.number(), took: z.number() }),
      ),
    }),
    /** The owners' ratings in these days; `stars` begins with one star. */
    ratings: z.object({
      count: z.number(),
      mean: z.number().nullable(),
      with_words: z.number(),
      stars: z.array(z.number()),
    }),
    /** All regions, from the ledger. Disputes are negative until they are won. */
    money: z.array(
      z.object({
        region: z.enum(REGION_IDS),
        currency,
        charged: z.number(),
        refunds: z.number(),
        refunded: z.number(),
        disputed: z.number(),
        net: z.number(),
      }),
    ),
    /** People, not memberships: one who only changes plans is neither gained nor lost. */
    members: z.object({ now: z.number(), gained: z.number(), lost: z.number() }),
  }),
})
