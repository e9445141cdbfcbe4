import { asc, eq } from 'drizzle-orm'
import type { World } from '../context.ts'
import { levelChanges, users } from '../db/schema.ts'
import { iso } from '../http/wire.ts'
import { doctor } from './rules.ts'

/** How vets changed a consult's level, the earliest first. */
export async function levelChangesOf({ db }: Pick<World, 'db'>, id: number) {
  const rows = await db
    .select({ change: levelChanges, firstName: users.firstName, lastName: users.lastName })
    .from(levelChanges)
    .innerJoin(users, eq(users.id, levelChanges.vetId))
    .where(eq(levelChanges.consultationId, id))
    .orderBy(asc(levelChanges.id))
  return rows.map(({ change: { from, to, reason, at }, ...vet }) => ({
    from,
    to,
    reason,
    by: doctor(vet),
    at: iso(at),
  }))
}
