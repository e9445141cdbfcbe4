import { useCallback, useSyncExternalStore } from 'react'
import { subscribers } from '../ui/listen.ts'
import { keepInTab } from '../ui/tab-storage.ts'

const keyOf = (consultation: number) => `draft:room:${consultation}`

const { subscribe, tell } = subscribers()

/** Drafts that storage had no room for. They last as long as the page. */
const unstored = new Map<number, string>()

const readDraft = (consultation: number) =>
  unstored.get(consultation) ?? sessionStorage.getItem(keyOf(consultation)) ?? ''

function writeDraft(consultation: number, text: string) {
  if (keepInTab(keyOf(consultation), text || null)) unstored.delete(consultation)
  else unstored.set(consultation, text)
  tell()
}

/** Puts rejected text back in front of what was typed since. */
export const returnToDraft = (consultation: number, text: string) =>
  writeDraft(consultation, [text, readDraft(consultation)].filter(Boolean).join('\n'))

/** The draft of a conversation. It survives a reload. */
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
