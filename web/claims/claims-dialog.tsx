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

const WAITS = {
  received: { says: sentence('Received'), tone: 'quiet', next: sentence('It goes to the insurer next.') },
  sent: {
    says: sentence('With the insurer'),
    tone: 'amber',
    next: sentence('The insurer will decide and write to you.'),
  },
} as const

/** How far a claim is: in a badge, and in words. */
function standingOf({ state, paid, would_pay, currency, decision }: Claim) {
  if (state !== 'decided') {
    const { says, tone, next } = WAITS[state]
    const would = say('PawCare would pay {sum}.', { sum: money(would_pay, currency) })
    return { badge: say(says), tone, words: `${would} ${say(next)}` }
  }
  if (paid) {
    const sum = money(paid, currency)
    return { badge: say('Paid {sum}', { sum }), tone: 'green', words: decision } as const
  }
  return { badge: say('Declined'), tone: 'red', words: decision } as const
}

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
  const { pet, incident, happened_on, amount, currency } = claim
  const { badge, tone, words } = standingOf(claim)
  return (
    <li className="stack gap-1 py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <p className="t18">
          {pet.name}: {say(INCIDENTS[incident])}
        </p>
        <Badge tone={tone}>{badge}</Badge>
      </div>
      <p className="text-14 text-ink-soft tabular-nums">
        {say('{day} · Invoice {sum}', { day: day(happened_on), sum: money(amount, currency) })}
      </p>
      {words && <p className="text-14 [overflow-wrap:anywhere] whitespace-pre-line text-ink-soft">{words}</p>}
    </li>
  )
}
