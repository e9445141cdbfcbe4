import { useEffect, useRef } from 'react'
import { isSilence } from '../lib/api.ts'

export const AGAIN_MS = 2000
const LONGEST_MS = 15_000

/** Retries until there is an answer, however long it takes. The key prevents a second charge. */
export function useRetry({ onSilence }: { onSilence: () => void }) {
  const wake = useRef(() => {})
  const gone = useRef(false)
  useEffect(() => {
    gone.current = false
    return () => void (gone.current = true)
  }, [])

  /** Ends early when the buyer presses the button or the network is back. */
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        removeEventListener('online', end)
        // If the buyer has left, the next page continues the purchase.
        if (!gone.current) resolve()
      }
      const timer = setTimeout(end, ms)
      addEventListener('online', end)
      wake.current = end
    })

  async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        return await ask()
      } catch (error) {
        if (!isSilence(error)) throw error
        onSilence()
        await pause(Math.min(AGAIN_MS * 2 ** tries, LONGEST_MS))
      }
    }
  }

  return { pause, untilAnswered, tryNow: () => wake.current() }
}
