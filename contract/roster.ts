import * as z from 'zod'
import { call, push } from './call.ts'
import { id, isoDate, isoTime, nothing, sentTime } from './fields.ts'
import type { Region } from './regions.ts'
import { HOUR } from './time.ts'

/* Who should be on duty when (decision 049). Days and times of day are those of the region's clocks. */

interface Band {
  name: string
  from: string
  to: string
  /** How many vets it needs on an ordinary day, and how many on Saturdays and holidays. */
  needs: number
  busy: number
}

/** Together they cover the region's hours. The last begins latest and may end on the next day. */
export const BANDS = {
  za: [
    { name: 'Day', from: '06:00', to: '14:00', needs: 2, busy: 3 },
    { name: 'Evening', from: '14:00', to: '22:00', needs: 2, busy: 2 },
    { name: 'Night', from: '22:00', to: '06:00', needs: 1, busy: 1 },
  ],
  au: [
    { name: 'Day', from: '06:00', to: '15:00', needs: 1, busy: 2 },
    { name: 'Evening', from: '15:00', to: '00:00', needs: 1, busy: 1 },
  ],
} as const satisfies Record<Region, readonly Band[]>

export const ROSTER_DAYS = 7
const LEAST_REST_HOURS = 10
export const LONGEST_SHIFT_HOURS = 14
/** A vet gets a mail about a change to a shift that begins within this time. */
export const TOLD_WITHIN_HOURS = 24

/** Hours of rest since the shift before, if they are too few. */
export function shortRest(begin: Date, earlier: readonly { end: Date }[]): number | null {
  const before = Math.max(
    0,
    ...earlier.map(({ end }) => end.getTime()).filter((end) => end <= begin.getTime()),
  )
  const rest = (begin.getTime() - before) / HOUR
  return rest < LEAST_REST_HOURS ? Math.round(rest * 10) / 10 : null
}

const staff = ['vet', 'admin'] as const
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)
/** An end that isn't after the beginning is on the next day. */
const times = { from: time, to: time }

const Shift = z.object({
  id: z.number(),
  vet_id: z.number(),
  name: z.string(),
  /** The day and the band in which it begins; the small hours belong to the night before. */
  day: z.string(),
  band: z.number(),
  ...times,
  begin: isoTime,
  end: isoTime,
  /** Whether its vet is asking the others to take it. Once it has begun, nobody can. */
  offered: z.boolean(),
  /** Hours of rest before it, if they are too few. */
  short_rest: z.number().nullable(),
})
export type Shift = z.infer<typeof Shift>

const Gap = z.object({
  day: z.string(),
  band: z.number(),
  ...times,
  short: z.number(),
  nobody: z.boolean(),
})
export type Gap = z.infer<typeof Gap>

const Day = z.object({
  day: z.string(),
  holiday: z.string().nullable(),
  /** Which way the clocks change early on this day; null on most days. */
  clocks: z.enum(['forward', 'back']).nullable(),
})

export const listRoster = call('GET', '/roster', {
  summary: "Seven days of the roster in the caller's region, what is missing in it, and who is on duty now",
  access: staff,
  input: z.object({ from: isoDate.optional() }),
  output: z.object({
    today: z.string(),
    days: z.array(Day),
    bands: z.array(z.object({ name: z.string(), ...times, needs: z.number(), busy: z.number() })),
    shifts: z.array(Shift),
    gaps: z.array(Gap),
    /** Everybody who can be planned, with their hours in these days. */
    vets: z.array(z.object({ id: z.number(), name: z.string(), hours: z.number() })),
    /** Planned now, on duty now, or both. */
    now: z.array(
      z.object({
        vet_id: z.number(),
        name: z.string(),
        mobile: z.string(),
        planned: z.object({ begin: isoTime, end: isoTime }).nullable(),
        on_since: isoTime.nullable(),
      }),
    ),
    next_holiday: z.object({ day: z.string(), name: z.string() }),
  }),
})
export type Roster = z.infer<typeof listRoster.output>

export const listFreeVets = call('GET', '/roster/free', {
  summary: 'Who could take a shift, those with the fewest hours in the week around it first',
  access: ['admin'],
  input: z.object({ day: isoDate, ...times }),
  output: z.array(
    z.object({ id: z.number(), name: z.string(), hours: z.number(), short_rest: z.number().nullable() }),
  ),
})

export const addShift = call('POST', '/roster/shift', {
  summary: 'Plan a shift for a vet',
  access: ['admin'],
  input: z.object({ vet_id: id, day: isoDate, ...times }),
  output: Shift,
})

/** A shift as the sender saw it. If somebody has changed it since, the call is refused. */
const seen = { vet_id: id, begin: sentTime, end: sentTime }

export const changeShift = call('PUT', '/roster/shift/:id', {
  summary: 'Change the time or the vet of a shift',
  access: ['admin'],
  input: z.object({
    id,
    vet_id: id,
    day: isoDate,
    ...times,
    was: z.object(seen),
  }),
  output: Shift,
})

export const removeShift = call('DELETE', '/roster/shift/:id', {
  summary: 'Take a shift off the roster',
  access: ['admin'],
  input: z.object({ id, ...seen }),
  output: nothing,
})

const Repeated = z.object({ name: z.string(), day: z.string(), ...times })

export const repeatWeek = call('POST', '/roster/repeat', {
  summary: 'Copy seven days to seven others; without `write`, only report what that would do',
  access: ['admin'],
  input: z.object({ from: isoDate, to: isoDate, write: z.boolean().default(false) }),
  output: z.object({ written: z.boolean(), shifts: z.array(Repeated), left_out: z.array(Repeated) }),
})

export const offerShift = call('POST', '/roster/shift/:id/offer', {
  summary: 'Offer a shift of your own to colleagues, or keep it after all',
  access: ['vet'],
  input: z.object({ id, offered: z.boolean() }),
  output: Shift,
})

export const takeShift = call('POST', '/roster/shift/:id/take', {
  summary: "Take a colleague's shift that they offer",
  access: ['vet'],
  input: z.object({ id, ...seen }),
  output: Shift,
})

export const rosterChanged = push('rosterChanged', nothing)
