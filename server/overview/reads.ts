import { and, eq, isNull, ne, notExists, sql, type SQL } from 'drizzle-orm'
import { alias, type PgColumn } from 'drizzle-orm/pg-core'
import type * as calls from '#contract/overview.ts'
import type { Region } from '#contract/regions.ts'
import type { Handler } from '../http/serve.ts'
import type { World } from '../context.ts'
import { subscriptions } from '../db/schema.ts'
import { daysUntil, figuresOf, isOfDay, tableOf, theDay } from './day-reads.ts'
import { hoursOf, longestOf, minutesOfShare, moneyOf, ratingsOf, sortedWaits, waitsTold } from './rules.ts'

type Db = Pick<World, 'db'>

export const getOverview: Handler<typeof calls.getOverview> = async ({ db, now, region }, { days: most }) => {
  const days = await daysUntil({ db }, now(), region, most)
  const figures = await figuresOf({ db }, now(), region, days)
  const table = tableOf(days)
  const came = await gainedByDay({ db }, region, table)
  const went = await lostByDay({ db }, region, table)
  const by_day = figures.map((figure, index) => {
    const isHere = ({ at }: { at: number }) => at === index + 1
    return {
      ...figure,
      day: days[index]!.day,
      net: figure.money.filter((row) => row.region === region).reduce((sum, { net }) => sum + net, 0),
      gained: came.find(isHere)?.people ?? 0,
      lost: went.find(isHere)?.people ?? 0,
    }
  })
  const total = (name: 'gained' | 'lost') => by_day.reduce((sum, row) => sum + row[name], 0)
  const waits = figures.flatMap(({ waits }) => waits)
  const all = sortedWaits(waits)
  return {
    region,
    from: days[0]!.day,
    to: days.at(-1)!.day,
    by_day,
    by_hour: hoursOf(waits),
    wait: { median: all.length > 0 ? minutesOfShare(all, 0.5) : null, longest: longestOf(figures) },
    estimates: waitsTold(figures),
    ratings: ratingsOf(figures),
    money: moneyOf(figures),
    members: { now: await membersNow({ db }, region), gained: total('gained'), lost: total('lost') },
  }
}

const other = alias(subscriptions, 'other')

/** People whose membership began or ended, unless they had another one then. */
const changedByDay = ({ db }: Db, region: Region, days: SQL, at: PgColumn, hadAnother: SQL) =>
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

const gainedByDay = (world: Db, region: Region, days: SQL) =>
  changedByDay(
    world,
    region,
    days,
    subscriptions.recurringStart,
    sql`(${other.recurringStart}, ${other.id}) < (${subscriptions.recurringStart}, ${subscriptions.id})
      and (${other.endedAt} is null or ${other.endedAt} >= ${subscriptions.recurringStart})`,
  )

const lostByDay = (world: Db, region: Region, days: SQL) =>
  changedByDay(
    world,
    region,
    days,
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
