import { type Deferred, FEWEST_CALLS } from '#contract/portal.ts'
import { DAY } from '#contract/time.ts'

export type Counts = Deferred['total']

export const callsOf = ({ deferred, contact, emergency }: Counts) => deferred + contact + emergency

const name = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
  return (day: string) => format.format(new Date(day)).replace(',', '')
}
/** "16 Nov". */
export const weekName = name({ day: 'numeric', month: 'short' })
export const monthName = name({ month: 'long' })
export const wholeDay = name({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
const weekday = name({ weekday: 'short' })

/** Null if there are too few calls for a percentage. */
export const shareOf = (counts: Counts) =>
  callsOf(counts) < FEWEST_CALLS ? null : Math.floor((100 * counts.deferred) / callsOf(counts))

/** The last week ends today, if it isn't Sunday. */
export const partOf = (week: string, to: string) =>
  Date.parse(to) - Date.parse(week) < 6 * DAY && to >= week ? ` (to ${weekday(to)})` : ''

export const DEFERRED_HEAD = ['Week from', 'Deferred', 'Contact called', 'Emergency clinic', 'All']

/** The rows of the table as a file, with dates and numbers only. */
export const csvOf = ({ weeks, total }: Deferred) =>
  [
    DEFERRED_HEAD,
    ...weeks.map((one) => [one.week, one.deferred, one.contact, one.emergency, callsOf(one)]),
    ['All', total.deferred, total.contact, total.emergency, callsOf(total)],
  ]
    .map((row) => `${row.join(',')}\r\n`)
    .join('')
