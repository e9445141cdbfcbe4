import type { Row } from './row.ts'

/* A year of arrivals in a simulated queue. Its assumptions are in docs/capacity.md. */

const CONSULTS_A_YEAR = 1.2
const MEMBERS = [10_000, 100_000, 1_000_000]
/** The share of a day's consults that begins in each hour, from midnight. */
const HOURS = [
  2, 1.4, 1, 0.9, 1, 1.6, 2.6, 3.6, 4.4, 4.8, 4.9, 4.7, 4.5, 4.4, 4.4, 4.6, 5, 5.8, 7, 8, 8.2, 7, 5.2, 3,
]
const WEEKEND = 1.35
/** October to April, when ticks bite and families travel. */
const TICK_SEASON = 1.25
const SEASON_ENDS = 4
const SEASON_BEGINS = 9
/** A consult lasts this long on average, and its vet has only that one. */
const MINUTES = 14
const SHORTEST = 4
const PROMISED = 15
const LATE_AT_MOST = 0.005
const SHIFTS = [
  { name: 'night', from: 23, to: 7 },
  { name: 'day', from: 7, to: 16 },
  { name: 'evening', from: 16, to: 23 },
]
const START = Date.UTC(2027, 0, 1)
const DAYS = 365
const HOUR_MINUTES = 60

const shiftOf = (hour: number) =>
  SHIFTS.findIndex(({ from, to }) => (from < to ? hour >= from && hour < to : hour >= from || hour < to))

/** The same numbers in every run. */
function randomFrom(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** When consults begin and how long they take, in minutes from the beginning of the year. */
function* arrivals(perDay: number) {
  const random = randomFrom(7)
  const whole = HOURS.reduce((sum, one) => sum + one, 0)
  const dayWeight = (day: number) => {
    const date = new Date(START + day * 86_400_000)
    const isWeekend = date.getUTCDay() % 6 === 0
    const month = date.getUTCMonth()
    return (isWeekend ? WEEKEND : 1) * (month < SEASON_ENDS || month >= SEASON_BEGINS ? TICK_SEASON : 1)
  }
  const average =
    Array.from({ length: DAYS }, (_, day) => dayWeight(day)).reduce((sum, one) => sum + one, 0) / DAYS
  for (let hour = 0; hour < DAYS * 24; hour++) {
    const day = Math.floor(hour / 24)
    const rate = (perDay * dayWeight(day) * HOURS[hour % 24]!) / (average * whole * HOUR_MINUTES)
    for (let at = -Math.log(1 - random()) / rate; at < HOUR_MINUTES; at -= Math.log(1 - random()) / rate)
      yield {
        at: hour * HOUR_MINUTES + at,
        shift: shiftOf(hour % 24),
        takes: SHORTEST - (MINUTES - SHORTEST) * Math.log(1 - random()),
      }
  }
}

/** The waits in each shift with this many vets on duty, who take the oldest consult first. */
function waitsWith(vets: number[], perDay: number) {
  const waits: number[][] = SHIFTS.map(() => [])
  // When each vet is free next. A vet who comes on duty takes over another's open consult.
  const free: number[] = []
  for (const { at, shift, takes } of arrivals(perDay)) {
    const onDuty = vets[shift]!
    while (free.length < onDuty) free.push(at)
    let next = 0
    for (let one = 1; one < onDuty; one++) if (free[one]! < free[next]!) next = one
    const begins = Math.max(at, free[next]!)
    free[next] = begins + takes
    waits[shift]!.push(begins - at)
  }
  return waits
}

const lateShare = (waits: number[]) => waits.filter((wait) => wait > PROMISED).length / waits.length

/** The fewest vets in each shift that keep fewer than one consult in 200 waiting longer than we promise. */
export default async function waits(): Promise<Row[]> {
  const rows: Row[] = []
  for (const members of MEMBERS) {
    const perDay = (members * CONSULTS_A_YEAR) / DAYS
    const vets = SHIFTS.map(() => Math.max(1, Math.floor((perDay * MINUTES) / (24 * HOUR_MINUTES))))
    let found = waitsWith(vets, perDay)
    // One shift at a time, the worst first: consults left from the evening make the night late too.
    for (;;) {
      const late = found.map(lateShare)
      const worst = late.indexOf(Math.max(...late))
      if (late[worst]! <= LATE_AT_MOST) break
      vets[worst]! += Math.max(1, Math.floor(vets[worst]! / 25))
      found = waitsWith(vets, perDay)
    }
    for (const [at, { name, from, to }] of SHIFTS.entries()) {
      const sorted = found[at]!.toSorted((a, b) => a - b)
      const hours = ((to - from + 24) % 24) * DAYS
      rows.push({
        job: `${members.toLocaleString('en')} members, ${name} (${from} to ${to}): ${vets[at]} vets, ${(sorted.length / hours).toFixed(1)} consults an hour; the wait of 95 in 100`,
        unit: 'min',
        figure: sorted[Math.floor(sorted.length * 0.95)]!,
        goal: `99.5 in 100 within ${PROMISED} min`,
        met: lateShare(sorted) <= LATE_AT_MOST,
      })
    }
  }
  return rows
}
