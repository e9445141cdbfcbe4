import { keepPromo } from './session.ts'

/** The address of /login that leads back to where the visitor is now. */
export function loginPath(here: string): string {
  return here === '/' || /^\/login\/?(?:[?#]|$)/i.test(here)
    ? '/login'
    : `/login?${new URLSearchParams({ from: here })}`
}

/** Sends a visitor who isn't signed in to /login, which leads back. A promo in the address is kept. */
export function leaveForLogin(way: 'replace' | 'assign' = 'replace') {
  keepPromo(location.search)
  location[way](loginPath(location.pathname + location.search + location.hash))
}

/** Staff without the second factor that they need set it up first, and then return. */
export function leaveToSetUp() {
  if (location.pathname === '/second-factor') return
  location.replace(`/second-factor?${new URLSearchParams({ from: location.pathname + location.search })}`)
}
