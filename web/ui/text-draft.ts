import { useState } from 'react'
import { clearDraft, leaveDraft, readDraft } from './form-draft.ts'

const keptOf = (key: string) => {
  const { kept } = readDraft(key)
  return typeof kept === 'string' ? kept : undefined
}

export const hasTextDraft = (key: string) => keptOf(key) !== undefined

/** A draft outside a form. It survives a reload until it is sent. */
export function useTextDraft(key: string, first = '') {
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
