import { and, eq, isNotNull, sql, type SQL } from 'drizzle-orm'
import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/portal.ts'
import { DEFERRED_WEEKS, type Deferred, FEWEST_CALLS } from '#contract/portal.ts'
import { daysAfter, localDay, type Region, REGIONS } from '#contract/regions.ts'
import { MINUTE } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import { betweenDays } from '../db/between-days.ts'
import type { World } from '../context.ts'
import { clinicalNotes, clinics, consultations, escalations, phoneConsults } from '../db/schema.ts'
import { mondayOf, rangeOf, weeksOf } from './rules.ts'

/** What became of a call; null if the owner didn't answer, because we can't know. */
const became = sql<'deferred' | 'contact' | 'emergency' | null>`case
  when exists (select from ${escalations} where ${escalations.consultationId} = ${consultations.id})
    or ${phoneConsults.decision} = 'contact' then 'contact'
  when ${phoneConsults.decision} = 'emergency' then 'emergency'
  when ${phoneConsults.decision} = 'hours' then 'deferred'
  when ${clinicalNotes.outcome} = 'sent_in' then 'emergency'
  when ${clinicalNotes.outcome} in ('home', 'own_vet') then 'deferred' end`

const countOf = (what: 'deferred' | 'contact' | 'emergency') =>
  sql<number>`(count(*) filter (where ${became} = ${what}))::int`
const COUNTS = {
  deferred: countOf('deferred'),
  contact: countOf('contact'),
  emergency: countOf('emergency'),
}

/** Calls that a vet ended for a clinic. One that the owner took back still counts, because none of it is shown. */
const isCall = and(
  isNotNull(consultations.clinicNotifiedAt),
  isNotNull(consultations.vetId),
  isNotNull(consultations.end),
)

const zoneOf = (region: Region) => sql.raw(`'${REGIONS[region].timeZone}'`)

const counted = ({ db }: Pick<World, 'db'>, group: SQL, which: SQL | undefined) =>
  db
    .select({ group: group.mapWith(String), ...COUNTS })
    .from(consultations)
    .leftJoin(clinicalNotes, eq(clinicalNotes.consultationId, consultations.id))
    .leftJoin(phoneConsults, eq(phoneConsults.consultationId, consultations.id))
    .where(and(isCall, which))
    .groupBy(group)

/** A clinic's calls by the week in which they came. */
async function deferredOf(
  ctx: Pick<World, 'db' | 'now'>,
  { id, region }: { id: number; region: Region },
  asked: { from?: string | undefined; to?: string | undefined },
): Promise<Deferred> {
  const today = localDay(region, ctx.now())
  const range = rangeOf(today, asked)
  const month = `${today.slice(0, 8)}01`
  const its = eq(consultations.clinicId, id)
  const during = and(its, betweenDays(consultations.start, region, range.from, range.to))
  const week = sql`to_char(date_trunc('week', ${consultations.start} at time zone ${zoneOf(region)}), 'YYYY-MM-DD')`
  const [weeks, [ofMonth], [answers]] = await Promise.all([
    counted(ctx, week, during),
    counted(
      ctx,
      sql`${consultations.clinicId}`,
      and(its, betweenDays(consultations.start, region, month, today)),
    ),
    ctx.db
      .select({
        called: sql<number>`count(*)::int`,
        answered: sql<number>`count(${escalations.answeredAt})::int`,
        median_minutes: sql<
          number | null
        >`(percentile_cont(0.5) within group (order by extract(epoch from ${escalations.answeredAt} - ${escalations.startedAt})) / 60)::float`,
      })
      .from(escalations)
      .innerJoin(consultations, eq(consultations.id, escalations.consultationId))
      .where(and(isCall, during)),
  ])
  const byWeek = new Map(weeks.map(({ group, ...counts }) => [group, counts]))
  const rows = weeksOf(range).map((week) => ({ week, ...(byWeek.get(week) ?? NONE) }))
  const sum = (what: keyof typeof NONE) => rows.reduce((total, row) => total + row[what], 0)
  const { group: _, ...thisMonth } = ofMonth ?? { group: '', ...NONE }
  return {
    ...range,
    weeks: rows,
    total: { deferred: sum('deferred'), contact: sum('contact'), emergency: sum('emergency') },
    month: { from: month, ...thisMonth },
    answers: answers!,
  }
}
const NONE = { deferred: 0, contact: 0, emergency: 0 }

export const countDeferred: Handler<typeof calls.countDeferred> = (ctx, range) =>
  deferredOf(ctx, { id: ctx.actor.clinicId, region: ctx.actor.region }, range)

export const countDeferredOf: Handler<typeof calls.countDeferredOf> = async (ctx, { id, ...range }) => {
  const [clinic] = await ctx.db
    .select({ id: clinics.id, region: clinics.region })
    .from(clinics)
    .where(eq(clinics.id, id))
  const { region } = clinic ?? fail('NOT_FOUND')
  const [deferred, measured] = await Promise.all([
    deferredOf(ctx, { id, region }, range),
    measuredIn(ctx, region),
  ])
  return { ...deferred, measured }
}

/** Over the last weeks and all clinics of the region. A clinic with few calls is left out. */
async function measuredIn(ctx: Pick<World, 'db' | 'now'>, region: Region) {
  const today = localDay(region, ctx.now())
  const since = daysAfter(mondayOf(today), -7 * (DEFERRED_WEEKS - 1))
  const which = and(
    eq(consultations.region, region),
    isNotNull(consultations.clinicId),
    betweenDays(consultations.start, region, since, today),
  )
  const clinics = (await counted(ctx, sql`${consultations.clinicId}`, which))
    .map(({ deferred, contact, emergency }) => ({ deferred, calls: deferred + contact + emergency }))
    .filter(({ calls }) => calls >= FEWEST_CALLS)
  const calls = clinics.reduce((sum, one) => sum + one.calls, 0)
  const deferred = clinics.reduce((sum, one) => sum + one.deferred, 0)
  return calls === 0
    ? null
    : { percent: Math.floor((100 * deferred) / calls), clinics: clinics.length, calls }
}

/** It reads weeks of consults and changes only with a night's calls, so everybody gets the same answer for this long. */
const MEASURED_MS = 10 * MINUTE
const measured = new WeakMap<World['db'], Map<Region, { at: number; says: ReturnType<typeof measuredIn> }>>()

export const measureDeferred: Handler<typeof calls.measureDeferred> = (ctx) => {
  const known = measured.get(ctx.db) ?? new Map()
  measured.set(ctx.db, known)
  const at = ctx.now().getTime()
  const latest = known.get(ctx.region)
  if (latest && at - latest.at < MEASURED_MS) return latest.says
  const says = measuredIn(ctx, ctx.region)
  known.set(ctx.region, { at, says })
  // After a failure, the next call measures again.
  says.catch(() => known.delete(ctx.region))
  return says
}
