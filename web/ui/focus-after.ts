import { useEffect, useEffectEvent, useRef } from 'react'

/** Where the focus goes when the part that held it leaves the page. It would fall to the top of the page. */
export function useFocusAfter(isThere: boolean, next: () => HTMLElement | null | undefined | void) {
  const was = useRef(isThere)
  const look = useEffectEvent(() => {
    if (was.current && !isThere && document.activeElement === document.body) next()?.focus()
    was.current = isThere
  })
  useEffect(() => look(), [isThere])
}
