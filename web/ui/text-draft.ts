import { useState } from 'react'
import { clearDraft, leaveDraft, readDraft } from './form-draft.ts'

const keptOf = (key: string) => {
  const { kept } = readDraft(key)
  return typeof kept === 'string' ? kept : undefined
}

/** Something was begun and not sent yet. */
export const isKept = (key: string) => keptOf(key) !== undefined

/** What is typed where no form keeps it: it outlives a reload until it was sent. */
export function useKept(key: string, first = '') {
  const [words, setWords] = useState(() => keptOf(key) ?? first)
  return {
    words,
    write(next: string) {
      setWords(next)
      if (next === first) clearDraft(key)
      else leaveDraft(key, { kept: next })
    },
    forget: () => clearDraft(key),
  }
}
