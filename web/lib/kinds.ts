import { matchRoutes } from 'react-router'
import type { PageRow } from '#contract/page.ts'
import { routes } from '../routes.ts'

const rows = routes.map((route) => {
  const row: PageRow = {
    path: route.path,
    // The not-found page stands in for what is not built, and that one is public.
    kind: route.page ? route.kind : 'public',
    built: Boolean(route.page),
    paged: Boolean(route.paged),
    opens: route.page ? route.opens : undefined,
  }
  return { path: route.path, row }
})

const unknown: PageRow = { path: '*', kind: 'public', built: false, paged: false, opens: undefined }

export function rowOf(pathname: string): PageRow {
  return matchRoutes(rows, pathname)?.at(-1)?.route.row ?? unknown
}

/** A document's headers can not change under it: what needs others must be loaded anew. */
export function loadsDocument(from: string, to: string): boolean {
  const [here, there] = [rowOf(from), rowOf(to)]
  return here.kind === 'public' || here.kind !== there.kind || here.opens !== there.opens
}
