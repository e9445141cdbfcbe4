import { INCIDENTS } from '#contract/claims.ts'
import type { Person } from '#contract/people.ts'
import { money } from '#contract/regions.ts'
import { ClaimBadge } from './claim-badge.tsx'
import { day } from '../lib/dates.ts'
import { hashOf } from '../lib/hash-filters.ts'
import { Link } from '../ui/link.tsx'
import { TwoLines } from '../ui/work-table.tsx'
import { Rows, Section } from '../ui/section.tsx'

/** What was claimed from PawCare. Invoices and decisions are in the list of claims. */
export const PersonClaims = ({ person: { claims, email } }: { person: Person }) => (
  <Section
    title="PawCare claims"
    said={claims.length || undefined}
    aside={
      claims.length > 0 && (
        <Link href={`/admin/claims${hashOf({ q: email })}`} className="text-14">
          Invoices and decisions
        </Link>
      )
    }
  >
    <Rows of={claims} none="No claims yet.">
      {(claim) => (
        <li key={claim.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3">
          <TwoLines
            bold
            first={`${claim.pet.name}: ${INCIDENTS[claim.incident].toLowerCase()}`}
            then={`Claim ${claim.id}, ${day(claim.happened_on)}. Invoice of ${money(claim.amount, claim.currency)}, would pay ${money(claim.would_pay, claim.currency)}`}
          />
          <ClaimBadge claim={claim} />
        </li>
      )}
    </Rows>
  </Section>
)
