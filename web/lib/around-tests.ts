import { afterEach, beforeEach, inject, vi } from 'vitest'
import { DAY } from '#contract/time.ts'
import { mounted } from './mount.tsx'

declare module 'vitest' {
  interface ProvidedContext {
    daysOn: number
  }
}

/** The time at which component tests run. Only `Date` is frozen; timers run. */
const NOW = Date.parse('2026-11-21T02:20:00Z') + inject('daysOn') * DAY

// All files share one browser, so a clock that an earlier file set wrong would change the time here.
localStorage.clear()
// Freeze it again here: test files read the clock while loading, and another test may have restored the real one.
vi.setSystemTime(NOW)
beforeEach(() => void vi.setSystemTime(NOW))
// Nothing is left over for the next test.
afterEach(() => {
  for (const unmount of mounted) unmount()
  mounted.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  localStorage.clear()
  sessionStorage.clear()
})
