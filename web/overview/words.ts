import { type Region, REGIONS } from '#contract/regions.ts'

const written = (at: Date, timeZone: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, ...options }).format(at).replace(/^(\w+),? /, '$1 ')

/** "7 Nov" for 2026-11-07, or "Sat 7" if a week is all there is. */
export const dayShort = (day: string, days: number) =>
  written(
    new Date(`${day}T00:00:00Z`),
    'UTC',
    days > 7 ? { day: 'numeric', month: 'short' } : { weekday: 'short', day: 'numeric' },
  )

/** "Sat 7 Nov". */
export const dayWhole = (day: string) =>
  written(new Date(`${day}T00:00:00Z`), 'UTC', { weekday: 'short', day: 'numeric', month: 'short' })

/** "Sat 7 Nov, 19:40" in the region's zone, wherever the reader is. */
export function timeThere(iso: string, region: Region): string {
  const { timeZone } = REGIONS[region]
  const at = new Date(iso)
  const day = written(at, timeZone, { weekday: 'short', day: 'numeric', month: 'short' })
  return `${day}, ${written(at, timeZone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })}`
}

/** "1 234" with a space that doesn't break. */
export const number = (value: number) =>
  value.toLocaleString('en', { maximumFractionDigits: 1 }).replaceAll(',', '\u00A0')

/** "96.4%". 99.96 becomes 99.9, because it isn't all. */
export const percent = (part: number, of: number) =>
  `${part === of ? 100 : number(Math.min(Math.round((part / of) * 1000) / 10, 99.9))}%`

export const minutes = (value: number) => number(Math.round(value))

export const plural = (count: number, one: string, many: string) =>
  `${number(count)} ${count === 1 ? one : many}`
