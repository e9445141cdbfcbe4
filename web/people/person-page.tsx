import { useQuery } from '@tanstack/react-query'
import type { Person } from '#contract/people.ts'
import { CallButton } from '../lib/call-button.tsx'
import { hashOf, useHashFilters } from '../lib/hash-filters.ts'
import { time } from '../lib/dates.ts'
import { VetAvatar } from '../ui/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Icon } from '../ui/icon.tsx'
import { BackLink, ViewHead, ViewLoading } from '../ui/view-frame.tsx'
import { ApiError } from '../lib/api.ts'
import { PersonClaims } from './person-claims.tsx'
import { PersonConsults } from './person-consults.tsx'
import { PersonAccess } from './person-access.tsx'
import { PersonMails } from './person-mails.tsx'
import { PersonMembership } from './person-membership.tsx'
import { PersonPets } from './person-pets.tsx'
import { PersonPurchases } from './person-purchases.tsx'
import { PersonSessions } from './person-sessions.tsx'
import { nameOf, standingSaid } from './person-words.ts'
import { person as personQuery, useMailPasswordLink } from './queries.ts'
import { telOf } from '../lib/tel.ts'

/** Everything needed to help one person, and what staff have done about it. */
export function PersonPage({ id }: { id: number }) {
  const { asked } = useHashFilters()
  const q = asked.get('q') ?? ''
  const person = useQuery(personQuery(id))
  const isGone = person.error instanceof ApiError && person.error.status === 404
  return (
    <>
      <BackLink href={`/admin/members${hashOf({ q })}`}>{q ? `People for “${q}”` : 'Find a person'}</BackLink>
      {person.data ? (
        <Whole person={person.data} />
      ) : (
        <>
          <ViewHead title="Person" />
          {isGone ? (
            <Empty scene="not-found" title="Nobody has this number">
              The account may have been deleted, or merged with another.
            </Empty>
          ) : (
            <ViewLoading of={person} what="this person" />
          )}
        </>
      )}
    </>
  )
}

function Whole({ person }: { person: Person }) {
  const isGuest = person.standing.is === 'guest'
  return (
    <>
      <Head person={person} />
      <p className="flex items-center gap-2 text-14 text-ink-soft">
        <Icon name="eye" size={20} className="flex-none text-green" />
        <span>
          You opened this page at {time(person.looked_at)}. It’s in the audit log
          {isGuest ? '.' : `, and ${person.firstName || 'its owner'} can see it.`}
        </span>
      </p>
      <div className="stack gap-4 min-[77.5rem]:grid-cols-[minmax(0,1fr)_352px]">
        <div className="stack content-start gap-4">
          <PersonConsults person={person} />
          <PersonPurchases person={person} />
          <PersonClaims person={person} />
          <PersonMails person={person} />
        </div>
        <div className="stack content-start gap-4">
          <PersonMembership person={person} />
          <PersonPets person={person} />
          <PersonSessions person={person} />
          <PersonAccess person={person} />
        </div>
      </div>
    </>
  )
}

function Head({ person }: { person: Person }) {
  const { id, email, email_confirmed, mobile, standing } = person
  const mailLink = useMailPasswordLink()
  const name = nameOf(person)
  const { tone, said } = standingSaid(standing)
  const isGuest = standing.is === 'guest'
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <div className="flex min-w-0 items-center gap-4">
        <span className="max-sm:hidden">
          <VetAvatar name={name} size={56} />
        </span>
        <div className="stack min-w-0 gap-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="t28 [overflow-wrap:anywhere]">{name}</h1>
            <Badge tone={tone}>{said}</Badge>
          </div>
          <div className="flex flex-wrap gap-x-5 text-14 text-ink-soft tabular-nums">
            <span className="[overflow-wrap:anywhere]">
              {email}
              {!email_confirmed && !isGuest && ' (not confirmed)'}
            </span>
            {mobile && (
              <a href={telOf(mobile)} className="text-inherit no-underline hover:underline">
                {mobile}
              </a>
            )}
            <span>Person {id}</span>
          </div>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <CallButton
          size={36}
          busyLabel="Mailing…"
          call={mailLink}
          input={{ id }}
          onDone={() => `A password link is on its way to ${email}.`}
        >
          Email a password link
        </CallButton>
        <LinkButton size={36} href={`/admin/audit${hashOf({ person: String(id) })}`}>
          Audit log
        </LinkButton>
      </div>
    </div>
  )
}
