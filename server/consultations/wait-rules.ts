/** How many text cases a vet can handle in parallel. */
const SIDE_BY_SIDE = 3
/** Used until we have consults to learn from. */
const USUAL_MINUTES = 20
/** How many minutes a vet takes to join when they have room for another case. */
const REACTION = 2
/** In eight of ten cases the real wait is between these multiples of the expected one (test/waits.test.ts). */
const SHORTEST = 0.4
const LONGEST = 1.6

export interface QueueNow {
  vets: number
  /** Cases that wait before this one, and those that vets have. */
  ahead: number
  inProgress: number
  /** Minutes that the case at the front has waited while these vets were on duty, and how many cases they took meanwhile. */
  oldest: number
  takenMeanwhile: number
  /** Minutes that the latest cases took. */
  recent: number[]
}

/**
 * The range of minutes until a vet joins; null while no vet is on duty, because nobody can know it. The wait of the case
 * at the front shows how fast the vets really are, however much room they have.
 */
export function expectedWait(queue: QueueNow): [number, number] | null {
  const { vets, ahead, inProgress, oldest, takenMeanwhile, recent } = queue
  if (vets === 0) return null
  const sorted = recent.toSorted((a, b) => a - b)
  const usual = sorted[sorted.length >> 1] ?? USUAL_MINUTES
  const seats = vets * SIDE_BY_SIDE
  const queued = Math.max(0, ahead + 1 - Math.max(0, seats - inProgress))
  const possible = REACTION + (queued * usual) / seats
  const seen = (oldest * (ahead + 1)) / (takenMeanwhile + 1)
  const minutes = Math.max(possible, seen)
  return [Math.max(1, Math.round(minutes * SHORTEST)), Math.round(minutes * LONGEST) + 2]
}
