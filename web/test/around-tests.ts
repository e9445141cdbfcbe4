import { afterEach, beforeEach, inject, vi } from 'vitest'
import { page } from 'vitest/browser'
import { DAY } from '#contract/time.ts'
import { address, mounted } from './mount.tsx'

declare module 'vitest' {
  interface ProvidedContext {
    daysOn: number
  }
}

/** The time at which component tests run. Only `Date` is frozen; timers run. */
const NOW = Date.parse('2026-11-21T02:20:00Z') + inject('daysOn') * DAY

async function reset() {
  localStorage.clear()
  sessionStorage.clear()
  const root = document.documentElement
  for (const name of root.getAttributeNames()) if (name !== 'lang') root.removeAttribute(name)
  history.replaceState(null, '', address)
  if (innerWidth !== 390 || innerHeight !== 844) await page.viewport(390, 844)
}

// All files share one browser and most one page, so what an earlier file left in it would change the result here.
await reset()
document.body.replaceChildren()
// Freeze it again here: test files read the clock while loading, and another test may have restored the real one.
vi.setSystemTime(NOW)
beforeEach(() => void vi.setSystemTime(NOW))
// Nothing is left over for the next test.
afterEach(async () => {
  for (const unmount of mounted) unmount()
  mounted.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  await reset()
})
