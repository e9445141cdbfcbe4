import { and, count, desc, eq, gt, gte, isNotNull, isNull, ne, notExists, sql, type SQL } from 'drizzle-orm'
import { alias, type PgColumn } from 'drizzle-orm/pg-core'
import type { Parsed } from '#contract/call.ts'
import { PROMISED_MINUTES } from '#contract/consultations.ts'
import type * as calls from '#contract/overview.ts'
import { type Region, REGIONS } from '#contract/regions.ts'
import { firstTaken } from '../consultations/room-reads.ts'
import type { Ctx, World } from '../context.ts'
import { consultations, ledger, ratings, subscriptions } from '../db/schema.ts'
import { iso } from '../http/wire.ts'
import { hoursOf, minutesOfShare, type Waits } from './rules.ts'

/** The days that figures are about, in the region's zone. */
interface Span {
  region: Region
  now: Date
  from: Date
  /** The days as a table: when each begins and ends, and its number from 1 on. */
  days: SQL
}

type Db = Pick<World, 'db'>

export async function getOverview(
  { db, now, region }: Ctx<typeof calls.getOverview.access>,
  { days }: Parsed<typeof calls.getOverview>,
) {
  const calendar = await daysUntil({ db }, now(), region, days)
  const span = spanOf(calendar, region, now())
  const consults = await consultsByDay({ db }, span)
  const sums = await moneyByDay({ db }, span)
  const came = await gainedByDay({ db }, span)
  const went = await lostByDay({ db }, span)
  const by_day = calendar.map(({ day }, index) => {
    const isHere = ({ at }: { at: number }) => at === index + 1
    const { text, video, phone, within, late } = consults.find(isHere)!
    return {
      day,
      text,
      video,
      phone,
      within,
      late,
      net: sums.filter((row) => isHere(row) && row.region === region).reduce((sum, { net }) => sum + net, 0),
      gained: came.find(isHere)?.people ?? 0,
      lost: went.find(isHere)?.people ?? 0,
    }
  })
  const total = (name: 'gained' | 'lost') => by_day.reduce((sum, row) => sum + row[name], 0)
  const waits = await waitsByHour({ db }, span)
  return {
    region,
    from: calendar[0]!.day,
    to: calendar.at(-1)!.day,
    by_day,
    by_hour: hoursOf(waits),
    wait: {
      median: waits.length > 0 ? minutesOfShare(waits, 0.5) : null,
      longest: await longestWait({ db }, span, consults),
    },
    estimates: await waitsTold({ db }, span),
    ratings: await ratingsOf({ db }, span),
    money: moneyOf(sums),
    members: { now: await membersNow({ db }, region), gained: total('gained'), lost: total('lost') },
  }
}

async function daysUntil({ db }: Db, now: Date, region: Region, days: number) {
  const { timeZone } = REGIONS[region]
  const midnight = sql`date_trunc('day', ${iso(now)}::timestamptz at time zone ${timeZone})`
  const day = sql`generate_series(${midnight} - ${days - 1} * interval '1 day', ${midnight}, interval '1 day')`
  return db
    .select({
      day: sql<string>`to_char(day, 'YYYY-MM-DD')`,
      begins: sql<Date>`(day at time zone ${timeZone})`.mapWith(consultations.start),
    })
    .from(sql`${day} day`)
}

function spanOf(calendar: { begins: Date }[], region: Region, now: Date): Span {
  const begins = calendar.map(({ begins }) => iso(begins))
  const times = (list: string[]) => sql`${`{${list.join()}}`}::timestamptz[]`
  const ends = [...begins.slice(1), 'infinity']
  return {
    region,
    now,
    from: calendar[0]!.begins,
    days: sql`unnest(${times(begins)}, ${times(ends)}) with ordinality as days(begins, ends, at)`,
  }
}

/** The number of the day. */
const theDay = sql<number>`days.at::int`
/** Each day reads its own part of an index, so that nothing has to be sorted into days. */
const isOfDay = (at: PgColumn) => sql`${at} >= days.begins and ${at} < days.ends`

/** Phone consults don't wait in the queue. */
const isAsked = sql`${consultations.type} <> 3`
const isTaken = sql`${isAsked} and ${firstTaken} is not null`
const promised = sql`${consultations.start} + ${PROMISED_MINUTES} * interval '1 minute'`
/** Until a vet took it, its owner left, or now. */
const waitedUntil = ({ now }: Span) =>
  sql`coalesce(${firstTaken}, ${consultations.end}, ${iso(now)}::timestamptz)`
const minutesTo = (until: SQL) => sql<number>`date_part('epoch', ${until} - ${consultations.start}) / 60`
const among = (which: SQL) => sql<number>`(count(*) filter (where ${which}))::int`

type Consults = Awaited<ReturnType<typeof consultsByDay>>

/** Who left within the promise, or still waits within it, is neither answered in time nor late. */
async function consultsByDay({ db }: Db, span: Span) {
  const until = waitedUntil(span)
  const figures = db
    .select({
      text: among(eq(consultations.type, 1)).as('text'),
      video: among(eq(consultations.type, 2)).as('video'),
      phone: among(eq(consultations.type, 3)).as('phone'),
      within: among(sql`${isTaken} and ${firstTaken} <= ${promised}`).as('within'),
      late: among(sql`${isAsked} and ${until} > ${promised}`).as('late'),
      longest: sql<number | null>`max(${minutesTo(until)}) filter (where ${isAsked})`.as('longest'),
    })
    .from(consultations)
    .where(and(eq(consultations.region, span.region), isOfDay(consultations.start)))
    .as('figures')
  return db
    .select({
      at: theDay,
      text: figures.text,
      video: figures.video,
      phone: figures.phone,
      within: figures.within,
      late: figures.late,
      longest: figures.longest,
    })
    .from(span.days)
    .crossJoinLateral(figures)
}

/** Looks only at the day that has it. */
async function longestWait({ db }: Db, span: Span, consults: Consults) {
  const [worst] = consults
    .filter(({ longest }) => longest !== null)
    .toSorted((one, other) => other.longest! - one.longest!)
  if (!worst) return null
  const until = waitedUntil(span)
  const [found] = await db
    .select({ minutes: minutesTo(until), at: consultations.start })
    .from(span.days)
    .innerJoin(consultations, isOfDay(consultations.start))
    .where(and(eq(theDay, worst.at), eq(consultations.region, span.region), isAsked))
    .orderBy(desc(minutesTo(until)))
    .limit(1)
  return { minutes: found!.minutes, at: iso(found!.at) }
}

/** How many waits of each hour of the day took how many seconds. Sorting them all would take longer than the rest. */
async function waitsByHour({ db }: Db, { region, days }: Span): Promise<Waits[]> {
  const began = db
    .select({
      hour: sql<number>`extract(hour from ${consultations.start} at time zone ${REGIONS[region].timeZone})::int`.as(
        'hour',
      ),
      seconds: sql<number>`extract(epoch from ${firstTaken} - ${consultations.start})::int`.as('seconds'),
    })
    .from(consultations)
    .where(and(eq(consultations.region, region), isOfDay(consultations.start), isTaken))
    .as('began')
  return db
    .select({ hour: began.hour, seconds: began.seconds, waits: count() })
    .from(days)
    .crossJoinLateral(began)
    .groupBy(began.hour, began.seconds)
}

const MOST_MISSED = 5

/** Compares the waits that owners were first told with those they had. */
async function waitsTold({ db }: Db, { region, days }: Span) {
  const waits = db
    .select({
      id: consultations.id,
      at: consultations.start,
      from: sql<number>`${consultations.toldFrom}`.as('from'),
      to: sql<number>`${consultations.toldTo}`.as('to'),
      took: minutesTo(firstTaken).as('took'),
    })
    .from(consultations)
    .where(
      and(
        eq(consultations.region, region),
        isOfDay(consultations.start),
        isNotNull(consultations.toldFrom),
        isNotNull(firstTaken),
      ),
    )
    .as('waits')
  const [found] = await db
    .select({
      told: count(),
      sooner: among(sql`${waits.took} < ${waits.from}`),
      later: among(sql`${waits.took} > ${waits.to}`),
    })
    .from(days)
    .crossJoinLateral(waits)
  const { told, sooner, later } = found!
  const by = sql`greatest(${waits.took} - ${waits.to}, ${waits.from} - ${waits.took})`
  const missed = await db
    .select({ id: waits.id, at: waits.at, from: waits.from, to: waits.to, took: waits.took })
    .from(days)
    .crossJoinLateral(waits)
    .where(gt(by, 0))
    .orderBy(desc(by), desc(waits.id))
    .limit(MOST_MISSED)
  return {
    told,
    sooner,
    later,
    within: told - sooner - later,
    missed: missed.map(({ at, ...row }) => ({ ...row, at: iso(at) })),
  }
}

async function ratingsOf({ db }: Db, span: Span) {
  const [found] = await db
    .select({
      count: count(),
      mean: sql<number | null>`round(avg(${ratings.stars}), 2)::float`,
      with_words: among(sql`${ratings.words} <> ''`),
      stars: sql<number[]>`array[${sql.join(
        [1, 2, 3, 4, 5].map((stars) => among(eq(ratings.stars, stars))),
        sql`, `,
      )}]`,
    })
    .from(ratings)
    .innerJoin(consultations, eq(consultations.id, ratings.consultationId))
    .where(and(gte(ratings.at, span.from), eq(consultations.region, span.region)))
  return found!
}

type Sums = Awaited<ReturnType<typeof moneyByDay>>

async function moneyByDay({ db }: Db, { days }: Span) {
  const sum = (...kinds: (typeof ledger.$inferSelect)['kind'][]) =>
    sql<number>`coalesce(sum(${ledger.amount}) filter (where ${sql`${ledger.kind} in ${kinds}`}), 0)::float`
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
      region: sums.region,
      currency: sums.currency,
      charged: sums.charged,
      refunds: sums.refunds,
      refunded: sums.refunded,
      disputed: sums.disputed,
      net: sums.net,
    })
    .from(days)
    .crossJoinLateral(sums)
}

function moneyOf(sums: Sums) {
  const places = Map.groupBy(sums, ({ region, currency }) => `${region} ${currency}`)
  return [...places.values()]
    .map((rows) => {
      const total = (name: 'charged' | 'refunds' | 'refunded' | 'disputed' | 'net') =>
        rows.reduce((sum, row) => sum + row[name], 0)
      const { region, currency } = rows[0]!
      return {
        region,
        currency,
        charged: total('charged'),
        refunds: total('refunds'),
        refunded: -total('refunded'),
        disputed: total('disputed'),
        net: total('net'),
      }
    })
    .toSorted((one, other) => one.region.localeCompare(other.region))
}

const other = alias(subscriptions, 'other')

/** People whose membership began or ended, unless they had another one then. */
const changedByDay = ({ db }: Db, { region, days }: Span, at: PgColumn, hadAnother: SQL) =>
  db
    .select({ at: theDay, people: sql<number>`count(distinct ${subscriptions.userId})::int` })
    .from(days)
    .innerJoin(subscriptions, and(eq(subscriptions.region, region), isOfDay(at)))
    .where(
      notExists(
        db
          .select({ id: other.id })
          .from(other)
          .where(and(eq(other.userId, subscriptions.userId), ne(other.id, subscriptions.id), hadAnother)),
      ),
    )
    .groupBy(sql`1`)

const gainedByDay = ({ db }: Db, span: Span) =>
  changedByDay(
    { db },
    span,
    subscriptions.recurringStart,
    sql`(${other.recurringStart}, ${other.id}) < (${subscriptions.recurringStart}, ${subscriptions.id})
      and (${other.endedAt} is null or ${other.endedAt} >= ${subscriptions.recurringStart})`,
  )

const lostByDay = ({ db }: Db, span: Span) =>
  changedByDay(
    { db },
    span,
    subscriptions.endedAt,
    sql`${other.recurringStart} <= ${subscriptions.endedAt}
      and (${other.endedAt} is null or ${other.endedAt} > ${subscriptions.endedAt})`,
  )

async function membersNow({ db }: Db, region: Region): Promise<number> {
  const [found] = await db
    .select({ people: sql<number>`count(distinct ${subscriptions.userId})::int` })
    .from(subscriptions)
    .where(and(eq(subscriptions.region, region), isNull(subscriptions.endedAt)))
  return found!.people
}
