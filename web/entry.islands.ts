import type { ComponentType } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { jsx } from 'react/jsx-runtime'
import { keepOfflinePage } from './lib/offline.ts'

// In development every module needs React's refresh runtime, which other pages get from the router.
const refresh = '/@id/__x00__virtual:react-router/inject-hmr-runtime'
if (import.meta.hot) await import(/* @vite-ignore */ refresh)
import.meta.hot?.on('react-router:hmr', () => location.reload())

keepOfflinePage()

// Public pages aren't hydrated. Only their islands are, each from its own chunk.
if (document.documentElement.hasAttribute('data-consult')) void import('./consultations/strip.ts')

const islands = import.meta.glob<{ default: ComponentType }>('./*/*.island.tsx')

for (const place of document.querySelectorAll<HTMLElement>('[data-island]')) {
  const { island, props = '{}' } = place.dataset
  const load = Object.entries(islands).find(([file]) => file.endsWith(`/${island}.island.tsx`))?.[1]
  load?.().then(
    ({ default: Component }) => {
      const element = jsx(Component, JSON.parse(props))
      if (place.firstChild) hydrateRoot(place, element)
      else createRoot(place).render(element)
      place.dataset.awake = ''
    },
    // The head script then loads the page again, as for any part that no longer exists.
    () => dispatchEvent(new Event('vite:preloadError')),
  )
}
