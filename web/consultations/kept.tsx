import { useState } from 'react'
import { clearDraft, leaveDraft, readDraft } from '../ui/form-draft.ts'

/** What is typed where no form keeps it: it outlives a reload until it was sent. */
export function useKept(key: string, first = '') {
  const [words, setWords] = useState(() => {
    const { kept } = readDraft(key)
    return typeof kept === 'string' ? kept : first
  })
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
