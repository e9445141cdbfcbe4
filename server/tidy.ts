const LOOKS_EVERY_MS = 1000
/** Of its time. More than the clock's own looking takes. */
const BUSY = 0.25
/** V8 keeps what it compiled through some collections before it takes it for unused. */
const COLLECTIONS = 8

/**
 * After the start, and after a busy time, memory that is no longer needed goes back to the system as soon as the house
 * is quiet. V8 does so by itself only when it runs short, and keeps room for the next burst.
 */
export function tidyInQuiet(): void {
  // Node gives it only where --expose-gc stands on the command line, as in npm start.
  const collect = globalThis.gc
  if (!collect) return
  let due = COLLECTIONS
  let before = performance.eventLoopUtilization()
  setInterval(() => {
    if (performance.eventLoopUtilization(before).utilization > BUSY) due = COLLECTIONS
    else if (due > 0) {
      due--
      void collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    }
    before = performance.eventLoopUtilization()
  }, LOOKS_EVERY_MS).unref()
}
