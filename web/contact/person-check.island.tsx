import { useEffect, useRef, useState } from 'react'
import { isReachable } from '../lib/island-call.ts'
import { say } from '../ui/say.ts'
import { ErrorLine } from '../ui/error-line.tsx'
import { clearDraft, keepDraft, readDraft } from '../ui/form-draft.ts'

/** Much shorter than a challenge is valid. */
const FRESH_MS = 10 * 60_000
const PATIENCE_MS = 10_000
const DRAFT = 'contact'

async function solve(): Promise<string> {
  const { solveAlone } = await import('../lib/human.ts')
  return solveAlone('contact', AbortSignal.timeout(PATIENCE_MS))
}

/**
 * Solves the human check while its form is filled in, and sends the solution along. If that fails, or without scripts,
 * the form is sent without a solution, and the message still arrives. What was typed survives a reload.
 */
export default function PersonCheck() {
  const input = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<'sending' | 'lost'>()
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
      setState('sending')
      input.current!.value = await begin()
      // While offline, the browser's error page would replace the form and lose the message.
      if (await isReachable()) {
        clearDraft(DRAFT)
        return form!.submit()
      }
      again()
      setState('lost')
    }
    // While offline, or after going back, the same form may be sent again. A solution works only once.
    const again = () => {
      isSending = false
      solved = undefined
      setState(undefined)
    }
    const over = new AbortController()
    const { signal } = over
    form!.addEventListener('focusin', () => void begin(), { once: true, signal })
    form!.addEventListener('submit', (event) => void send(event), { signal })
    addEventListener('pageshow', again, { signal })
    for (const [name, value] of Object.entries(readDraft(DRAFT))) {
      const field = form!.elements.namedItem(name) as HTMLInputElement | null
      if (field && !field.value) field.value = String(value)
    }
    const keep = () => {
      const { userConfirmation: _, ...typed } = Object.fromEntries(new FormData(form!))
      keepDraft(DRAFT, typed, {}, form)
    }
    form!.addEventListener('input', keep, { signal })
    return () => over.abort()
  }, [])
  return (
    <>
      <input ref={input} type="hidden" name="userConfirmation" />
      <ErrorLine>
        {state === 'lost' && say('We couldn’t reach VetChat. Check your connection and try again.')}
      </ErrorLine>
      <p aria-live="polite" className="text-14 text-ink-soft empty:hidden">
        {state === 'sending' && say('Sending…')}
      </p>
    </>
  )
}
