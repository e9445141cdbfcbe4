import { beforeEach, vi } from 'vitest'

/** The moment at which every component test happens. Only `Date` stands still; timers run. */
const NOW = '2026-11-21T02:20:00Z'

// Tests also read the clock while their file loads, and one that moved it may have given the real one back.
vi.setSystemTime(NOW)
beforeEach(() => void vi.setSystemTime(NOW))
