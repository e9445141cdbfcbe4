import { type QueryKey, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { makeQueryClient } from '../lib/query-client.ts'
import { SiteContext, type SiteData } from '../lib/site.ts'

export const sampleSite: SiteData = {
  region: 'za',
  url: location.origin,
  others: [],
  cardKey: null,
  takesCards: true,
  year: 2026,
}

/** Where the page of the tests was opened. */
export const address = location.href

/** What a test has mounted and not unmounted. The set-up unmounts it after the test. */
export const mounted = new Set<() => void>()

export interface Around {
  site?: SiteData
  /** What was loaded before, by its query's key. */
  known?: [key: QueryKey, data: unknown][]
}

/** A place in the test's document to draw a part of a page, again and again, until it's left. A failed query isn't tried again. */
export function placeFor({ site, known = [] }: Around = {}) {
  const client = makeQueryClient(() => {})
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } })
  for (const [key, data] of known) client.setQueryData(key, data)
  const root = document.body.appendChild(document.createElement('div'))
  const react = createRoot(root)
  const draw = (part: ReactNode) =>
    react.render(
      <SiteContext value={site}>
        <QueryClientProvider client={client}>{part}</QueryClientProvider>
      </SiteContext>,
    )
  function leave() {
    if (!mounted.delete(leave)) return
    react.unmount()
    root.remove()
  }
  mounted.add(leave)
  return { draw, leave }
}

/** Renders a part of a page in the test's document, and returns how to unmount it. */
export function mount(part: ReactNode, around?: Around) {
  const { draw, leave } = placeFor(around)
  draw(part)
  return leave
}
