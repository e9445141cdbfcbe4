import { beforeEach, inject, vi } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    daysOn: number
  }
}

/** The moment at which component tests happen. Only `Date` stands still; timers run. */
const NOW = Date.parse('2026-11-21T02:20:00Z') + inject('daysOn') * 86_400_000

// Tests also read the clock while their file loads, and one that moved it may have given the real one back.
vi.setSystemTime(NOW)
beforeEach(() => void vi.setSystemTime(NOW))
