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

interface Around {
  site?: SiteData
  /** What was loaded before, by its query's key. */
  known?: [key: QueryKey, data: unknown][]
}

/** Renders a part of a page in the test's document, and returns how to unmount it. A failed query isn't tried again. */
export function mount(part: ReactNode, { site, known = [] }: Around = {}) {
  const client = makeQueryClient(() => {})
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } })
  for (const [key, data] of known) client.setQueryData(key, data)
  const root = document.body.appendChild(document.createElement('div'))
  const react = createRoot(root)
  react.render(
    <SiteContext value={site}>
      <QueryClientProvider client={client}>{part}</QueryClientProvider>
    </SiteContext>,
  )
  function unmount() {
    if (!mounted.delete(unmount)) return
    react.unmount()
    root.remove()
  }
  mounted.add(unmount)
  return unmount
}
