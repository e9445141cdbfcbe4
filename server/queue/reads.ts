import { and, asc, count, eq, gte, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Parsed } from '#contract/call.ts'
import type * as calls from '#contract/queue.ts'
import { isOpen, REGIONS } from '#contract/regions.ts'
import { doctor } from '../consultations/rules.ts'
import type { Ctx } from '../context.ts'
import { auditLog, consultations, users } from '../db/schema.ts'
import { vetsOnDuty } from '../consultations/room-reads.ts'
import { iso } from '../http/wire.ts'

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

const DAY = 86_400_000

/** Compares the waits that owners were first told with those they had. */
export async function getWaitAccuracy(
  { db, now }: Ctx<typeof calls.getWaitAccuracy.access>,
  { days }: Parsed<typeof calls.getWaitAccuracy>,
) {
  // A later take after a hand-back says nothing about the first wait.
  const firstTaken = db
    .select({ at: sql`min(${auditLog.at})` })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.subject, 'consultation'),
        eq(auditLog.subjectId, sql`${consultations.id}::text`),
        eq(auditLog.action, 'took'),
      ),
    )
  const waits = db
    .select({
      from: consultations.toldFrom,
      to: consultations.toldTo,
      had: sql<number>`extract(epoch from coalesce((${firstTaken}), ${consultations.vetStart}) - ${consultations.start})::float / 60`.as(
        'had',
      ),
    })
    .from(consultations)
    .where(
      and(
        isNotNull(consultations.toldFrom),
        isNotNull(consultations.vetStart),
        gte(consultations.start, new Date(now().getTime() - days * DAY)),
      ),
    )
    .as('waits')
  const isLater = sql`filter (where ${waits.had} > ${waits.to})`
  const [found] = await db
    .select({
      told: count(),
      sooner: sql<number>`(count(*) filter (where ${waits.had} < ${waits.from}))::int`,
      later: sql<number>`(count(*) ${isLater})::int`,
      median_late_minutes: sql<
        number | null
      >`round((percentile_cont(0.5) within group (order by ${waits.had} - ${waits.to}) ${isLater})::numeric, 1)::float`,
    })
    .from(waits)
  const { told, sooner, later } = found!
  return { days, ...found!, within: told - sooner - later }
}

export async function queueStatus({ db, now, region }: Ctx<typeof calls.queueStatus.access>) {
  return {
    open: isOpen(region, now()),
    on_duty: (await vetsOnDuty({ db })) > 0,
    hours: REGIONS[region].hours?.says ?? null,
  }
}
