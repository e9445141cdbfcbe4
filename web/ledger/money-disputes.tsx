import { useInfiniteQuery } from '@tanstack/react-query'
import { money } from '#contract/regions.ts'
import { dayAndTime } from '../lib/dates.ts'
import { Badge } from '../ui/badge.tsx'
import { Empty } from '../ui/empty.tsx'
import { TwoLines, WorkCell, WorkList, WorkRow } from '../ui/work-table.tsx'
import { type Dispute, everyDispute } from './queries.ts'

const STANDS = {
  asked: {
    tone: 'quiet',
    says: 'Nothing to answer',
    means: 'The bank has asked, but hasn’t taken any money.',
  },
  open: { tone: 'quiet', says: 'The bank decides', means: 'It holds the money until then.' },
  won: { tone: 'green', says: 'Won', means: 'The money is back.' },
  lost: { tone: 'quiet', says: 'Lost', means: 'The payer keeps the money.' },
} as const

/** What payers told their banks. Somebody answers at the payment provider, which stores the evidence. */
export function Disputes() {
  const list = useInfiniteQuery(everyDispute)
  return (
    <WorkList
      list={list}
      rowsOf={(page) => page.disputes}
      what="the disputes"
      empty={
        <Empty scene="success" title="No disputes">
          Payments that people dispute with their bank will appear here.
        </Empty>
      }
      caption="Disputes, those that need an answer first"
      columns={[
        { says: 'Receipt', className: 'w-32' },
        { says: 'Since', className: 'w-44' },
        { says: 'Who', className: 'w-[30%]' },
        { says: 'Status' },
        { says: 'Amount', className: 'w-32 text-right!' },
      ]}
    >
      {(dispute) => <DisputeRow key={dispute.id} dispute={dispute} />}
    </WorkList>
  )
}

function DisputeRow({
  dispute: { at, amount, stands, needs_answer, answer_by, charge },
}: {
  dispute: Dispute
}) {
  const { tone, says, means } = STANDS[stands]
  return (
    <WorkRow>
      <WorkCell className="tabular-nums cards:order-1">VC-{charge.id}</WorkCell>
      <WorkCell className="text-14 tabular-nums cards:order-3 cards:col-span-3">{dayAndTime(at)}</WorkCell>
      <WorkCell className="text-14 cards:order-4 cards:col-span-3">
        <TwoLines first={charge.email} then={charge.what} />
      </WorkCell>
      <WorkCell className="cards:order-5 cards:col-span-3">
        {needs_answer ? (
          <TwoLines
            first={
              <Badge tone="red" icon="clock">
                Needs an answer
              </Badge>
            }
            then={
              answer_by ? `At the payment provider, by ${dayAndTime(answer_by)}.` : 'At the payment provider.'
            }
          />
        ) : (
          <TwoLines first={<Badge tone={tone}>{says}</Badge>} then={means} />
        )}
      </WorkCell>
      <WorkCell className="font-semi tabular-nums cards:order-2 cards:col-span-2 text-right">
        {money(amount, charge.currency)}
      </WorkCell>
    </WorkRow>
  )
}
