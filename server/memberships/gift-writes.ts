import { and, eq, isNull } from 'drizzle-orm'
import { GIFT_DAYS } from '#contract/discounts.ts'
import { REGIONS, type Region } from '#contract/regions.ts'
import { addDays } from '#contract/time.ts'
import type { World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { giftCards, subscriptions, users } from '../db/schema.ts'
import { mail, mailKeeper } from '../mail/outbox.ts'
import { giftBackLetter, type PromisedGift, stopCodeLetter } from './gift-emails.ts'

interface FirstPayment {
  userId: number
  subscriptionId: number
  region: Region
  /** Null if no card paid. */
  cardFingerprint: string | null
}

/** If the region has a shop, a member's first payment earns a gift, once per person and per card; else null. */
export async function promiseGift(
  { db, env, now }: Pick<World, 'db' | 'env' | 'now'>,
  { userId, subscriptionId, region, cardFingerprint }: FirstPayment,
): Promise<PromisedGift | null> {
  const shop = env.shops[region]
  if (shop === undefined || cardFingerprint === null) return null
  const [promised] = await db
    .insert(giftCards)
    .values({
      userId,
      subscriptionId,
      cardFingerprint,
      amount: REGIONS[region].prices.giftCard,
      currency: REGIONS[region].currency,
      dueAt: addDays(now(), GIFT_DAYS),
    })
    .onConflictDoNothing()
    .returning(columnsOf(giftCards, 'amount', 'currency', 'dueAt'))
  return promised ? { ...promised, shop } : null
}

/** After a refund of the payment that earned it, a gift that isn't sent yet is cancelled, and a sent one is stopped. */
export async function cancelGift(
  ctx: Pick<World, 'db' | 'env' | 'now' | 'wake' | 'log'>,
  subscriptionId: number,
): Promise<void> {
  const [gift] = await ctx.db
    .update(giftCards)
    .set({ takenBackAt: ctx.now() })
    .where(and(eq(giftCards.subscriptionId, subscriptionId), isNull(giftCards.takenBackAt)))
    .returning()
  if (!gift || gift.code === null) return
  ctx.log.warn({ event: 'gift taken back', gift: gift.id })
  const [member] = await ctx.db
    .select({ ...columnsOf(users, 'email', 'firstName', 'deletedAt'), region: subscriptions.region })
    .from(users)
    .innerJoin(subscriptions, eq(subscriptions.id, subscriptionId))
    .where(eq(users.id, gift.userId))
  const shop = ctx.env.shops[member!.region]
  if (shop === undefined) return
  const { code, amount, currency } = gift
  const letter = giftBackLetter({ firstName: member!.firstName, amount, currency, shop, code })
  if (member!.deletedAt === null) await mail(ctx, member!.region, member!.email, 'gift taken back', letter)
  await mailKeeper(ctx, 'gift to stop', stopCodeLetter({ amount, currency, shop, code }))
}
