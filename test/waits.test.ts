import { expect, it } from 'vitest'
import { expectedWait } from '#server/consultations/wait-rules.ts'
import { dice } from '#test/dice.ts'

interface Night {
  /** Consults that start in each hour of the night. */
  arrivals: number[]
  /** When each vet comes and leaves, in minutes. */
  vets: [from: number, to: number][]
  /** How long a free vet takes to look at the queue, in minutes. */
  looks: number
}

const tenHours = (each: number) => Array.from({ length: 10 }, () => each)
const NIGHTS: Record<string, Night> = {
  quiet: { arrivals: tenHours(2), vets: [[0, 600]], looks: 2 },
  busy: {
    arrivals: [6, 10, 16, 20, 18, 14, 10, 8, 6, 4],
    vets: [
      [0, 600],
      [0, 600],
    ],
    looks: 2,
  },
  'one vet leaves': {
    arrivals: tenHours(10),
    vets: [
      [0, 600],
      [0, 200],
    ],
    looks: 2,
  },
  none: { arrivals: tenHours(4), vets: [[240, 600]], looks: 2 },
  'a vet who hardly looks': { arrivals: tenHours(6), vets: [[0, 600]], looks: 15 },
}
const TIMES = 200
const MOST_CASES = 4

/** One night, minute by minute: what each owner was told first, and how long they then waited. */
function replay(night: Night, seed: number, knowsOldest = true) {
  const random = dice(seed)
  const exponential = (mean: number) => -Math.log(1 - random()) * mean
  /** Most consults take 10 to 40 minutes, a few over an hour. */
  const duration = () => 20 * Math.exp(0.6 * (random() + random() + random() + random() - 2) * Math.sqrt(3))
  const waiting: { since: number; told: [number, number] | null }[] = []
  const vets = night.vets.map(([from, to]) => ({ from, to, looksAgain: from, ends: [] as number[] }))
  const recent: number[] = []
  const taken: number[] = []
  const seen: { told: [number, number]; had: number }[] = []
  let next = exponential(10)
  const after = (now: number) => {
    const rate = night.arrivals[Math.floor(now / 60)]
    return rate ? now + exponential(60 / rate) : Infinity
  }
  for (let now = 0; now < 600 || (waiting.length > 0 && now < 1200); now++) {
    const here = vets.filter((vet) => vet.from <= now && now < vet.to)
    for (; next <= now; next = after(Math.max(now, next))) {
      const since = Math.max(waiting[0]?.since ?? now, Math.min(...here.map(({ from }) => from)))
      const oldest = here.length > 0 ? now - since : 0
      const inProgress = vets.reduce((sum, { ends }) => sum + ends.length, 0)
      const told = expectedWait({
        ahead: waiting.length,
        inProgress,
        oldest: knowsOldest ? oldest : 0,
        takenMeanwhile: taken.filter((at) => at > now - oldest).length,
        vets: here.length,
        recent: recent.slice(-20),
      })
      waiting.push({ since: now, told })
    }
    for (const vet of vets) {
      const before = vet.ends.length
      vet.ends = vet.ends.filter((end) => end > now)
      if (vet.ends.length < before) vet.looksAgain = Math.min(vet.looksAgain, now + exponential(night.looks))
    }
    for (const vet of here) {
      if (vet.ends.length >= MOST_CASES - 1 || vet.looksAgain > now || !waiting[0]) continue
      const one = waiting.shift()!
      const took = duration()
      recent.push(took)
      taken.push(now)
      vet.ends.push(now + took)
      vet.looksAgain = now + exponential(night.looks)
      if (one.told) seen.push({ told: one.told, had: now - one.since })
    }
  }
  return seen
}

const part = (seen: ReturnType<typeof replay>) =>
  seen.filter(({ told: [least, most], had }) => Math.max(1, had) >= least && had <= most).length / seen.length

it.each(Object.keys(NIGHTS))(
  'the wait shown to owners comes true for eight of ten, on a night of the kind: %s [CON-13]',
  (kind) => {
    const seen = Array.from({ length: TIMES }, (_, at) => replay(NIGHTS[kind]!, at + 1)).flat()
    expect(part(seen)).toBeGreaterThanOrEqual(0.8)
  },
)

it('the wait shown would be too short without knowing how long the oldest consult has waited [CON-13]', () => {
  const night = NIGHTS['a vet who hardly looks']!
  const seen = Array.from({ length: TIMES }, (_, at) => replay(night, at + 1, false)).flat()
  expect(part(seen)).toBeLessThan(0.6)
})
