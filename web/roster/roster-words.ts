import { type Gap, type Roster, ROSTER_DAYS, type Shift } from '#contract/roster.ts'
import { daysAfter, type Region, localTimeOf } from '#contract/regions.ts'

const written = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
  return (day: string) => format.format(new Date(`${day}T00:00:00Z`)).replace(',', '')
}
/** "Sat 21", "Saturday 21 November", "Sat 21 Nov". */
export const shortDay = written({ weekday: 'short', day: 'numeric' })
export const longDay = written({ weekday: 'long', day: 'numeric', month: 'long' })
export const midDay = written({ weekday: 'short', day: 'numeric', month: 'short' })
const dayOfMonth = written({ day: 'numeric' })
const dayAndMonth = written({ day: 'numeric', month: 'long' })

/** "21 to 27 November", or "28 November to 4 December". */
export function weekWords(from: string): string {
  const to = daysAfter(from, ROSTER_DAYS - 1)
  const begin = from.slice(0, 7) === to.slice(0, 7) ? dayOfMonth(from) : dayAndMonth(from)
  return `${begin} to ${dayAndMonth(to)}`
}

export const clock = (iso: string, region: Region) => localTimeOf(region, new Date(iso)).time

export const span = ({ from, to }: { from: string; to: string }) => `${from} to ${to}`

/** The date on the calendar. On the roster, the small hours belong to the night before. */
export const calendarDay = ({ day, from }: { day: string; from: string }, bands: Roster['bands']) =>
  from < bands[0]!.from ? daysAfter(day, 1) : day

export const gapWords = ({ short, nobody }: Gap) => (nobody ? 'Nobody' : `${short} short`)

/** "4 gaps, 1 with nobody". */
export function gapsWords(gaps: Gap[]): string {
  const empty = gaps.filter(({ nobody }) => nobody).length
  return `${gaps.length === 1 ? '1 gap' : `${gaps.length} gaps`}${empty > 0 ? `, ${empty} with nobody` : ''}`
}

/** How a shift's times differ from its band's: "until 18:00". */
export function unlike({ from, to }: Shift, band: { from: string; to: string }): string {
  if (from === band.from && to === band.to) return ''
  if (from === band.from) return `until ${to}`
  return to === band.to ? `from ${from}` : span({ from, to })
}

export const hoursWords = (hours: number) => (hours === 1 ? '1 hour' : `${hours} hours`)

export const restWords = (hours: number) =>
  hours === 0 ? 'no rest before' : `only ${hoursWords(hours)} of rest before`
