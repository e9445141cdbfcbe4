import { and, eq, isNull } from 'drizzle-orm'
import type { World } from '../context.ts'
import { policies } from '../db/schema.ts'
import { asStored } from './rules.ts'

/** A policy that is live and nobody's yet; all others are simply not there. */
export async function openPolicy({ db }: Pick<World, 'db'>, typed: string) {
  const [row] = await db
    .select({
      id: policies.id,
      policy: policies.policy,
      petName: policies.petName,
      speciesId: policies.speciesId,
      holderEmail: policies.holderEmail,
    })
    .from(policies)
    .where(and(eq(policies.policy, asStored(typed)), isNull(policies.lapsedAt), isNull(policies.userId)))
  return row
}
export type OpenPolicy = NonNullable<Awaited<ReturnType<typeof openPolicy>>>
