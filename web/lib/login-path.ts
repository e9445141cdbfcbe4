import { rowOf } from './page-rows.ts'
import { keepPromo } from './session.ts'

/** Where to go after signing in: only a path in our route table, and never a page that leads back to /login. */
export function safePath(value: string | null | undefined, origin = location.origin): string | undefined {
  if (!value?.startsWith('/') || !URL.canParse(value, origin)) return undefined
  const url = new URL(value, origin)
  if (url.origin !== origin) return undefined
  const row = rowOf(url.pathname)
  if (row.path === '*' || ['/login', '/logout', '/signoff'].includes(row.path)) return undefined
  return url.pathname + url.search + url.hash
}

/** The address of /login that leads back to where the visitor is now. */
export function loginPath(here: string): string {
  return here === '/' || rowOf(new URL(here, 'http://here').pathname).path === '/login'
    ? '/login'
    : `/login?${new URLSearchParams({ from: here })}`
}

/** Sends a visitor who isn't signed in to /login, which leads back. A promo in the address is kept. */
export function leaveForLogin(leave = (path: string) => location.replace(path)) {
  keepPromo(location.search)
  leave(loginPath(location.pathname + location.search + location.hash))
}

/** Staff without the second factor that they need set it up first, and then return. */
export function leaveToSetUp() {
  if (location.pathname === '/second-factor') return
  location.replace(`/second-factor?${new URLSearchParams({ from: location.pathname + location.search })}`)
}
