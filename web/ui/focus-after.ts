import { useEffect, useEffectEvent, useRef } from 'react'

/** Moves the focus when the part that had it disappears. Otherwise it would go to the top of the page. */
export function useFocusAfter(isThere: boolean, next: () => HTMLElement | null | undefined | void) {
  const was = useRef(isThere)
  const look = useEffectEvent(() => {
    if (was.current && !isThere && document.activeElement === document.body) next()?.focus()
    was.current = isThere
  })
  useEffect(() => look(), [isThere])
}
