/* Spans of time in milliseconds. */

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** As tokens and the payment provider count. */
export const secondsOf = (at: Date) => Math.floor(at.getTime() / 1000)

export const addMinutes = (at: Date, minutes: number) => new Date(at.getTime() + minutes * MINUTE)
export const addHours = (at: Date, hours: number) => new Date(at.getTime() + hours * HOUR)
export const addDays = (at: Date, days: number) => new Date(at.getTime() + days * DAY)

/** The same day some months later, or that month's last day if it's shorter. */
export function addMonths(from: Date, months: number): Date {
  const at = new Date(from)
  at.setUTCDate(1)
  at.setUTCMonth(at.getUTCMonth() + months)
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
  at.setUTCDate(Math.min(from.getUTCDate(), last))
  return at
}
