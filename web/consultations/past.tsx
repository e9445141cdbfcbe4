import { useSyncExternalStore } from 'react'
import { now } from '../lib/session.ts'

const LOOKS_EVERY_MS = 20_000

export const isPast = (at: string) => Date.parse(at) <= now()

const looksAgain = (look: () => void) => {
  const timer = setInterval(look, LOOKS_EVERY_MS)
  return () => clearInterval(timer)
}

/** Whether a time has come; it turns while the page stands. */
export const useIsPast = (at: string | null) =>
  useSyncExternalStore(
    looksAgain,
    () => at !== null && isPast(at),
    () => false,
  )
