import { useQuery } from '@tanstack/react-query'
import type { ListedEscalation } from '#contract/escalation.ts'
import { time } from '../lib/dates.ts'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { openEscalations, useEscalationChanges } from './queries.ts'
import { UrgencyBadge } from './urgency-badge.tsx'

const SAYS: Record<ListedEscalation['state'], (one: ListedEscalation) => string> = {
  yours: () => 'Nobody has it. A vet decides now',
  calling: ({ contact, due_at }) => `Waiting for ${contact} until ${time(due_at!)}`,
  taken: ({ contact }) => `${contact} is on it`,
  decided: () => 'Decided by the vet',
}

/** Cases in which a contact is being called or a vet has to decide, and the night's other cases. Empty without any. */
export function OpenCases() {
  const { data } = useQuery(openEscalations)
  useEscalationChanges()
  if (!data || data.length === 0) return null
  return (
    <section aria-label="Contacts called" className="rounded-card border border-line bg-card">
      <h2 className="px-5 pt-4 text-16 font-bold">Contacts called</h2>
      <ul className="divide-y divide-line pt-2 pb-1">
        {data.map((one) => (
          <li key={one.id}>
            <Link
              href={`/phone/${one.id}`}
              className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 px-5 py-2 text-14 text-ink no-underline hover:bg-paper-sunk focus-visible:-outline-offset-3"
            >
              <UrgencyBadge urgency={one.urgency} />
              <span className="min-w-[8rem] flex-1">
                <span className="font-semi">
                  {one.pet}, {one.clinic.clinic}
                </span>{' '}
                <span className={one.state === 'yours' ? 'font-semi text-coral-soft-ink' : 'text-ink-soft'}>
                  {SAYS[one.state](one)}
                </span>
              </span>
              <span className="text-ink-soft tabular-nums max-sm:hidden">
                {one.vet_name}, {time(one.recorded_at)}
              </span>
              <Icon name="chevron-right" size={16} className="text-ink-soft" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
