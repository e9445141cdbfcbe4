import { type RefObject, useState } from 'react'
import { flushSync } from 'react-dom'

/** A dialog about one row. Once it's done, the row and the button that opened it may be gone: the heading gets the focus. */
export function useDialogAbout<T>(heading: RefObject<HTMLElement | null>) {
  const [about, ask] = useState<T>()
  const close = () => ask(undefined)
  function done() {
    flushSync(close)
    heading.current?.focus()
  }
  return { about, ask, close, done }
}
