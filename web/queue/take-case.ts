import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { returnToDraft } from '../chat/draft.ts'
import { ApiError } from '../lib/api.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { useTake } from './queries.ts'

/** Takes cases, unless a colleague was quicker. What the vet types meanwhile goes into the message box of the case. */
export function useTakeCase({
  shown,
  writes,
  box,
  onTaken,
}: {
  /** The case on the page, and whether the vet writes in it. */
  shown: number
  writes: boolean
  box: RefObject<HTMLTextAreaElement | null>
  onTaken: (id: number) => void
}) {
  const { show: tell } = useAlert()
  const client = useQueryClient()
  const { mutate, isPending } = useTake()
  const [lost, setLost] = useState<{ id: number; why: string }>()
  /** What the vet types while a case is being taken, before its message box appears. */
  const ahead = useRef<string>(undefined)
  const asked = useRef<{ id: number; pressed: Element | null }>({ id: shown, pressed: null })
  const [taken, setTaken] = useState<number>()

  function take(id: number) {
    setLost(undefined)
    ahead.current = ''
    asked.current = { id, pressed: document.activeElement }
    setTaken(undefined)
    mutate(
      { id },
      {
        onSuccess: () => {
          onTaken(id)
          setTaken(id)
        },
        onError: (error) => {
          ahead.current = undefined
          const { code, status, message } = error instanceof ApiError ? error : new ApiError(0, '')
          if (code === 'CONSULT_TAKEN' || code === 'CONSULT_NOT_WAITING') {
            setLost({ id, why: message })
            void client.invalidateQueries()
          } else
            tell(
              status > 0 ? message : 'We didn’t get an answer, so you may not have this case yet. Try again.',
              'failed',
            )
        },
      },
    )
  }

  useEffect(() => {
    if (ahead.current === undefined) return
    const { id, pressed } = asked.current
    // The message box may appear before the response arrives, because the server also tells every vet's page.
    if (id === shown ? !writes : taken !== id) return
    // If the vet went elsewhere meanwhile, the focus stays there.
    const held = document.activeElement
    if (id === shown && (held === pressed || held === document.body)) box.current?.focus()
    if (ahead.current) returnToDraft(id, ahead.current)
    ahead.current = undefined
  }, [taken, shown, writes, box])

  return {
    take,
    isPending,
    lost,
    close: () => setLost(undefined),
    /** After Escape the keys are shortcuts again, and the focus stays in the queue. */
    leave() {
      if (ahead.current) returnToDraft(asked.current.id, ahead.current)
      ahead.current = undefined
    },
    /** Whether a key belongs to what is typed ahead. */
    types(key: string) {
      if (ahead.current === undefined) return false
      if (key !== 'Enter') ahead.current += key
      return true
    },
  }
}
