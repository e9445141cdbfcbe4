import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import type { LoaderFunctionArgs } from 'react-router'
import { pageOf } from '../lib/page-request.ts'
import { siteData } from '../lib/site.ts'
import type { Given } from './hydrated-page.tsx'

/**
 * For the loader of a page that runs without the router. It is rendered as a tree of its own, as the browser will do,
 * because the ids of fields count from the root of their tree.
 */
export function renderPage<More extends object>(
  { context, request }: LoaderFunctionArgs,
  more: More,
  whole: (given: Given & More) => ReactNode,
) {
  const page = pageOf(context)
  const { pathname, search } = new URL(request.url)
  const given = { site: siteData(page), asked: page.site.url + pathname + search, ...more }
  return { given: JSON.stringify(given), html: renderToString(whole(given)) }
}
