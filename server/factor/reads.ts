import { and, count, eq, isNotNull, isNull } from 'drizzle-orm'
import type * as calls from '#contract/factor.ts'
import type { Handler } from '../http/serve.ts'
import type { World } from '../context.ts'
import { factors, recoveryCodes } from '../db/schema.ts'

export const getFactor: Handler<typeof calls.getFactor> = async ({ db, env, actor }) => {
  const [factor] = await db
    .select({ onAt: factors.onAt, left: count(recoveryCodes.id) })
    .from(factors)
    .leftJoin(recoveryCodes, and(eq(recoveryCodes.userId, factors.userId), isNull(recoveryCodes.usedAt)))
    .where(and(eq(factors.userId, actor.userId), isNotNull(factors.onAt)))
    .groupBy(factors.userId)
  return {
    on_since: factor?.onAt ?? null,
    recovery_codes_left: factor?.left ?? 0,
    required: env.requireFactor,
  }
}

export async function factorOf({ db }: Pick<World, 'db'>, userId: number) {
  const [factor] = await db.select().from(factors).where(eq(factors.userId, userId))
  return factor
}
