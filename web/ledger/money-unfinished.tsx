import { useInfiniteQuery } from '@tanstack/react-query'
import { money } from '#contract/regions.ts'
import { CallButton } from '../lib/call-button.tsx'
import { dayAndTime } from '../lib/dates.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Empty } from '../ui/empty.tsx'
import { TwoLines, WorkCell, WorkList, WorkRow } from '../ui/work-table.tsx'
import { everyUnfinished, useFinish } from './queries.ts'

const WHAT = {
  consult: 'Consult',
  membership: 'Membership',
  pet: 'Membership of a pet',
  offer: 'Membership from an offer',
}

/** Purchases that got stuck. A job tries each one again; an admin can ask for it straight away. */
export function Unfinished() {
  const list = useInfiniteQuery(everyUnfinished)
  const finish = useFinish()
  const { show } = useAlert()
  return (
    <WorkList
      list={list}
      rowsOf={(page) => page.purchases}
      what="the purchases"
      empty={
        <Empty scene="success" title="Every purchase is finished">
          Purchases that take longer than ten minutes will appear here.
        </Empty>
      }
      caption="Unfinished purchases, newest first"
      columns={[
        { says: 'Since', className: 'w-48' },
        { says: 'Who' },
        { says: 'What' },
        { says: 'Where it is', className: 'w-56' },
        { says: 'Amount', className: 'w-32 text-right!' },
        { says: 'Actions', className: 'w-36', unseen: true },
      ]}
    >
      {({ id, at, email, kind, state, amount, currency, attempts }) => (
        <WorkRow key={id}>
          <WorkCell className="tabular-nums cards:order-1 cards:col-span-2">{dayAndTime(at)}</WorkCell>
          <WorkCell className="text-14 cards:order-3 cards:col-span-3">{email}</WorkCell>
          <WorkCell className="cards:order-4 cards:col-span-3">{WHAT[kind]}</WorkCell>
          <WorkCell className="cards:order-5 cards:col-span-3">
            <TwoLines
              first={state === 'paid' ? 'Paid, not delivered' : 'We’re asking the bank'}
              then={attempts === 1 ? 'Tried once' : `Tried ${attempts} times`}
            />
          </WorkCell>
          <WorkCell className="font-semi tabular-nums cards:order-2 text-right">
            {money(amount, currency)}
          </WorkCell>
          <WorkCell className="cards:order-6 cards:col-span-3">
            <CallButton
              size={36}
              aria-label={`Try now: ${WHAT[kind]}, ${money(amount, currency)}, ${email}`}
              busyLabel="Trying…"
              call={finish}
              input={{ id }}
              onDone={() => show('We’re trying it now. It leaves this list once it’s finished.', 'info')}
            >
              Try now
            </CallButton>
          </WorkCell>
        </WorkRow>
      )}
    </WorkList>
  )
}
