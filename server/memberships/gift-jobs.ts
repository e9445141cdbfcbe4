import { and, asc, eq, isNull, lte, notInArray } from 'drizzle-orm'
import type { Job } from '../jobs/clock.ts'
import { newTypedCode, readable } from '../identity/codes.ts'
import { transaction } from '../context.ts'
import { giftCards, subscriptions, users } from '../db/schema.ts'
import { siteOfRegion } from '../env.ts'
import { mail } from '../mail/outbox.ts'
import { restingRows, rowByRow } from '../jobs/retry-by-row.ts'
import { giftLetter } from './gift-emails.ts'

const BATCH = 20
const CODE_LENGTH = 16

const SEND_GIFTS = 'send gift cards'
/** Sends a gift once its payment is old enough. If the membership ended before that, there is no gift. */
const sendGifts: Job = {
  name: SEND_GIFTS,
  lane: 'database',
  everyMinutes: 1,
  run: (world) =>
    transaction(world, async (world) => {
      const { db, now } = world
      const { shopName: shop } = world.env
      if (shop === undefined) return 0
      const due = await db
        .select({
          id: giftCards.id,
          gift: giftCards,
          email: users.email,
          firstName: users.firstName,
          deletedAt: users.deletedAt,
          region: subscriptions.region,
          endedAt: subscriptions.endedAt,
        })
        .from(giftCards)
        .innerJoin(users, eq(users.id, giftCards.userId))
        .innerJoin(subscriptions, eq(subscriptions.id, giftCards.subscriptionId))
        .where(
          and(
            lte(giftCards.dueAt, now()),
            isNull(giftCards.issuedAt),
            isNull(giftCards.takenBackAt),
            notInArray(giftCards.id, restingRows(world, SEND_GIFTS)),
          ),
        )
        .orderBy(asc(giftCards.dueAt))
        .limit(BATCH)
        .for('update', { of: giftCards, skipLocked: true })
      return rowByRow(world, SEND_GIFTS, due, (one) =>
        transaction(world, async (world) => {
          const { db } = world
          const { id, gift, email, firstName, deletedAt, region, endedAt } = one
          const mine = eq(giftCards.id, id)
          if (deletedAt !== null || endedAt !== null) {
            await db.update(giftCards).set({ takenBackAt: now() }).where(mine)
            return
          }
          const code = readable(newTypedCode(CODE_LENGTH), 4)
          await db.update(giftCards).set({ code, issuedAt: now() }).where(mine)
          const site = siteOfRegion(world, region)
          const { amount, currency } = gift
          const letter = giftLetter(site, { firstName, amount, currency, shop, code })
          await mail(world, site, email, 'gift card', letter)
        }),
      )
    }),
}

export const giftJobs = [sendGifts]
