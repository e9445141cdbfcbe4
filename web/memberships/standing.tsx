import type { ReactNode } from 'react'
import { sentenceOf } from '#contract/errors.ts'
import { isActive, type Subscription } from '#contract/memberships.ts'
import { type Pet, PETS_PER_MEMBERSHIP } from '#contract/pets.ts'
import { money, REGIONS } from '#contract/regions.ts'
import { day, dayAndTime } from '../lib/dates.ts'
import { nameList } from '../lib/name-list.ts'
import { now } from '../lib/session.ts'
import { Badge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { say, sentence } from '../ui/say.ts'

/** Memberships whose pets the partner adds. */
export const isPetStock = ({ subs_id }: Subscription) => Boolean(subs_id?.startsWith('ps_'))
/** Paid to a partner, who manages the membership. */
export const isManaged = (one: Subscription) => isPetStock(one) || one.source !== 'vetchat'

export type Standing = 'active' | 'ending' | 'ended' | 'unpaid'

export function standingOf(one: Subscription): Standing {
  if (!isActive(one, new Date(now()))) return 'ended'
  if (one.end !== null) return 'ending'
  return one.grace_end !== null || one.stripeData.status === 'past_due' ? 'unpaid' : 'active'
}

/** The active ones, otherwise the one that ended last. */
export function shownOf(all: readonly Subscription[]): Subscription[] {
  const active = all.filter((one) => isActive(one, new Date(now())))
  if (active.length > 0) return active
  const endOf = ({ end }: Subscription) => (end ? Date.parse(end) : 0)
  return all.toSorted((a, b) => endOf(a) - endOf(b)).slice(-1)
}

/**
 * What the owner can do here. A partner's membership is changed at the partner, and one that ended or ends with a
 * dispute can't be changed.
 */
export const actionOf = (one: Subscription): 'cancel' | 'restart' | undefined =>
  isManaged(one) || one.disputed
    ? undefined
    : ({ active: 'cancel', ending: 'restart', ended: undefined, unpaid: 'cancel' } as const)[standingOf(one)]

export const periodEnd = ({ end, stripeData }: Subscription) => end ?? stripeData.current_period_end

/** The region that charges it. */
export const regionOf = ({ currency }: Pick<Subscription, 'currency'>) =>
  Object.values(REGIONS).find((region) => region.currency === currency)!

/** Its days are those of the region that charges it, on pages as in mails, wherever the owner is. */
export const zoneOf = (one: Pick<Subscription, 'currency'>) => regionOf(one).timeZone

/** "Biscuit, Mielie and Nala"; an empty string if none of them is known. */
export const petsOf = ({ pets }: Subscription, known: readonly Pet[] | undefined) =>
  nameList((known ?? []).filter(({ id }) => pets.includes(id)).map(({ name }) => name))

export const UPDATED = sentence('Subscription updated successfully.')

const BADGES = {
  active: { tone: 'green', icon: 'check', says: sentence('Active') },
  ending: { tone: 'amber', says: sentence('Ending') },
  ended: { tone: 'red', says: sentence('Ended') },
  unpaid: { tone: 'red', says: sentence('Payment failed') },
} as const

export function StandingBadge({ of }: { of: Subscription }) {
  const { says, ...look } = BADGES[standingOf(of)]
  return <Badge {...look}>{say(says)}</Badge>
}

export function MembershipFacts({ of: one, pets }: { of: Subscription; pets: string | undefined }) {
  const { end, grace_end, price, currency, recurring_start } = one
  const standing = standingOf(one)
  const managed = isManaged(one)
  const due = periodEnd(one)
  const zone = zoneOf(one)
  const rows: [string, string][] = [
    [
      say('Plan'),
      one.plan === 'annual'
        ? say('Annual, up to {count} pets', { count: PETS_PER_MEMBERSHIP })
        : say('Monthly, up to {count} pets', { count: PETS_PER_MEMBERSHIP }),
    ],
  ]
  if (pets) rows.push([say('Pets'), pets])
  if (managed) rows.push([say('Managed by'), say('Your partner')])
  if (standing === 'ended') rows.push([say('Ended on'), end ? day(end, zone) : say('An earlier date')])
  else if (standing === 'ending') rows.push([say('Ends on'), end ? day(end, zone) : ''])
  else if (managed) rows.push([say('Since'), day(recurring_start, zone)])
  else if (standing === 'unpaid')
    rows.push(
      [say('Not paid'), money(price, currency)],
      [say('Would end on'), grace_end ? day(grace_end, zone) : say('Soon')],
    )
  else
    rows.push(
      [say('Next Payment'), money(price, currency)],
      [say('Due on'), due ? day(due, zone) : say('Not set yet')],
    )

  return (
    <>
      <Rows rows={rows} />
      <Meaning of={one} standing={standing} />
    </>
  )
}

function Meaning({ of: one, standing }: { of: Subscription; standing: Standing }) {
  if (standing === 'ended')
    return (
      <Said>
        {say('This plan has ended. Please {contact} about it, or {choose}.', {
          contact: <Link href="/contact">{say('contact us')}</Link>,
          choose: <Link href="/petculture-plus">{say('choose a new plan')}</Link>,
        })}
      </Said>
    )
  if (isManaged(one))
    return <Said>{say('Your partner manages this membership. Please ask them to change it.')}</Said>
  if (standing === 'ending')
    return (
      <>
        <Said>{say('Consults and PawCare continue until then.')}</Said>
        {one.disputed && <Said>{sentenceOf('SUBSCRIPTION_DISPUTED')}</Said>}
      </>
    )
  if (standing === 'active') return null
  return (
    <div className="stack justify-items-start gap-3">
      <Said>
        {one.grace_end
          ? say(
              'The last payment didn’t go through. Consults continue for now, but the membership ends on {time} unless we can charge a card before then.',
              { time: dayAndTime(one.grace_end, undefined, zoneOf(one)) },
            )
          : say(
              'The last payment didn’t go through. Consults continue for now, but the membership ends soon unless we can charge a card before then.',
            )}
      </Said>
      <LinkButton variant="soft" size={44} icon="credit-card" href="/myaccount/profile#card">
        {say('Update card')}
      </LinkButton>
    </div>
  )
}

const Said = ({ children }: { children: ReactNode }) => <p className="text-ink-soft">{children}</p>

const Rows = ({ rows }: { rows: [string, string][] }) => (
  <dl className="stack gap-3">
    {rows.map(([name, fact]) => (
      <div key={name} className="flex flex-wrap justify-between gap-x-4">
        <dt className="text-ink-soft">{name}</dt>
        <dd className="ml-auto text-right font-medium tabular-nums">{fact}</dd>
      </div>
    ))}
  </dl>
)
