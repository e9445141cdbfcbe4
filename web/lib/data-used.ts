/** Bytes that the browser's own list of what it loaded does not hold: sent files, the live line. */
let besides = 0
export const countData = (bytes: number) => void (besides += bytes)

/** Bytes over the network since the page was opened. Rounded, since it is a hint. */
export function dataUsed(): number {
  const loaded = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  const received = loaded.reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).transferSize, 0)
  return Math.round((received + besides) / 1000) * 1000
}
