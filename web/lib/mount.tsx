import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { makeQueryClient } from './query-client.ts'
import { SiteContext, type SiteData } from './site.ts'

export const sampleSite: SiteData = {
  region: 'za',
  url: location.origin,
  others: [],
  cardKey: null,
  takesCards: true,
  year: 2026,
}

/** What a test has mounted and not unmounted. The set-up unmounts it after the test. */
export const mounted = new Set<() => void>()

/** Renders a part of a page in the test's document with a query client, and returns how to unmount it. */
export function mount(part: ReactNode, site?: SiteData) {
  const root = document.body.appendChild(document.createElement('div'))
  const react = createRoot(root)
  react.render(
    <SiteContext value={site}>
      <QueryClientProvider client={makeQueryClient(() => {})}>{part}</QueryClientProvider>
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
