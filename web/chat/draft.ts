import { useCallback, useSyncExternalStore } from 'react'

const keyOf = (consultation: number) => `draft:room:${consultation}`

const listeners = new Set<() => void>()
function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const readDraft = (consultation: number) => sessionStorage.getItem(keyOf(consultation)) ?? ''

function writeDraft(consultation: number, text: string) {
  if (text) sessionStorage.setItem(keyOf(consultation), text)
  else sessionStorage.removeItem(keyOf(consultation))
  for (const listener of listeners) listener()
}

/** Puts text that was not accepted back before what was typed since. */
export const returnToDraft = (consultation: number, text: string) =>
  writeDraft(consultation, [text, readDraft(consultation)].filter(Boolean).join('\n'))

/** What is typed in a conversation and not sent. It survives a reload. */
export function useDraft(consultation: number) {
  const text = useSyncExternalStore(
    subscribe,
    () => readDraft(consultation),
    () => '',
  )
  const write = useCallback((next: string) => writeDraft(consultation, next), [consultation])
  return { text, write }
}

export type Draft = ReturnType<typeof useDraft>
