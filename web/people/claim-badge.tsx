import type { Claim } from '#contract/claims.ts'
import { money } from '#contract/regions.ts'
import { Badge } from '../ui/badge.tsx'

export const CLAIM_SAID = { received: 'Received', sent: 'With the insurer', decided: 'Decided' }

/** Where a claim is, or what came of it, as admins see it. */
export function ClaimBadge({ claim: { state, paid, currency } }: { claim: Claim }) {
  if (paid === null) return <Badge tone={state === 'sent' ? 'amber' : 'quiet'}>{CLAIM_SAID[state]}</Badge>
  return paid > 0 ? (
    <Badge tone="green">Paid {money(paid, currency)}</Badge>
  ) : (
    <Badge tone="red">Declined</Badge>
  )
}
