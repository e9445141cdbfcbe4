/** How many text cases a vet can handle in parallel. */
const SIDE_BY_SIDE = 3
/** Used until we have consults to learn from. */
const USUAL_MINUTES = 20

interface QueueNow {
  /** Cases that wait before this one, and those that vets have. */
  ahead: number
  inProgress: number
  vets: number
  /** Minutes that the latest cases took. */
  recent: number[]
}

/** The range of minutes until a vet joins; null while no vet is on duty, since nobody knows. */
export function expectedWait({ ahead, inProgress, vets, recent }: QueueNow): [number, number] | null {
  if (vets === 0) return null
  const sorted = recent.toSorted((a, b) => a - b)
  const usual = sorted[sorted.length >> 1] ?? USUAL_MINUTES
  const seats = vets * SIDE_BY_SIDE
  const queued = ahead + 1 - Math.max(0, seats - inProgress)
  const minutes = Math.max(1, (queued * usual) / seats)
  return [Math.max(1, Math.round(minutes * 0.6)), Math.round(minutes * 1.4) + 2]
}
