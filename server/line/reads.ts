import { and, asc, count, eq, isNotNull, isNull } from 'drizzle-orm'
import type * as calls from '#contract/line.ts'
import { doctor } from '../consultations/rules.ts'
import type { Ctx } from '../context.ts'
import { consultations, users } from '../db/schema.ts'
import { iso } from '../wire.ts'

export async function listDuty({ db }: Ctx<typeof calls.listDuty.access>) {
  const rows = await db
    .select({
      id: users.id,
      firstName: users.firstName,
      lastName: users.lastName,
      since: users.onDutySince,
      cases: count(consultations.id),
    })
    .from(users)
    .leftJoin(consultations, and(eq(consultations.vetId, users.id), isNull(consultations.end)))
    .where(and(isNotNull(users.onDutySince), eq(users.type, 2), isNull(users.deletedAt)))
    .groupBy(users.id)
    .orderBy(asc(users.onDutySince), asc(users.id))
  return rows.map(({ id, since, cases, ...vet }) => ({ id, name: doctor(vet), since: iso(since!), cases }))
}
