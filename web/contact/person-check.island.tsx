import { useEffect, useRef, useState } from 'react'
import { isReachable } from '../lib/send.ts'
import { say } from '../ui/say.ts'
import { ErrorLine } from '../ui/error-line.tsx'

/** Well within the time that a challenge is good for. */
const FRESH_MS = 10 * 60_000
const PATIENCE_MS = 10_000

async function solve(): Promise<string> {
  const { solveAlone } = await import('../lib/human.ts')
  return solveAlone('contact', AbortSignal.timeout(PATIENCE_MS))
}

/**
 * Solves the human check while its form is filled in, and sends the solution along. If that doesn't work, or without
 * script, the form goes without: the message arrives all the same.
 */
export default function PersonCheck() {
  const input = useRef<HTMLInputElement>(null)
  const [isLost, setIsLost] = useState(false)
  useEffect(() => {
    const { form } = input.current!
    let solved: { at: number; solution: Promise<string> } | undefined
    let isSending = false
    const begin = () => {
      if (solved && Date.now() - solved.at < FRESH_MS) return solved.solution
      solved = { at: Date.now(), solution: solve().catch(() => '') }
      return solved.solution
    }
    const send = async (event: SubmitEvent) => {
      event.preventDefault()
      if (isSending) return
      isSending = true
      setIsLost(false)
      input.current!.value = await begin()
      // Offline the browser's error page would take the form's place, and the message with it.
      if (await isReachable()) return form!.submit()
      again()
      setIsLost(true)
    }
    // Offline, or back from the next page, the same form may be sent again. A solution is good once.
    const again = () => {
      isSending = false
      solved = undefined
    }
    const over = new AbortController()
    const { signal } = over
    form!.addEventListener('focusin', () => void begin(), { once: true, signal })
    form!.addEventListener('submit', (event) => void send(event), { signal })
    addEventListener('pageshow', again, { signal })
    return () => over.abort()
  }, [])
  return (
    <>
      <input ref={input} type="hidden" name="userConfirmation" />
      <ErrorLine>
        {isLost && say('We couldn’t reach VetChat. Check your connection and try again.')}
      </ErrorLine>
    </>
  )
}
