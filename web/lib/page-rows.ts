import type { PageRow } from '#contract/page.ts'
import { routes } from '../routes.ts'

const rows = routes.map(({ page, ...route }) => {
  const row: PageRow = { ...route, built: page !== undefined }
  return { matches: patternOf(route.path), row }
})

/** Addresses for search engines. Library resources are listed by their slugs. */
export const listed = routes
  .filter(({ path, page, kind, secret }) => kind === 'public' && page && !secret && !path.includes(':'))
  .map(({ path }) => path.replace(/\/\*$/, ''))

/** Matches as the router does. The router's own function sorts the whole table at every call. */
function patternOf(path: string) {
  const pattern = path
    .replace(/\/\*$/, '(?:/.*)?')
    .replace(/\/:\w+\?/g, '(?:/[^/]+)?')
    .replace(/\/:\w+/g, '/[^/]+')
  return path === '*' ? /^$/ : new RegExp(`^${pattern}/?$`, 'i')
}

export function rowOf(pathname: string): PageRow {
  return (
    rows.find(({ matches }) => matches.test(pathname))?.row ?? rows.find(({ row }) => row.path === '*')!.row
  )
}

/** A document's headers can't change, so a page that needs others must be loaded as a new document. */
export function loadsDocument(from: string, to: string): boolean {
  const [here, there] = [rowOf(from), rowOf(to)]
  if (here.kind === 'public' || there.alone) return true
  return here.kind !== there.kind || here.opens !== there.opens
}
