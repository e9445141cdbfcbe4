import { eq, sql } from 'drizzle-orm'
import type { Room } from '#contract/consultations.ts'
import type { World } from '../context.ts'
import { consultations, users } from '../db/schema.ts'
import { iso } from '../http/wire.ts'

/** Where the vet of an open consult is. A vet on duty is never away. */
export async function whereIs(
  { db }: Pick<World, 'db'>,
  vetId: number,
  { vetHere }: { vetHere: boolean },
): Promise<Room['vet']> {
  if (vetHere) return { is: 'here', since: null }
  const [vet] = await db
    .select({
      onDuty: sql<boolean>`${users.onDutySince} is not null`,
      seenAt: users.lastSeenAt,
      withAnother: sql<boolean>`exists (select from ${consultations} other
        where other.vet_id = ${vetId}::int and other."end" is null and other.vet_here)`,
    })
    .from(users)
    .where(eq(users.id, vetId))
  const { onDuty, seenAt, withAnother } = vet!
  if (!onDuty) return { is: 'away', since: iso(seenAt) }
  return { is: withAnother ? 'with_another' : 'around', since: null }
}
