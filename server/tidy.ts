const LOOKS_EVERY_MS = 1000
/** Of the processor's time in between: several times what the clock's own looking takes, half of a lively chat. */
const BUSY_MS = 100
/** Looks in a row that find the house quiet before it is tidied: soon after the start, and then only where nobody seems to come back. */
const QUIET_AT_START = 5
const QUIET_LATER = 60

/**
 * After the start, and after a busy time, memory that is no longer needed goes back to the system once the house is
 * quiet. V8 does so by itself only when it runs short, and keeps room for the next burst.
 */
export function tidyInQuiet(): void {
  // Node gives it only where --expose-gc stands on the command line, as in npm start.
  const collect = globalThis.gc
  if (!collect) return
  let quiet = 0
  let enough = QUIET_AT_START
  let before = process.cpuUsage()
  setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    quiet = (user + system) / 1000 > BUSY_MS ? 0 : quiet + 1
    if (quiet === enough) {
      void collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
      enough = QUIET_LATER
    }
    before = process.cpuUsage()
  }, LOOKS_EVERY_MS).unref()
}
