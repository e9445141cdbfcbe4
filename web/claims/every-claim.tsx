import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AdminsClaim, CLAIM_STATES, INCIDENTS } from '#contract/claims.ts'
import { money } from '#contract/regions.ts'
import { briefDay, day } from '../lib/dates.ts'
import { hashOf, useHashFilters } from '../lib/hash-filters.ts'
import { SearchField } from '../lib/search-field.tsx'
import { CLAIM_SAID, ClaimBadge } from '../people/claim-badge.tsx'
import { nameOf } from '../people/person-words.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Link } from '../ui/link.tsx'
import { Tab, Tabs } from '../ui/tabs.tsx'
import { ViewHead } from '../ui/view-frame.tsx'
import { TwoLines, WorkCell, WorkList, WorkRow } from '../ui/work-table.tsx'
import { DecisionDialog } from './decision-dialog.tsx'
import { everyClaim } from './every-claim-queries.ts'

type State = (typeof CLAIM_STATES)[number] | undefined

/** What owners claimed from PawCare, and what the insurer decided. Filter and search are in the address, behind the #. */
export default function EveryClaim() {
  const { asked, ask } = useHashFilters()
  const q = asked.get('q')?.trim() ?? ''
  const state = CLAIM_STATES.find((one) => one === asked.get('state'))
  const list = useInfiniteQuery(everyClaim({ q: q || undefined, state }))
  const [decided, decide] = useState<AdminsClaim>()
  const sentFromHere = list.data?.pages[0]?.sent_from_here ?? true
  return (
    <>
      <ViewHead title="PawCare claims" />
      <SearchField
        label="Owner’s name or email, or pet"
        q={q}
        onSearch={(words) => ask({ state, q: words }, { replace: true })}
      />
      <Tabs label="State">
        {[undefined, ...CLAIM_STATES].map((one) => (
          <Tab key={one ?? 'all'} href={`/admin/claims${hashOf({ state: one, q })}`} current={one === state}>
            {one ? CLAIM_SAID[one] : 'All'}
          </Tab>
        ))}
      </Tabs>
      <WorkList
        list={list}
        rowsOf={(page) => page.claims}
        what="the claims"
        empty={<Nothing {...{ q, state, sentFromHere }} />}
        caption="PawCare claims, newest first"
        columns={[
          { says: 'Claim', className: 'w-32' },
          { says: 'Owner', className: 'w-[24%]' },
          { says: 'What happened' },
          { says: 'Invoice', className: 'w-40 text-right!' },
          { says: 'State', className: 'w-44' },
          { says: 'Actions', className: 'w-32', unseen: true },
        ]}
      >
        {(claim) => <Row key={claim.id} claim={claim} onDecide={decide} />}
      </WorkList>
      {decided && <DecisionDialog claim={decided} onClose={() => decide(undefined)} />}
    </>
  )
}

function Nothing({ q, state, sentFromHere }: { q: string; state: State; sentFromHere: boolean }) {
  if (q)
    return (
      <Empty scene="not-found" title="Nothing matches">
        Search by the beginning of the owner’s name or email, or of the pet’s name.
      </Empty>
    )
  if (!sentFromHere)
    return (
      <Empty scene="empty-no-consults" title="Owners claim by hand">
        No insurer’s address is set up here, so owners send their invoices to the insurer themselves, and none
        of their claims reaches us. Once INSURER_EMAIL is set, they’ll appear here.
      </Empty>
    )
  if (state === 'received')
    return (
      <Empty scene="success" title="Every claim has gone to the insurer">
        New claims appear here until we’ve emailed them to the insurer.
      </Empty>
    )
  return (
    <Empty
      scene="empty-no-consults"
      title={
        state === 'sent'
          ? 'Nothing is with the insurer'
          : state === 'decided'
            ? 'Nothing decided yet'
            : 'No claims yet'
      }
    >
      {state === undefined && 'The first claim that an owner makes will appear here.'}
    </Empty>
  )
}

function Row({ claim, onDecide }: { claim: AdminsClaim; onDecide: (claim: AdminsClaim) => void }) {
  const { id, at, owner, pet, incident, happened_on, amount, currency, would_pay, invoice, decided } = claim
  return (
    <WorkRow>
      <WorkCell className="tabular-nums cards:order-1 cards:col-span-2">
        <TwoLines bold first={`Claim ${id}`} then={briefDay(at)} />
      </WorkCell>
      <WorkCell className="cards:order-3 cards:col-span-3">
        <TwoLines
          first={
            owner.has_left ? nameOf(owner) : <Link href={`/admin/members/${owner.id}`}>{nameOf(owner)}</Link>
          }
          then={owner.email}
        />
      </WorkCell>
      <WorkCell className="cards:order-4 cards:col-span-3">
        <TwoLines first={`${pet.name}: ${INCIDENTS[incident].toLowerCase()}`} then={day(happened_on)} />
      </WorkCell>
      <WorkCell className="tabular-nums cards:order-5 cards:col-span-3 table:text-right">
        <TwoLines
          first={
            <a href={invoice} target="_blank" rel="noreferrer">
              <span className="table:sr-only">Invoice of </span>
              {money(amount, currency)}
            </a>
          }
          then={`would pay ${money(would_pay, currency)}`}
        />
      </WorkCell>
      <WorkCell className="cards:order-2">
        <span className="grid justify-items-start gap-1 leading-snug">
          <ClaimBadge claim={claim} />
          {decided && (
            <span className="text-14 text-ink-soft">
              {briefDay(decided.at)}, {decided.by}
            </span>
          )}
        </span>
      </WorkCell>
      <WorkCell className="cards:order-6 cards:col-span-3 table:text-right">
        <Button
          size={36}
          aria-label={`${decided ? 'Correct' : 'Record'} the decision on claim ${id}`}
          onClick={() => onDecide(claim)}
        >
          {decided ? 'Correct' : 'Record'}
        </Button>
      </WorkCell>
    </WorkRow>
  )
}
