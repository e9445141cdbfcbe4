import { rowOf } from './page-rows.ts'

/** Where to go after signing in: only a path in our route table, and never a page that leads back to /login. */
export function safePath(value: string | null | undefined, origin = location.origin): string | undefined {
  if (!value?.startsWith('/') || !URL.canParse(value, origin)) return undefined
  const url = new URL(value, origin)
  if (url.origin !== origin) return undefined
  const row = rowOf(url.pathname)
  if (row.path === '*' || ['/login', '/logout', '/signoff'].includes(row.path)) return undefined
  return url.pathname + url.search + url.hash
}
