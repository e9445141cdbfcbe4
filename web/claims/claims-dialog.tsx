import { useQuery } from '@tanstack/react-query'
import { type Claim, INCIDENTS } from '#contract/claims.ts'
import { money } from '#contract/regions.ts'
import { day } from '../lib/dates.ts'
import { Badge } from '../ui/badge.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { say, sentence } from '../ui/say.ts'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { myClaims } from './queries.ts'

const STATES = {
  received: { says: sentence('Received'), tone: 'quiet', next: sentence('It goes to the insurer next.') },
  sent: {
    says: sentence('With the insurer'),
    tone: 'amber',
    next: sentence('The insurer will decide and write to you.'),
  },
  decided: { says: sentence('Decided'), tone: 'green', next: sentence('The insurer has written to you.') },
} as const

/** The claims made on this account, newest first. */
export function ClaimsDialog({ onClose }: { onClose: () => void }) {
  const asked = useQuery(myClaims)
  const claims = asked.data?.claims
  return (
    <Dialog title={say('My claims')} onClose={onClose}>
      {claims ? (
        claims.length > 0 ? (
          <ul className="divide-y divide-line">
            {claims.map((claim) => (
              <ClaimRow key={claim.id} claim={claim} />
            ))}
          </ul>
        ) : (
          <Empty scene="empty-no-consults" title={say('No claims yet')}>
            {say('When you claim for a vet bill, you can follow it here.')}
          </Empty>
        )
      ) : (
        <RowsLoading of={asked} what={say('your claims')} />
      )}
    </Dialog>
  )
}

function ClaimRow({ claim }: { claim: Claim }) {
  const { pet, incident, happened_on, amount, currency, would_pay, state, decision } = claim
  const { says, tone, next } = STATES[state]
  return (
    <li className="stack gap-1 py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <p className="t18">
          {pet.name}: {say(INCIDENTS[incident])}
        </p>
        <Badge tone={tone}>{say(says)}</Badge>
      </div>
      <p className="text-14 text-ink-soft tabular-nums">
        {say('{day} · Invoice {sum}', { day: day(happened_on), sum: money(amount, currency) })}
      </p>
      <p className="text-14 text-ink-soft">
        {state === 'decided'
          ? decision || say(next)
          : `${say('PawCare would pay {sum}.', { sum: money(would_pay, currency) })} ${say(next)}`}
      </p>
    </li>
  )
}
