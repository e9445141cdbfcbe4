import type { ReactNode } from 'react'
import type { Subscription } from '#contract/memberships.ts'
import { PETS_PER_MEMBERSHIP } from '#contract/pets.ts'
import { money } from '#contract/regions.ts'
import { day } from '../lib/dates.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Link } from '../ui/link.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** The partner adds the pets of these. */
export const isPetStock = ({ subs_id }: Subscription) => Boolean(subs_id?.startsWith('ps_'))
/** A partner of ours is paid, and looks after the membership. */
const isManaged = (one: Subscription) => isPetStock(one) || one.source === 'insurer'

const isPast = (end: string) => new Date(end) < new Date()

/** The membership at a glance: the active one, or else the last there was. */
export function MembershipCard({ membership }: { membership: Subscription | null }) {
  if (!membership)
    return (
      <Frame badge={<Badge>None yet</Badge>}>
        <p className="text-ink-soft">
          With a membership, “Chat to a Vet now” stands at the top of this page, and every consult is part of
          it.
        </p>
      </Frame>
    )
  const { plan, end, stripeData, price, currency } = membership
  const planned = `${plan === 'annual' ? 'Annual' : 'Monthly'}, up to ${PETS_PER_MEMBERSHIP} pets`
  const unpaid = stripeData.status === 'past_due'

  if (end !== null && isPast(end))
    return (
      <Frame badge={<Badge tone="red">Ended</Badge>}>
        <Facts
          rows={[
            ['Plan', planned],
            ['Ended on', day(end)],
          ]}
        />
        <p className="text-ink-soft">
          This plan has ended. Please <Link href="/contact">contact us</Link> about it, or{' '}
          <Link href="/petculture-plus">choose a new plan</Link>.
        </p>
      </Frame>
    )
  if (end !== null)
    return (
      <Frame badge={<Badge tone="amber">Ending</Badge>}>
        <Facts
          rows={[
            ['Plan', planned],
            ['Ends on', day(end)],
          ]}
        />
        <p className="text-ink-soft">Consults and PawCare go on until then.</p>
      </Frame>
    )
  if (isManaged(membership))
    return (
      <Frame badge={<Active />}>
        <Facts
          rows={[
            ['Plan', planned],
            ['Managed by', 'Your partner'],
            ['Since', day(membership.recurring_start)],
          ]}
        />
      </Frame>
    )
  const due = stripeData.current_period_end
  return (
    <Frame badge={unpaid ? <Badge tone="red">Payment failed</Badge> : <Active />}>
      <Facts
        rows={[
          ['Plan', planned],
          ['Next Payment', money(price, currency)],
          ['On', due ? day(due) : 'Not set yet'],
        ]}
      />
      {unpaid && (
        <p className="text-ink-soft">
          The last payment did not go through. Please <Link href="/contact">contact us</Link>.
        </p>
      )}
    </Frame>
  )
}

const Active = () => (
  <Badge tone="green" icon="check">
    Active
  </Badge>
)

function Frame({ badge, children }: { badge?: ReactNode; children: ReactNode }) {
  return (
    <Card aria-labelledby="membership" className="stack content-start gap-4 pt-3 lg:pt-3">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-3">
        <h2 id="membership" className="t22">
          Membership
        </h2>
        {badge}
      </div>
      {children}
    </Card>
  )
}

const Facts = ({ rows }: { rows: [string, string][] }) => (
  <dl className="stack gap-3">
    {rows.map(([name, fact]) => (
      <div key={name} className="flex flex-wrap justify-between gap-x-4">
        <dt className="text-ink-soft">{name}</dt>
        <dd className="text-right font-medium tabular-nums">{fact}</dd>
      </div>
    ))}
  </dl>
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
  </Frame>
)
