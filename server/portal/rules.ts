import { failAt } from '#contract/errors.ts'
import { DEFERRED_WEEKS } from '#contract/portal.ts'
import { daysAfter, type Region, localTimeOf } from '#contract/regions.ts'
import { addHours, HOUR } from '#contract/time.ts'

const MOST_WEEKS = 105
/** No call is outside of these years, and every day in and around them can be computed. */
const YEARS = { from: '2000', to: '2100' }

export const mondayOf = (day: string) => daysAfter(day, -((new Date(day).getUTCDay() + 6) % 7))

/** The requested days, or the last weeks up to today, which are whole except for the last. */
export function rangeOf(today: string, asked: { from?: string | undefined; to?: string | undefined }) {
  const to = asked.to ?? today
  const from = asked.from ?? daysAfter(mondayOf(to), -7 * (DEFERRED_WEEKS - 1))
  if (from < YEARS.from || to > YEARS.to || from > to || from <= daysAfter(to, -7 * MOST_WEEKS))
    return failAt('from', 'DATES_WRONG')
  return { from, to }
}

/** The Mondays of a range, latest first. */
export function weeksOf({ from, to }: { from: string; to: string }): string[] {
  const weeks: string[] = []
  for (let week = mondayOf(to); week >= mondayOf(from); week = daysAfter(week, -7)) weeks.push(week)
  return weeks
}

/** Clinics that chose this get one mail about the consults that ended at night, at the hour when the night is over. */
const NIGHT = { from: 18, to: 7 }

/** The end of the night in the region if it is night there, else null. */
export function morningAfter(region: Region, at: Date): Date | null {
  const hour = (at: Date) => Number(localTimeOf(region, at).time.slice(0, 2))
  if (hour(at) < NIGHT.from && hour(at) >= NIGHT.to) return null
  // Hour by hour, so that the night ends at the right hour even when the clocks change.
  let morning = new Date(Math.floor(at.getTime() / HOUR + 1) * HOUR)
  while (hour(morning) !== NIGHT.to) morning = addHours(morning, 1)
  return morning
}
