import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Subscription } from '#contract/memberships.ts'
import { myPets } from '../pets/queries.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { LateDialog } from '../ui/late-dialog.tsx'
import { say } from '../ui/say.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { actionOf, isManaged, MembershipFacts, petsOf, shownOf, StandingBadge } from './standing.tsx'

const load = () => import('./manage-dialog.tsx')

/** The active memberships at a glance, otherwise the last one. */
export function MembershipCard({ all }: { all: Subscription[] }) {
  const pets = useQuery(myPets)
  /** The open dialog: all memberships, or the one to restart. */
  const [opened, setOpened] = useState<'all' | Subscription>()
  const shown = shownOf(all)
  const first = shown[0]
  const several = shown.length > 1

  if (!first)
    return (
      <Frame badge={<Badge>{say('None yet')}</Badge>}>
        <p className="text-ink-soft">
          {say(
            'With a membership, “Chat to a Vet now” appears at the top of this page, and every consult is included.',
          )}
        </p>
        <Actions />
      </Frame>
    )

  const close = () => setOpened(undefined)

  return (
    <Frame badge={!several && <StandingBadge of={first} />}>
      {shown.map((one) => (
        <div key={one.id} className="stack gap-4 [&+&]:border-t [&+&]:border-line [&+&]:pt-4">
          {several && (
            <div>
              <StandingBadge of={one} />
            </div>
          )}
          <MembershipFacts of={one} pets={several ? petsOf(one, pets.data) : undefined} />
          {actionOf(one) === 'restart' && (
            <div>
              <Button variant="soft" size={44} icon="rotate-cw" onClick={() => setOpened(one)}>
                {say('Restart')}
              </Button>
            </div>
          )}
        </div>
      ))}
      <Actions>
        {!shown.every(isManaged) && (
          <Button className="px-5!" onClick={() => setOpened('all')}>
            {say('Manage Subscription')}
          </Button>
        )}
      </Actions>
      {opened && (
        <LateDialog load={load} title={say('Manage Subscription')} onClose={close}>
          {({ ManageDialog, ConfirmDialog }) =>
            opened === 'all' ? (
              <ManageDialog memberships={shown} pets={pets.data} onClose={close} />
            ) : (
              <ConfirmDialog membership={opened} pets={pets.data} onClose={close} onDone={close} />
            )
          }
        </LateDialog>
      )}
    </Frame>
  )
}

const Actions = ({ children }: { children?: ReactNode }) => (
  <div className="mt-2 flex flex-wrap gap-x-4 gap-y-1">
    {children}
    <LinkButton variant="text" href="/myaccount/profile" className="-ml-3">
      {say('My Profile')}
    </LinkButton>
  </div>
)

const Frame = ({ badge, children }: { badge?: ReactNode; children: ReactNode }) => (
  <Card aria-labelledby="membership" className="stack content-start gap-4 pt-3 lg:pt-3">
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-3">
      <h2 id="membership" className="t22">
        {say('Membership')}
      </h2>
      {badge}
    </div>
    {children}
  </Card>
)

export const MembershipSkeleton = () => (
  <Frame badge={<Skeleton className="h-7 w-20" />}>
    <div className="stack gap-3">
      {['w-3/5', 'w-2/5', 'w-1/2'].map((width) => (
        <div key={width} className="flex h-[1.55rem] items-center justify-between gap-4">
          <Skeleton className="h-4 w-16" />
          <Skeleton className={`h-4 ${width}`} />
        </div>
      ))}
    </div>
    <div className="mt-2 flex min-h-12 items-center gap-2">
      <Skeleton round className="h-12 w-50" />
      <Skeleton className="h-4 w-20" />
    </div>
  </Frame>
)
