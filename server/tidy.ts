const LOOKS_EVERY_MS = 1000
/** Processor time between two looks: several times what the clock itself needs, and half of a lively chat. */
const BUSY_MS = 100
/** Quiet looks in a row before we collect: few after the start, and later enough to be sure that traffic is over. */
const QUIET_AT_START = 5
const QUIET_LATER = 60

/**
 * Returns unused memory to the system once the server is quiet, after the start and after each busy time. V8 does so
 * only when memory runs short, and keeps room for the next burst.
 */
export function tidyInQuiet(): void {
  // Node offers it only with --expose-gc on the command line, as in npm start.
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
