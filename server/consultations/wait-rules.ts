/** Cases that a vet can keep up with at once by text. */
const SIDE_BY_SIDE = 3
/** Until there are some to learn from. */
const USUAL_MINUTES = 20

interface Line {
  /** Cases that wait before this one, and those that vets have. */
  ahead: number
  inProgress: number
  vets: number
  /** How long the latest took, in minutes. */
  recent: number[]
}

/** From and to how many minutes until a vet joins; null with nobody on duty, when nobody can say. */
export function expectedWait({ ahead, inProgress, vets, recent }: Line): [number, number] | null {
  if (vets === 0) return null
  const sorted = recent.toSorted((a, b) => a - b)
  const usual = sorted[sorted.length >> 1] ?? USUAL_MINUTES
  const seats = vets * SIDE_BY_SIDE
  const queued = ahead + 1 - Math.max(0, seats - inProgress)
  const minutes = Math.max(1, (queued * usual) / seats)
  return [Math.max(1, Math.round(minutes * 0.6)), Math.round(minutes * 1.4) + 2]
}
