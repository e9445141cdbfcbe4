import { and, desc, eq, gt, inArray, isNotNull, notExists, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { CONSULT_TYPES, PROMISED_MINUTES } from '#contract/consultations.ts'
import { type Region, REGIONS } from '#contract/regions.ts'
import { columnsOf } from '../db/columns-of.ts'
import { isPhone } from '../db/kinds.ts'
import { firstTaken } from '../consultations/room-reads.ts'
import type { World } from '../context.ts'
import { consultations, dayChanges, dayFigures, ledger, ratings } from '../db/schema.ts'
import type { DayFigures } from '../db/schema/overview.ts'
import { iso } from '../http/answers.ts'
import { FIGURES_VERSION, MOST_MISSED } from './rules.ts'

type Db = Pick<World, 'db'>

/** A day in the region's zone. Today has no end yet. */
export interface Day {
  day: string
  begins: Date
  ends: Date | null
}

/** The days up to today, oldest first. */
export async function daysUntil({ db }: Db, now: Date, region: Region, days: number): Promise<Day[]> {
  const { timeZone } = REGIONS[region]
  const midnight = sql`date_trunc('day', ${iso(now)}::timestamptz at time zone ${timeZone})`
  const day = sql`generate_series(${midnight} - ${days - 1} * interval '1 day', ${midnight}, interval '1 day')`
  const found = await db
    .select({
      day: sql<string>`to_char(day, 'YYYY-MM-DD')`,
      begins: sql<Date>`(day at time zone ${timeZone})`.mapWith(consultations.start),
    })
    .from(sql`${day} day`)
    .orderBy(sql`day`)
  return found.map((one, at) => ({ ...one, ends: found[at + 1]?.begins ?? null }))
}

/** The days as a table: when each begins and ends, and its number from 1 on. */
export function tableOf(days: Day[]): SQL {
  const times = (list: string[]) => sql`${`{${list.join()}}`}::timestamptz[]`
  const begins = times(days.map(({ begins }) => iso(begins)))
  const ends = times(days.map(({ ends }) => iso(ends) ?? 'infinity'))
  return sql`unnest(${begins}, ${ends}) with ordinality as days(begins, ends, at)`
}

export const theDay = sql<number>`days.at::int`
/** Each day reads its own part of an index, so that nothing has to be sorted into days. */
export const isOfDay = (at: PgColumn) => sql`${at} >= days.begins and ${at} < days.ends`

/** Phone consults don't wait in the queue. */
const isAsked = sql`${consultations.type} <> ${CONSULT_TYPES.phone}`
const isTaken = sql`${isAsked} and ${firstTaken} is not null`
const promised = sql`${consultations.start} + ${PROMISED_MINUTES} * interval '1 minute'`
const minutesTo = (until: SQL) => sql<number>`date_part('epoch', ${until} - ${consultations.start}) / 60`
const among = (which: SQL) => sql<number>`(count(*) filter (where ${which}))::int`

/** The figures of these days: stored ones if nothing changed since, else counted now. */
export async function figuresOf(world: Db, now: Date, region: Region, days: Day[]): Promise<DayFigures[]> {
  const kept = new Map((await keptOf(world, region, days)).map(({ at, figures }) => [days[at - 1]!, figures]))
  const rest = days.filter((day) => !kept.has(day))
  const counted = await countDays(world, now, region, rest)
  return days.map((day) => kept.get(day) ?? counted[rest.indexOf(day)]!)
}

const keptOf = ({ db }: Db, region: Region, days: Day[]) =>
  db
    .select({ at: theDay, figures: dayFigures.figures })
    .from(tableOf(days))
    .innerJoin(
      dayFigures,
      and(
        eq(dayFigures.region, region),
        sql`${dayFigures.begins} = days.begins and ${dayFigures.ends} = days.ends`,
        eq(dayFigures.version, FIGURES_VERSION),
      ),
    )
    .where(notExists(db.select({ at: dayChanges.at }).from(dayChanges).where(isOfDay(dayChanges.at))))

/** The latest of these days whose figures can be stored and aren't yet. Nobody who asked on such a day still waits. */
export async function notKept({ db }: Db, region: Region, days: Day[], most: number): Promise<Day[]> {
  const waits = db
    .select({ id: consultations.id })
    .from(consultations)
    .where(
      and(
        eq(consultations.region, region),
        isOfDay(consultations.start),
        sql`${isAsked} and ${firstTaken} is null and ${consultations.end} is null`,
      ),
    )
  const kept = await keptOf({ db }, region, days)
  const rest = days.filter((_, index) => !kept.some(({ at }) => at === index + 1))
  const found = await db
    .select({ at: theDay })
    .from(tableOf(rest))
    .where(notExists(waits))
    .orderBy(desc(theDay))
    .limit(most)
  return found.map(({ at }) => rest[at - 1]!)
}

export async function countDays(world: Db, now: Date, region: Region, days: Day[]): Promise<DayFigures[]> {
  if (days.length === 0) return []
  const table = tableOf(days)
  const figures = await sumsByDay(world, now, region, table)
  const waits = ofDays(await waitsByDay(world, region, table))
  const missed = ofDays(await missedByDay(world, region, table))
  const money = ofDays(await moneyByDay(world, table))
  return figures.map(({ at, ...row }) => ({
    ...row,
    waits: waits(at),
    missed: missed(at).map(({ start, ...row }) => ({ ...row, at: iso(start) })),
    money: money(at),
  }))
}

function ofDays<Row extends { at: number }>(rows: Row[]) {
  const days = Map.groupBy(rows, ({ at }) => at)
  return (day: number) => (days.get(day) ?? []).map(({ at: _at, ...row }) => row)
}

const took = minutesTo(firstTaken)
const isTold = sql`${isNotNull(consultations.toldFrom)} and ${isNotNull(firstTaken)}`

/** An owner who left or still waits within the promised minutes is neither answered in time nor late. */
function sumsByDay({ db }: Db, now: Date, region: Region, days: SQL) {
  // A wait lasts until a vet took the consult, its owner left, or now.
  const until = sql`coalesce(${firstTaken}, ${consultations.end}, ${iso(now)}::timestamptz)`
  const began = sql`round(extract(epoch from ${consultations.start}) * 1000)::float`
  const asked = db
    .select({
      text: among(eq(consultations.type, CONSULT_TYPES.text)).as('text'),
      video: among(eq(consultations.type, CONSULT_TYPES.video)).as('video'),
      phone: among(isPhone).as('phone'),
      within: among(sql`${isTaken} and ${firstTaken} <= ${promised}`).as('within'),
      late: among(sql`${isAsked} and ${until} > ${promised}`).as('late'),
      longest: sql<
        DayFigures['longest']
      >`max(array[${minutesTo(until)}, ${began}]) filter (where ${isAsked})`.as('longest'),
      told: among(isTold).as('told'),
      sooner: among(sql`${isTold} and ${took} < ${consultations.toldFrom}`).as('sooner'),
      later: among(sql`${isTold} and ${took} > ${consultations.toldTo}`).as('later'),
    })
    .from(consultations)
    .where(and(eq(consultations.region, region), isOfDay(consultations.start)))
    .as('asked')
  const given = db
    .select({
      stars: sql<number[]>`array[${sql.join(
        [1, 2, 3, 4, 5].map((stars) => among(eq(ratings.stars, stars))),
        sql`, `,
      )}]`.as('stars'),
      with_words: among(sql`${ratings.words} <> ''`).as('with_words'),
    })
    .from(ratings)
    .innerJoin(consultations, eq(consultations.id, ratings.consultationId))
    .where(and(isOfDay(ratings.at), eq(consultations.region, region)))
    .as('given')
  return db
    .select({
      at: theDay,
      ...columnsOf(asked, 'text', 'video', 'phone', 'within', 'late', 'longest', 'told', 'sooner', 'later'),
      ...columnsOf(given, 'stars', 'with_words'),
    })
    .from(days)
    .crossJoinLateral(asked)
    .crossJoinLateral(given)
    .orderBy(theDay)
}

function waitsByDay({ db }: Db, region: Region, days: SQL) {
  const hour = sql<number>`extract(hour from ${consultations.start} at time zone ${REGIONS[region].timeZone})::int`
  const waits = db
    .select({
      hour: hour.as('hour'),
      seconds: sql<number[]>`array_agg(extract(epoch from ${firstTaken} - ${consultations.start})::int)`.as(
        'seconds',
      ),
    })
    .from(consultations)
    .where(and(eq(consultations.region, region), isOfDay(consultations.start), isTaken))
    .groupBy(sql`1`)
    .as('waits')
  return db
    .select({ at: theDay, ...columnsOf(waits, 'hour', 'seconds') })
    .from(days)
    .crossJoinLateral(waits)
}

function missedByDay({ db }: Db, region: Region, days: SQL) {
  const by = sql<number>`greatest(${took} - ${consultations.toldTo}, ${consultations.toldFrom} - ${took})`
  const missed = db
    .select({
      id: consultations.id,
      start: consultations.start,
      from: sql<number>`${consultations.toldFrom}`.as('from'),
      to: sql<number>`${consultations.toldTo}`.as('to'),
      took: took.as('took'),
      by: by.as('by'),
    })
    .from(consultations)
    .where(and(eq(consultations.region, region), isOfDay(consultations.start), isTold, gt(by, 0)))
    .orderBy(desc(by), desc(consultations.id))
    .limit(MOST_MISSED)
    .as('missed')
  return db
    .select({
      at: theDay,
      ...columnsOf(missed, 'id', 'start', 'from', 'to', 'took', 'by'),
    })
    .from(days)
    .crossJoinLateral(missed)
}

function moneyByDay({ db }: Db, days: SQL) {
  const sum = (...kinds: (typeof ledger.$inferSelect)['kind'][]) =>
    sql<number>`coalesce(sum(${ledger.amount}) filter (where ${inArray(ledger.kind, kinds)}), 0)::float`
  const sums = db
    .select({
      region: ledger.region,
      currency: ledger.currency,
      charged: sum('charge').as('charged'),
      refunds: among(eq(ledger.kind, 'refund')).as('refunds'),
      refunded: sum('refund', 'refund_failed').as('refunded'),
      disputed: sum('dispute', 'dispute_won').as('disputed'),
      net: sql<number>`sum(${ledger.amount})::float`.as('net'),
    })
    .from(ledger)
    .where(isOfDay(ledger.at))
    .groupBy(ledger.region, ledger.currency)
    .as('sums')
  return db
    .select({
      at: theDay,
      ...columnsOf(sums, 'region', 'currency', 'charged', 'refunds', 'refunded', 'disputed', 'net'),
    })
    .from(days)
    .crossJoinLateral(sums)
}
