import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Job } from '../clock.ts'
import { purchases } from '../db/schema.ts'
import { settle } from './writes.ts'

const BATCH = 20
const AGAIN_AFTER = 60_000

/** Purchases whose process died, whose answer was lost, or whose challenge was abandoned. */
const finishPurchases: Job = {
  name: 'finish purchases',
  async run(world) {
    const { db, now, log } = world
    const due = db
      .select({ id: purchases.id })
      .from(purchases)
      .where(and(eq(purchases.kind, 'pet'), eq(purchases.state, 'paying'), lte(purchases.dueAt, now())))
      .orderBy(asc(purchases.dueAt))
      .limit(BATCH)
      .for('update', { skipLocked: true })
    const claimed = await db
      .update(purchases)
      .set({
        dueAt: new Date(now().getTime() + AGAIN_AFTER),
        attempts: sql`${purchases.attempts} + 1`,
      })
      .where(inArray(purchases.id, due))
      .returning()
    for (const purchase of claimed)
      try {
        await settle(world, purchase.id, true)
      } catch (error) {
        log.warn({
          event: 'purchase postponed',
          purchase: purchase.id,
          attempts: purchase.attempts,
          err: error,
        })
      }
    return claimed.length
  },
}

export const paymentJobs = [finishPurchases]
