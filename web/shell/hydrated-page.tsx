import { type ComponentProps, type ComponentType, type ReactNode, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { OrBroken } from './broken.tsx'
import { NeedsScript } from './needs-script.tsx'
import { PageAddressContext } from '../lib/page-address.tsx'
import { ReactPage } from '../lib/react-page.tsx'
import { SiteContext, type SiteData } from '../lib/site.ts'
import { countIds, IdContext } from '../ui/id.ts'

/** Props of a page that runs without the router, on the server and again in the browser. */
export interface Given {
  site: SiteData
  /** The whole address of the request. */
  asked: string
}

interface Props extends Given {
  link?: ComponentProps<typeof ReactPage>['link']
  /** The page's header and footer, which stay if the page fails. */
  frame: ComponentType<{ children: ReactNode }>
  children: ReactNode
}

/** Surrounds such a page. In development, React renders twice on both sides, and ids would be counted twice. */
export const HydratedPage = ({ site, asked, link = 'a', frame: Frame, children }: Props) => (
  <IdContext value={import.meta.env.PROD ? countIds() : null}>
    <SiteContext value={site}>
      <PageAddressContext value={asked}>
        <ReactPage link={link} path={new URL(asked).pathname}>
          <Frame>
            <NeedsScript />
            <OrBroken>{children}</OrBroken>
          </Frame>
        </ReactPage>
      </PageAddressContext>
    </SiteContext>
  </IdContext>
)

/** Hydrates the page that the server rendered, and keeps what was typed into it meanwhile. */
export function hydrate<G extends Given>(whole: (given: G) => ReactNode) {
  const place = document.getElementById('alone')!
  hydrateRoot(place, <StrictMode>{whole(JSON.parse(place.dataset['given']!) as G)}</StrictMode>)
  place.dataset['awake'] = ''
}
