import { type ReactNode, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { OrBroken } from './broken.tsx'
import { NeedsScript } from './needs-script.tsx'
import { Shell } from './shell.tsx'
import { rowOf } from '../lib/kinds.ts'
import { PlaceContext } from '../lib/place.tsx'
import { Running } from '../lib/running.tsx'
import { SiteContext, type SiteData } from '../lib/site.ts'

/** What a page without the router is drawn with, on the server and again in the browser. */
export interface Given {
  site: SiteData
  /** The whole address it was asked at. */
  asked: string
}

/** Stands around such a page. */
export const Woken = ({ site, asked, children }: Given & { children: ReactNode }) => (
  <SiteContext value={site}>
    <PlaceContext value={asked}>
      <Running link="a" path={rowOf(new URL(asked).pathname).path}>
        <Shell>
          <NeedsScript />
          <OrBroken>{children}</OrBroken>
        </Shell>
      </Running>
    </PlaceContext>
  </SiteContext>
)

/** What the server drew becomes alive, with what was typed into it meanwhile. */
export function wake<G extends Given>(whole: (given: G) => ReactNode) {
  const place = document.getElementById('alone')!
  hydrateRoot(place, <StrictMode>{whole(JSON.parse(place.dataset['given']!) as G)}</StrictMode>)
}
