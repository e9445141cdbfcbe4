import type { Person } from '#contract/people.ts'
import { ago, DONE } from './person-words.ts'
import { Rows, Section } from '../ui/section.tsx'

/** The same list that the person sees in their profile. */
export function PersonAccess({ person }: { person: Person }) {
  const isGuest = person.standing.is === 'guest'
  return (
    <Section
      title="What staff looked at"
      said={isGuest ? undefined : `${person.firstName || 'Its owner'} sees this list under Profile`}
    >
      <Rows of={person.looks} none="Nobody has looked yet.">
        {({ name, action, reason, at, about, mine }) => (
          <li key={`${at} ${name} ${action}`} className="flex items-baseline justify-between gap-3 px-5 py-3">
            <p className="min-w-0 leading-snug">
              <span className="font-semi">{mine ? 'You' : name || 'An admin'}</span>{' '}
              {DONE[action]?.(about) ?? action}
              {reason && (
                <span className="block text-14 text-ink-soft [overflow-wrap:anywhere]">{reason}</span>
              )}
            </p>
            <time dateTime={at} className="flex-none text-14 text-ink-soft tabular-nums">
              {ago(at)}
            </time>
          </li>
        )}
      </Rows>
    </Section>
  )
}
