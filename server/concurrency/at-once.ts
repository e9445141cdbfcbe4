import { setImmediate } from 'node:timers/promises'

const places = new Map<string, { taken: number; waiting: (() => void)[] }>()

/**
 * Runs at most `most` pieces of work with the same key at the same time; the others wait their turn. With `countsFor`,
 * one that takes more milliseconds than that lets the next begin.
 */
export async function atOnce<T>(key: string, most: number, work: () => Promise<T>, countsFor?: number) {
  const place = places.get(key) ?? { taken: 0, waiting: [] }
  places.set(key, place)
  if (place.taken < most) place.taken++
  else await new Promise<void>((go) => place.waiting.push(go))
  let hasLeft = false
  const leave = () => {
    if (hasLeft) return
    hasLeft = true
    const next = place.waiting.shift()
    if (next) next()
    else if (--place.taken === 0) places.delete(key)
  }
  const timer = countsFor === undefined ? undefined : setTimeout(leave, countsFor)
  try {
    return await work()
  } finally {
    clearTimeout(timer)
    leave()
  }
}

/** The same for work that keeps the processor busy: calls and messages are answered before the next one begins. */
export const inBetween = <T>(key: string, most: number, work: () => T | Promise<T>, countsFor?: number) =>
  atOnce(key, most, () => setImmediate().then(work), countsFor)
