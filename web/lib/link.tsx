import type { ComponentProps } from 'react'
import { Link as RouterLink, useLocation } from 'react-router'
import { loadsDocument } from './kinds.ts'

/** A link of a hydrated page: it moves on without loading the document where the headers of both pages are the same. */
export function Link({ href, ...rest }: ComponentProps<'a'>) {
  const here = useLocation().pathname
  const ours = href?.startsWith('/') && !rest.target && rest.download === undefined
  if (!href || !ours || loadsDocument(here, new URL(href, 'http://here').pathname))
    return <a href={href} {...rest} />
  return <RouterLink to={href} {...rest} />
}
