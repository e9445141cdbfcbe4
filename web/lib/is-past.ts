import { useSyncExternalStore } from 'react'
import { now } from './session.ts'

const LOOKS_EVERY_MS = 20_000

export const isPast = (at: string) => Date.parse(at) <= now()

/** A store that says nothing by itself is looked at so often. */
export const every = (ms: number) => (look: () => void) => {
  const timer = setInterval(look, ms)
  return () => clearInterval(timer)
}
const looksAgain = every(LOOKS_EVERY_MS)

/** Whether a time has come; it turns while the page stands. */
export const useIsPast = (at: string | null) =>
  useSyncExternalStore(
    looksAgain,
    () => at !== null && isPast(at),
    () => false,
  )
