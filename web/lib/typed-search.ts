import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** The pause after the last key. */
const TYPED_MS = 250

/** A search that is sent during typing. Back and Forward change the search, and so the field. */
export function useTypedSearch(asked: string, onSearch: (words: string) => void, isLeaving = false) {
  const [words, setWords] = useState(asked)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const sent = useRef(asked)
  // Other filters may change before the search is sent.
  const search = useRef(onSearch)
  useLayoutEffect(() => void (search.current = onSearch))
  const send = (next: string) => {
    clearTimeout(timer.current)
    if (next.trim() === sent.current) return
    sent.current = next.trim()
    search.current(sent.current)
  }
  // A search that is sent now would replace the page that is loading.
  useLayoutEffect(() => () => clearTimeout(timer.current), [isLeaving])
  useEffect(() => {
    if (asked === sent.current) return
    clearTimeout(timer.current)
    setWords((sent.current = asked))
  }, [asked])
  return {
    words,
    type(next: string) {
      setWords(next)
      clearTimeout(timer.current)
      timer.current = setTimeout(send, TYPED_MS, next)
    },
    send: () => send(words),
    /** For a filter that is pressed meanwhile: it includes what was typed, which isn't sent again. */
    take() {
      clearTimeout(timer.current)
      return (sent.current = words.trim())
    },
  }
}
