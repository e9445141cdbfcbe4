import { type ComponentProps, type MouseEvent, useSyncExternalStore } from 'react'

/* Where a room stands that runs without the router, and how it moves on in the same document. */

const listeners = new Set<() => void>()

function hear(listener: () => void) {
  listeners.add(listener)
  addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('popstate', listener)
  }
}

export const usePlace = () => new URL(useSyncExternalStore(hear, () => location.href))

export function goTo(address: string) {
  history.pushState(null, '', address)
  for (const listener of listeners) listener()
}

/** Another case opens in the same document; whatever else is a document of its own. */
export function RoomLink({ href = '', onClick, children, ...rest }: ComponentProps<'a'>) {
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    const isRoom = href.split('/')[1] === location.pathname.split('/')[1]
    if (event.defaultPrevented || !plain || !isRoom || rest.target) return
    event.preventDefault()
    goTo(href)
  }
  return (
    <a href={href} onClick={follow} {...rest}>
      {children}
    </a>
  )
}
