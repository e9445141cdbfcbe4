import type { ComponentProps } from 'react'
import { Link as RouterLink, useLocation } from 'react-router'
import { loadsDocument } from './page-rows.ts'

/** A link on a hydrated page. It stays in the document if both pages have the same headers. */
export function Link({ href, ...rest }: ComponentProps<'a'>) {
  const here = useLocation().pathname
  const ours = href?.startsWith('/') && !rest.target && rest.download === undefined
  if (!href || !ours || loadsDocument(here, new URL(href, 'http://here').pathname))
    return <a href={href} {...rest} />
  return <RouterLink to={href} {...rest} />
}
