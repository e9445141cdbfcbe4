import { useLayoutEffect } from 'react'
import { listen, together } from '../ui/listen.ts'

/** A drawing that can't be loaded leaves its space empty, and is loaded again once the network is back. */
export function useMissingPictures() {
  useLayoutEffect(() => {
    const missing = new Set<HTMLImageElement>()
    const hide = ({ target }: Event) => {
      if (!(target instanceof HTMLImageElement) || target.alt !== '') return
      missing.add(target)
      target.style.visibility = 'hidden'
    }
    const again = () => {
      for (const one of missing) {
        one.style.visibility = ''
        one.src = one.getAttribute('src')!
      }
      missing.clear()
    }
    return together(listen(document, 'error', hide, { capture: true }), listen(window, 'online', again))
  }, [])
}
