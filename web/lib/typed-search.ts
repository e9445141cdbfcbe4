import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigation } from 'react-router'

/** After the last key. */
const TYPED_MS = 250

/** A search that is sent while it is typed. Back and Forward change what was asked, and so the field. */
export function useTypedSearch(asked: string, onSearch: (words: string) => void) {
  const [words, setWords] = useState(asked)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const sent = useRef(asked)
  // What else is asked may change before the search is sent.
  const search = useRef(onSearch)
  useLayoutEffect(() => void (search.current = onSearch))
  const send = (next: string) => {
    clearTimeout(timer.current)
    if (next.trim() === sent.current) return
    sent.current = next.trim()
    search.current(sent.current)
  }
  const here = useLocation()
  const { location: next = here } = useNavigation()
  const isLeaving = next.pathname !== here.pathname
  // A search that is sent now would take the place of the page that is loading.
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
    /** For a filter that is pressed meanwhile: the words go along with it, and aren't sent again. */
    take() {
      clearTimeout(timer.current)
      return (sent.current = words.trim())
    },
  }
}
