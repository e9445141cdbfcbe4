import { useSyncExternalStore } from 'react'
import { now } from './session.ts'

const LOOKS_EVERY_MS = 20_000

export const isPast = (at: string) => Date.parse(at) <= now()

/** Polls a store that has no events of its own. */
export const every = (ms: number) => (look: () => void) => {
  const timer = setInterval(look, ms)
  return () => clearInterval(timer)
}
const looksAgain = every(LOOKS_EVERY_MS)

/** Whether a time has passed. Updates while the page is open. */
export const useIsPast = (at: string | null) =>
  useSyncExternalStore(
    looksAgain,
    () => at !== null && isPast(at),
    () => false,
  )
