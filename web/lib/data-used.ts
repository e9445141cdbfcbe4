/** Bytes that the browser's list of loaded resources doesn't count: uploads, the socket and calls. */
let besides = 0
export const countData = (bytes: number) => void (besides += bytes)

/** Roughly how many bytes were sent and received since the page was opened. */
export function dataUsed(): number {
  const loaded = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  const received = loaded.reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).transferSize, 0)
  return Math.round((received + besides) / 1000) * 1000
}
