import { and, asc, inArray, lte, sql } from 'drizzle-orm'
import type { Job } from '../jobs/clock.ts'
import { purchases } from '../db/schema.ts'
import type { Kind } from './rules.ts'
import { deliver, kindOf, settle } from './writes.ts'

const BATCH = 20
const AGAIN_AFTER = 60_000

/** Finishes purchases whose process died, whose answer was lost, whose challenge was abandoned or that nobody fetched. */
export const finishPurchases = (kinds: readonly Kind[]): Job => ({
  name: 'finish purchases',
  async run(world) {
    const { db, now, log } = world
    const due = db
      .select({ id: purchases.id })
      .from(purchases)
      .where(
        and(
          inArray(
            purchases.kind,
            kinds.map(({ kind }) => kind),
          ),
          inArray(purchases.state, ['paying', 'paid']),
          lte(purchases.dueAt, now()),
        ),
      )
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
        const kind = kindOf(kinds, purchase.kind)
        if (purchase.state === 'paid') await deliver(world, kind, purchase, null)
        else await settle(world, kind, purchase.id, true)
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
})
