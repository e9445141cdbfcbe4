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

// The browser is one for all files; a clock that an earlier one put wrong would move every time here.
localStorage.clear()
// Freeze it again here: test files read the clock while loading, and another test may have restored the real one.
vi.setSystemTime(NOW)
beforeEach(() => void vi.setSystemTime(NOW))
// Nothing of a test is left to the next one.
afterEach(() => {
  for (const unmount of mounted) unmount()
  mounted.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  localStorage.clear()
  sessionStorage.clear()
})
