import type { ComponentType, ReactNode } from 'react'
import { PlaceLink, usePlace } from './lib/place.tsx'
import { StaffHeader } from './queue/staff-header.tsx'
import { Shell } from './shell/shell.tsx'
import { type Given, Woken } from './shell/woken.tsx'

/** A signed-in person's page that runs without the router. */
export const ownPage = (Page: ComponentType) => (given: Given) => (
  <Woken {...given} link={PlaceLink} frame={Frame}>
    <Page />
  </Woken>
)

function Frame({ children }: { children: ReactNode }) {
  const { pathname, search } = usePlace()
  return <Shell staff={<StaffHeader address={pathname + search} />}>{children}</Shell>
}
