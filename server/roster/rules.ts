import { BANDS, type Gap, ROSTER_DAYS } from '#contract/roster.ts'
import { daysAfter, instantIn, type Region, REGIONS, localTimeOf } from '#contract/regions.ts'
import { HOUR } from '#contract/time.ts'

export const daysFrom = (day: string) => Array.from({ length: ROSTER_DAYS }, (_, n) => daysAfter(day, n))

/** The span between two times of one day. An end that isn't after the beginning is on the next day. */
export const spanIn = (timeZone: string, day: string, from: string, to: string) => ({
  begin: instantIn(timeZone, day, from),
  end: instantIn(timeZone, to > from ? day : daysAfter(day, 1), to),
})
export const spanOf = (region: Region, day: string, from: string, to: string) =>
  spanIn(REGIONS[region].timeZone, day, from, to)

export const hoursOf = ({ begin, end }: { begin: Date; end: Date }) =>
  (end.getTime() - begin.getTime()) / HOUR

/** The day and band that a time belongs to. A time before the first band belongs to the last band of the day before. */
export function placeOf(region: Region, at: Date): { day: string; band: number } {
  const { day, time } = localTimeOf(region, at)
  const band = BANDS[region].findLastIndex(({ from }) => from <= time)
  return band === -1 ? { day: daysAfter(day, -1), band: BANDS[region].length - 1 } : { day, band }
}

export const isSaturday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() === 6

/** The gaps in one band of one day, from now on, in pieces that each lack the same number of vets. */
export function gapsIn(
  region: Region,
  day: string,
  band: number,
  shifts: readonly { begin: Date; end: Date }[],
  now: Date,
): Gap[] {
  const { from, to, needs, busy } = BANDS[region][band]!
  const { begin, end } = spanOf(region, day, from, to)
  const needed = isSaturday(day) || holidayOn(region, day) ? busy : needs
  const cuts = [begin, end, ...shifts.flatMap((shift) => [shift.begin, shift.end])]
    .map((at) => at.getTime())
    .filter((at) => at >= begin.getTime() && at <= end.getTime())
  const gaps: (Gap & { until: number })[] = []
  const edges = [...new Set(cuts)].toSorted((a, b) => a - b)
  for (const [n, until] of edges.entries()) {
    const since = edges[n - 1]
    if (since === undefined || until <= now.getTime()) continue
    const there = shifts.filter(
      (shift) => shift.begin.getTime() <= since && shift.end.getTime() >= until,
    ).length
    const last = gaps.at(-1)
    if (there >= needed) continue
    if (last?.until === since && last.short === needed - there)
      Object.assign(last, { until, to: localTimeOf(region, new Date(until)).time })
    else
      gaps.push({
        day,
        band,
        from: localTimeOf(region, new Date(since)).time,
        to: localTimeOf(region, new Date(until)).time,
        short: needed - there,
        nobody: there === 0,
        until,
      })
  }
  return gaps
}

/** Which way the clocks change on a day, whose hours then aren't 24. */
export function clocksOn(region: Region, day: string): 'forward' | 'back' | null {
  const hours = hoursOf(spanOf(region, day, '00:00', '00:00'))
  if (hours === 24) return null
  return hours < 24 ? 'forward' : 'back'
}

/** Month, day and name. Those of South Africa that fall on a Sunday move to the Monday. */
const FIXED: Record<Region, readonly (readonly [string, string])[]> = {
  za: [
    ['01-01', 'New Year’s Day'],
    ['03-21', 'Human Rights Day'],
    ['04-27', 'Freedom Day'],
    ['05-01', 'Workers’ Day'],
    ['06-16', 'Youth Day'],
    ['08-09', 'National Women’s Day'],
    ['09-24', 'Heritage Day'],
    ['12-16', 'Day of Reconciliation'],
    ['12-25', 'Christmas Day'],
    ['12-26', 'Day of Goodwill'],
  ],
  au: [
    ['01-01', 'New Year’s Day'],
    ['01-26', 'Australia Day'],
    ['04-25', 'Anzac Day'],
    ['12-25', 'Christmas Day'],
    ['12-26', 'Boxing Day'],
  ],
}
/** Days from Easter Sunday. */
const EASTER: Record<Region, readonly (readonly [number, string])[]> = {
  za: [
    [-2, 'Good Friday'],
    [1, 'Family Day'],
  ],
  au: [
    [-2, 'Good Friday'],
    [1, 'Easter Monday'],
  ],
}

/** The Gregorian computus of Meeus, Jones and Butcher. */
function easterOf(year: number): string {
  const a = year % 19
  const [b, c] = [Math.floor(year / 100), year % 100]
  const f = Math.floor((b + 8) / 25)
  const g = Math.floor((b - f + 1) / 3)
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const days = h + l - 7 * m + 114
  return new Date(Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1)).toISOString().slice(0, 10)
}

export const isSunday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() === 0

export function holidayOn(region: Region, day: string): string | null {
  const year = Number(day.slice(0, 4))
  const moved = EASTER[region].find(([off]) => daysAfter(easterOf(year), off) === day)
  if (moved) return moved[1]
  const fixed = FIXED[region].find(([date]) => `${year}-${date}` === day)
  if (fixed) return fixed[1]
  const before = daysAfter(day, -1)
  const sunday = region === 'za' && isSunday(before) && FIXED[region].find(([date]) => before.endsWith(date))
  return sunday ? `${sunday[1]}, moved` : null
}

export function nextHoliday(region: Region, from: string) {
  let day = from
  for (;;) {
    const name = holidayOn(region, day)
    if (name !== null) return { day, name }
    day = daysAfter(day, 1)
  }
}
