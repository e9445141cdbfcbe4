import { type Region, REGIONS } from '#contract/regions.ts'
import { briefDay, dayAndTime } from '../lib/dates.ts'

/** "7 Nov" for 2026-11-07, or "Sat 7" if a week is all there is. */
export function dayShort(day: string, days: number) {
  const [weekday, date, month] = briefDay(day).split(' ')
  return days > 7 ? `${date} ${month}` : `${weekday} ${date}`
}

/** "Sat 7 Nov, 19:40" in the region's zone, wherever the reader is. */
export const timeThere = (iso: string, region: Region) => dayAndTime(iso, undefined, REGIONS[region].timeZone)

/** "1 234" with a space that doesn't break. */
export const number = (value: number) =>
  value.toLocaleString('en', { maximumFractionDigits: 1 }).replaceAll(',', '\u00A0')

/** "96.4%". 99.96 becomes 99.9, because it isn't all. */
export const percent = (part: number, of: number) =>
  `${part === of ? 100 : number(Math.min(Math.round((part / of) * 1000) / 10, 99.9))}%`

export const minutes = (value: number) => number(Math.round(value))

export const plural = (count: number, one: string, many: string) =>
  `${number(count)} ${count === 1 ? one : many}`
