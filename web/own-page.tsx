import type { ComponentType, ReactNode } from 'react'
import { PlaceLink, usePageAddress } from './lib/page-address.tsx'
import { StaffHeader } from './queue/staff-header.tsx'
import { Shell } from './shell/shell.tsx'
import { type Given, HydratedPage } from './shell/hydrated-page.tsx'

/** A signed-in person's page that runs without the router. */
export const ownPage = (Page: ComponentType) => (given: Given) => (
  <HydratedPage {...given} link={PlaceLink} frame={Frame}>
    <Page />
  </HydratedPage>
)

function Frame({ children }: { children: ReactNode }) {
  const { pathname, search } = usePageAddress()
  return <Shell staff={<StaffHeader address={pathname + search} />}>{children}</Shell>
}
