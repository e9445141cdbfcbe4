import { and, asc, eq, isNull, lte } from 'drizzle-orm'
import type { Job } from '../clock.ts'
import { newTypedCode } from '../codes.ts'
import { transaction } from '../context.ts'
import { giftCards, subscriptions, users } from '../db/schema.ts'
import { siteOfRegion } from '../env.ts'
import { mail } from '../mail.ts'
import { giftLetter } from './emails.ts'

const BATCH = 20
const CODE_LENGTH = 16

/** A gift goes out once its payment has stood long enough; with a membership that ended before, it is none. */
const sendGifts: Job = {
  name: 'send gift cards',
  everyMinutes: 1,
  run: (world) =>
    transaction(world, async (world) => {
      const { db, now, env } = world
      const { shopName: shop } = env
      if (shop === undefined) return 0
      const due = await db
        .select({
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
        .where(and(lte(giftCards.dueAt, now()), isNull(giftCards.issuedAt), isNull(giftCards.takenBackAt)))
        .orderBy(asc(giftCards.dueAt))
        .limit(BATCH)
        .for('update', { of: giftCards, skipLocked: true })
      for (const { gift, email, firstName, deletedAt, region, endedAt } of due) {
        const mine = eq(giftCards.id, gift.id)
        if (deletedAt !== null || endedAt !== null) {
          await db.update(giftCards).set({ takenBackAt: now() }).where(mine)
          continue
        }
        const code = newTypedCode().slice(0, CODE_LENGTH).match(/.{4}/g)!.join('-')
        await db.update(giftCards).set({ code, issuedAt: now() }).where(mine)
        const site = siteOfRegion(world, region)
        const { amount, currency } = gift
        await mail(
          world,
          site,
          email,
          'gift card',
          giftLetter(site, { firstName, amount, currency, shop, code }),
        )
      }
      return due.length
    }),
}

export const giftJobs = [sendGifts]
