/* Spans of time in milliseconds. */

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const addDays = (at: Date, days: number) => new Date(at.getTime() + days * DAY)
