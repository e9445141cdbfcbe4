import { eq, lte } from 'drizzle-orm'
import { addDays } from '#contract/time.ts'
import type { Job } from '../jobs/clock.ts'
import type { World } from '../context.ts'
import { spent } from '../db/schema.ts'
import { hashOf } from './secrets.ts'

/** Spends a single-use token; false if it was spent before. `forgetAt` is when the token expires anyway. */
export async function spend({ db }: Pick<World, 'db'>, what: string, forgetAt: Date): Promise<boolean> {
  const keyHash = hashOf(what)
  const fresh = await db
    .insert(spent)
    .values({ keyHash, forgetAt })
    .onConflictDoNothing()
    .returning({ keyHash: spent.keyHash })
  return fresh.length === 1
}

export const isSpent = async ({ db }: Pick<World, 'db'>, what: string): Promise<boolean> =>
  (await db.$count(spent, eq(spent.keyHash, hashOf(what)))) > 0

/** A clock that was ahead for a moment must not make a token work again that hasn't expired. */
const KEPT_DAYS = 7

export const sweepSpent: Job = {
  name: 'sweep single-use tokens',
  lane: 'database',
  everyMinutes: 60,
  async run({ db, now }) {
    await db.delete(spent).where(lte(spent.forgetAt, addDays(now(), -KEPT_DAYS)))
  },
}
