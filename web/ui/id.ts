import { createContext, useContext, useId as useTheirs, useState } from 'react'

export function countIds() {
  let last = 0
  return () => `i${++last}`
}

/**
 * For a page that the server renders with React and the browser hydrates with Preact, whose own ids would differ. Both
 * render in the same order, so counting gives each element the same id.
 */
export const IdContext = createContext<(() => string) | null>(null)

/** An id for an element, the same on the server and in the browser. */
export function useId() {
  const theirs = useTheirs()
  const next = useContext(IdContext)
  const [ours] = useState(() => next?.())
  return ours ?? theirs
}
