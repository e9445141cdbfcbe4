import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sentenceOf } from '#contract/errors.ts'
import { money } from '#contract/regions.ts'
import { dayAndTime } from '../lib/dates.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { TextField } from '../ui/text-field.tsx'
import { TwoLines, WorkCell, WorkList, WorkRow } from '../ui/work-table.tsx'
import { everyFailedRefund, type FailedRefund, usePaidByHand } from './queries.ts'
import { RefundDialog } from './refund-dialog.tsx'

/** Refunds that didn't reach their payer. Each is sent again, or recorded as paid another way. */
export function FailedRefunds() {
  const list = useInfiniteQuery(everyFailedRefund)
  const [again, sendAgain] = useState<FailedRefund>()
  const [byHand, payByHand] = useState<FailedRefund>()
  return (
    <>
      <WorkList
        list={list}
        rowsOf={(page) => page.refunds}
        what="the failed refunds"
        empty={
          <Empty scene="success" title="Every refund arrived">
            Refunds that a bank refuses or returns will appear here.
          </Empty>
        }
        caption="Failed refunds, newest first"
        columns={[
          { says: 'Receipt', className: 'w-32' },
          { says: 'When', className: 'w-48' },
          { says: 'Who' },
          { says: 'What happened' },
          { says: 'Amount', className: 'w-32 text-right!' },
          { says: 'Actions', className: 'w-64', unseen: true },
        ]}
      >
        {(refund) => {
          const { id, at, charge, amount, came_back, reason } = refund
          return (
            <WorkRow key={id}>
              <WorkCell className="tabular-nums cards:order-1">VC-{charge.id}</WorkCell>
              <WorkCell className="tabular-nums cards:order-3 cards:col-span-3">{dayAndTime(at)}</WorkCell>
              <WorkCell className="text-14 cards:order-4 cards:col-span-3">{charge.email}</WorkCell>
              <WorkCell className="cards:order-5 cards:col-span-3">
                <TwoLines
                  first={came_back === 'refused' ? 'The provider refused it' : 'The bank returned it'}
                  then={reason}
                />
              </WorkCell>
              <WorkCell className="font-semi tabular-nums cards:order-2 cards:col-span-2 text-right">
                {money(amount, charge.currency)}
              </WorkCell>
              <WorkCell className="cards:order-6 cards:col-span-3">
                <span className="flex flex-wrap gap-2 table:justify-end">
                  <Button
                    size={36}
                    aria-label={`Try again: VC-${charge.id}`}
                    onClick={() => sendAgain(refund)}
                  >
                    Try again
                  </Button>
                  <Button
                    size={36}
                    aria-label={`Paid by hand: VC-${charge.id}`}
                    onClick={() => payByHand(refund)}
                  >
                    Paid by hand
                  </Button>
                </span>
              </WorkCell>
            </WorkRow>
          )
        }}
      </WorkList>
      {again && <RefundDialog entry={again.charge} again={again} onClose={() => sendAgain(undefined)} />}
      {byHand && <ByHandDialog refund={byHand} onClose={() => payByHand(undefined)} />}
    </>
  )
}

function ByHandDialog({
  refund: { id, amount, charge },
  onClose,
}: {
  refund: FailedRefund
  onClose: () => void
}) {
  const note = usePaidByHand()
  const form = useForm<{ how: string }>({
    rules: ({ how }) => ({ how: how.trim() === '' && sentenceOf('REFUND_HOW_MISSING') }),
    defaults: { how: '' },
  })
  const sum = money(amount, charge.currency)
  return (
    <FormDialog
      small
      title={`${sum} paid by hand`}
      form={form}
      does="Record it"
      onClose={onClose}
      onSubmit={async ({ how }) => {
        await note({ id, how: how.trim() })
        return `Recorded: ${sum} paid to ${charge.email}.`
      }}
    >
      <p>
        Record this only once you’ve paid {charge.email} another way. It then counts as refunded, and can’t be
        refunded again.
      </p>
      <TextField
        label="How you paid it"
        maxLength={300}
        autoComplete="off"
        help="It’s kept with the refund."
        {...form.field('how')}
      />
    </FormDialog>
  )
}
