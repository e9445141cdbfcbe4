import { type ComponentProps, createContext, type MouseEvent, useContext, useSyncExternalStore } from 'react'
import { listen, subscribers } from '../ui/listen.ts'

/* The address of a page that runs without the router, and how it changes within the same document. */

/** The whole address of the request, for rendering on the server. */
export const PageAddressContext = createContext('')

const { subscribe, tell } = subscribers()

function hear(listener: () => void) {
  const stops = [subscribe(listener), listen(window, 'popstate', listener)]
  return () => stops.forEach((stop) => stop())
}

export function usePageAddress() {
  const asked = useContext(PageAddressContext)
  return new URL(
    useSyncExternalStore(
      hear,
      () => location.href,
      () => asked,
    ),
  )
}

export function goTo(address: string) {
  history.pushState(null, '', address)
  tell()
}

export function replaceAddress(address: string) {
  history.replaceState(history.state, '', address)
  tell()
}

/** An address without its query and the number of a consult. */
const pageOf = (address: string) => address.replace(/\d*([?#].*)?$/, '')

/** Another filter of this page or another consult opens in the same document; every other address loads a new one. */
export function PlaceLink({ href = '', onClick, children, ...rest }: ComponentProps<'a'>) {
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    const isHere = pageOf(href) === pageOf(location.pathname)
    if (event.defaultPrevented || !plain || !isHere || rest.target) return
    event.preventDefault()
    goTo(href)
  }
  return (
    <a href={href} onClick={follow} {...rest}>
      {children}
    </a>
  )
}
