import { and, asc, eq, inArray, isNull, notInArray } from 'drizzle-orm'
import { GIFT_DAYS } from '#contract/discounts.ts'
import { REGION_IDS } from '#contract/regions.ts'
import { DAY } from '#contract/time.ts'
import { newTypedCode, readable } from '../identity/codes.ts'
import { columnsOf } from '../db/columns-of.ts'
import { isDue } from '../db/due.ts'
import { giftCards, subscriptions, users } from '../db/schema.ts'
import { mail, mailKeeper } from '../mail/outbox.ts'
import { lockedRowsJob } from '../jobs/retry-by-row.ts'
import { giftLetter, newCodeLetter } from './gift-emails.ts'
import { disputed } from './reads.ts'

const BATCH = 20
const CODE_LENGTH = 16

/** Sends a gift once its payment is old enough and undisputed. If the membership ended before that, there is no gift. */
const sendGifts = lockedRowsJob({
  name: 'send gift cards',
  everyMinutes: 1,
  due: async ({ db, env, now }, resting) =>
    db
      .select({
        id: giftCards.id,
        gift: giftCards,
        ...columnsOf(users, 'email', 'firstName', 'deletedAt'),
        region: subscriptions.region,
        endedAt: subscriptions.endedAt,
      })
      .from(giftCards)
      .innerJoin(users, eq(users.id, giftCards.userId))
      .innerJoin(subscriptions, eq(subscriptions.id, giftCards.subscriptionId))
      .where(
        and(
          isDue(giftCards.dueAt, now(), GIFT_DAYS * DAY),
          inArray(
            subscriptions.region,
            REGION_IDS.filter((region) => env.shops[region] !== undefined),
          ),
          isNull(giftCards.issuedAt),
          isNull(giftCards.takenBackAt),
          eq(disputed, 0),
          notInArray(giftCards.id, resting),
        ),
      )
      .orderBy(asc(giftCards.dueAt))
      .limit(BATCH)
      .for('update', { of: giftCards, skipLocked: true }),
  async handle(world, { id, gift, email, firstName, deletedAt, region, endedAt }) {
    const { db, env, now } = world
    const mine = eq(giftCards.id, id)
    if (deletedAt !== null || endedAt !== null) {
      await db.update(giftCards).set({ takenBackAt: now() }).where(mine)
      return
    }
    const code = readable(newTypedCode(CODE_LENGTH), 4)
    await db.update(giftCards).set({ code, issuedAt: now() }).where(mine)
    const { amount, currency } = gift
    const card = { amount, currency, shop: env.shops[region]!, code }
    await mail(world, region, email, 'gift card', giftLetter({ firstName, ...card }))
    await mailKeeper(world, 'gift to add', newCodeLetter(card))
  },
})

export const giftJobs = [sendGifts]
