import { and, asc, eq, gt, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { fail } from '#contract/errors.ts'
import { BANDS, ROSTER_DAYS, shortRest } from '#contract/roster.ts'
import type * as calls from '#contract/roster.ts'
import { daysAfter, instantOf, type Region, localTimeOf } from '#contract/regions.ts'
import { USER_TYPES } from '#contract/accounts.ts'
import { addDays, DAY } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import type { World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { doctorName, fullName } from '../db/names.ts'
import { shifts, users } from '../db/schema.ts'
import { clocksOn, daysFrom, gapsIn, holidayOn, hoursOf, nextHoliday, placeOf, spanOf } from './rules.ts'

/** A vet made by a command has no name until they enter one. */
const name = sql<string>`case ${fullName(users)} when '' then ${users.email} else ${doctorName(users)} end`

const shiftRows = ({ db }: Pick<World, 'db'>) =>
  db
    .select({
      ...columnsOf(shifts, 'id', 'region', 'vetId', 'begin', 'end', 'offeredAt'),
      name,
    })
    .from(shifts)
    .innerJoin(users, eq(users.id, shifts.vetId))

export type ShiftRow = Awaited<ReturnType<typeof shiftsBetween>>[number]

/** Every shift that touches this time, by its beginning. */
export const shiftsBetween = ({ db }: Pick<World, 'db'>, region: Region, from: Date, to: Date) =>
  shiftRows({ db })
    .where(and(eq(shifts.region, region), lt(shifts.begin, to), gt(shifts.end, from)))
    .orderBy(asc(shifts.begin), asc(shifts.id))

function listed(row: ShiftRow, around: readonly ShiftRow[], now: Date) {
  const { id, region, vetId, name, begin, end } = row
  const others = around.filter((one) => one.vetId === vetId && one.id !== id)
  return {
    id,
    vet_id: vetId,
    name,
    ...placeOf(region, begin),
    from: localTimeOf(region, begin).time,
    to: localTimeOf(region, end).time,
    begin,
    end,
    offered: row.offeredAt !== null && begin > now,
    short_rest: shortRest(begin, others),
  }
}

export async function shiftOf(ctx: Pick<World, 'db' | 'now'>, id: number) {
  const [row] = await shiftRows(ctx).where(eq(shifts.id, id))
  if (!row) return fail('NOT_FOUND')
  return listed(row, await shiftsBetween(ctx, row.region, addDays(row.begin, -1), row.end), ctx.now())
}

const vetsOf = ({ db }: Pick<World, 'db'>, region: Region) =>
  db
    .select({
      ...columnsOf(users, 'id', 'mobile', 'type'),
      name,
      on_since: users.onDutySince,
    })
    .from(users)
    .where(
      and(
        eq(users.region, region),
        isNull(users.deletedAt),
        or(
          eq(users.type, USER_TYPES.vet),
          and(eq(users.type, USER_TYPES.admin), isNotNull(users.onDutySince)),
        ),
      ),
    )
    .orderBy(asc(users.firstName), asc(users.lastName), asc(users.id))

export const listRoster: Handler<typeof calls.listRoster> = async (ctx, { from }) => {
  const { region } = ctx.actor
  const now = ctx.now()
  const today = localTimeOf(region, now).day
  const first = from ?? today
  const [firstBand, lastBand] = [BANDS[region][0], BANDS[region].at(-1)!]
  const begin = instantOf(region, first, firstBand.from)
  const { end } = spanOf(region, daysAfter(first, ROSTER_DAYS - 1), lastBand.from, lastBand.to)
  const [around, vets, atWork] = await Promise.all([
    // It starts a day earlier, because the first day's rest depends on it.
    shiftsBetween(ctx, region, addDays(begin, -1), end),
    vetsOf(ctx, region),
    shiftsBetween(ctx, region, now, new Date(now.getTime() + 1)),
  ])
  const days = daysFrom(first)
  const these = around.map((row) => listed(row, around, now)).filter(({ day }) => days.includes(day))
  const inWeek = new Set(these.map(({ id }) => id))
  const hours = (vetId: number) =>
    around
      .filter((row) => row.vetId === vetId && inWeek.has(row.id))
      .reduce((sum, row) => sum + hoursOf(row), 0)
  return {
    today,
    days: days.map((day) => ({
      day,
      holiday: holidayOn(region, day),
      clocks: clocksOn(region, day),
    })),
    bands: [...BANDS[region]],
    shifts: these,
    gaps: days.flatMap((day) => BANDS[region].flatMap((_, band) => gapsIn(region, day, band, around, now))),
    vets: vets
      .filter(({ type }) => type === USER_TYPES.vet)
      .map(({ id, name }) => ({ id, name, hours: Math.round(hours(id) * 10) / 10 })),
    now: vets.flatMap(({ id, ...vet }) => {
      const planned = atWork.find(({ vetId }) => vetId === id) ?? null
      return planned || vet.on_since ? [{ ...vet, vet_id: id, planned }] : []
    }),
    next_holiday: nextHoliday(region, today),
  }
}

export const listFreeVets: Handler<typeof calls.listFreeVets> = async (ctx, { day, from, to }) => {
  const { region } = ctx.actor
  const span = spanOf(region, day, from, to)
  const half = (ROSTER_DAYS / 2) * DAY
  const [vets, around] = await Promise.all([
    vetsOf(ctx, region),
    shiftsBetween(ctx, region, new Date(span.begin.getTime() - half), new Date(span.begin.getTime() + half)),
  ])
  return vets
    .filter(({ type }) => type === USER_TYPES.vet)
    .map(({ id, name }) => ({ id, name, own: around.filter(({ vetId }) => vetId === id) }))
    .filter(({ own }) => !own.some(({ begin, end }) => begin < span.end && end > span.begin))
    .map(({ id, name, own }) => ({
      id,
      name,
      hours: own.reduce((sum, one) => sum + hoursOf(one), 0),
      short_rest: shortRest(span.begin, own),
    }))
    .toSorted((a, b) => a.hours - b.hours || a.name.localeCompare(b.name))
}
