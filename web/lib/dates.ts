import { DAY, HOUR } from '#contract/time.ts'
import { say, spokenLocale } from '../ui/say.ts'
import { now } from './session.ts'

const FORMATS = {
  day: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  zone: { timeZoneName: 'short' },
} as const

/** Creating a format takes far longer than using it, and a list shows many dates. */
const made = new Map<string, Intl.DateTimeFormat>()

function parts(iso: string, format: keyof typeof FORMATS, timeZone: string | undefined) {
  const key = `${spokenLocale()} ${format} ${timeZone}`
  let known = made.get(key)
  if (!known) {
    known = new Intl.DateTimeFormat(spokenLocale(), { ...FORMATS[format], timeZone })
    made.set(key, known)
  }
  return Object.fromEntries(known.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]))
}

/** "Sun 14 Mar 2027", in the visitor's own zone unless another is given. */
export function day(iso: string, timeZone?: string): string {
  // A date without a time is that day in every zone.
  const { weekday, day, month, year } = parts(iso, 'day', iso.length === 10 ? 'UTC' : timeZone)
  return `${weekday} ${day} ${month} ${year}`
}

/**
 * "02:05", in the visitor's own zone unless another is given. In the hour that clocks show twice when summer time ends,
 * "02:05 GMT+11".
 */
export function time(iso: string, timeZone?: string): string {
  const [said, ...near] = [0, -HOUR, HOUR].map((ms) => {
    const { hour, minute } = parts(new Date(Date.parse(iso) + ms).toISOString(), 'time', timeZone)
    return `${hour}:${minute}`
  })
  return near.includes(said!) ? `${said} ${parts(iso, 'zone', timeZone)['timeZoneName']}` : said!
}

export const isToday = (iso: string) => day(iso) === day(new Date().toISOString())

/** "Sat 21 Nov", with the year when it isn't this one. */
export function briefDay(iso: string, now = new Date(), timeZone?: string): string {
  const whole = day(iso, timeZone)
  const thisYear = ` ${now.getFullYear()}`
  return whole.endsWith(thisYear) ? whole.slice(0, -thisYear.length) : whole
}

/** "Sat 21 Nov, 14:05", with the year when it isn't this one. */
export const dayAndTime = (iso: string, now?: Date, timeZone?: string): string =>
  `${briefDay(iso, now, timeZone)}, ${time(iso, timeZone)}`

/** "14:05" today, otherwise with its day. */
export const timeOrDay = (iso: string) => (isToday(iso) ? time(iso) : dayAndTime(iso))

/** "2026-11-21": the day of a time, in the visitor's own zone unless another is given. */
export const isoDay = (at: Date | number, timeZone?: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(at)

const monthsOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth()

/** The server's time, even where the device's clock is wrong. */
export const today = () => new Date(now())

/** "3 years", "5 months", "2 weeks": an age as people say it. */
export function ageOf(birth: string, now = today()): string {
  const born = new Date(`${birth}T00:00:00Z`)
  const months = monthsOf(now) - monthsOf(born) - (now.getUTCDate() < born.getUTCDate() ? 1 : 0)
  const years = Math.floor(months / 12)
  if (years >= 1) return years === 1 ? say('1 year') : say('{years} years', { years })
  if (months >= 2) return say('{months} months', { months })
  const weeks = Math.max(0, Math.floor((now.getTime() - born.getTime()) / (7 * DAY)))
  return weeks === 1 ? say('1 week') : say('{weeks} weeks', { weeks })
}

/** A pet's age. A guessed one says "about", and is never shown with a birthday. */
export const ageSaid = ({ dob, dob_approximate }: { dob: string | null; dob_approximate: boolean }) =>
  dob === null ? undefined : dob_approximate ? say('about {age}', { age: ageOf(dob) }) : ageOf(dob)

/** The date of birth for an age. Keeps the day of the month if that month has it. */
export function birthOf(years: number, months: number, now = today()): string {
  const month = monthsOf(now) - years * 12 - months
  const first = new Date(Date.UTC(Math.floor(month / 12), month % 12, 1))
  const days = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(now.getUTCDate(), days))
  return first.toISOString().slice(0, 10)
}

/** "6 to 28 minutes". Waits of an hour or more are in whole hours, and from three hours on we don't give a number. */
export function waitRange([least, most]: [number, number]): string {
  if (least < 60) return say('{least} to {most} minutes', { least, most })
  if (least < 180)
    return say('{least} to {most} hours', { least: Math.floor(least / 60), most: Math.ceil(most / 60) })
  return say('several hours')
}
