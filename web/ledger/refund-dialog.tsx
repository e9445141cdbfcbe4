import { useState } from 'react'
import { sentenceOf } from '#contract/errors.ts'
import { leftOf } from '#contract/ledger.ts'
import { minorOf, money } from '#contract/regions.ts'
import { useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Segments } from '../ui/radio.tsx'
import { TextField } from '../ui/text-field.tsx'
import { type Entry, type RefundedMeanwhile, useRefund } from './queries.ts'

interface Typed {
  how: string
  amount: string
  reason: string
}

/** Refunds a charge in full or in part. The server checks again how much is left. */
export function RefundDialog({
  entry,
  again,
  onClose,
}: {
  entry: Entry
  /** A refund that failed, to be sent again. */
  again?: { amount: number; reason: string }
  onClose: () => void
}) {
  /** What somebody else refunded after the dialog opened. */
  const [meanwhile, setMeanwhile] = useState<RefundedMeanwhile>()
  const charge = meanwhile ?? entry
  const { id, email, what, amount, currency, subscription_id } = charge
  const refund = useRefund(setMeanwhile)
  const left = leftOf(charge)
  const partOf = (typed: Typed) => (typed.how === 'part' ? minorOf(typed.amount) : left)
  const form = useForm<Typed>({
    rules: (typed) => {
      const part = partOf(typed)
      return {
        amount:
          (part === undefined || part <= 0 || part > left) &&
          `Enter an amount up to ${money(left, currency)}.`,
        reason: typed.reason.trim() === '' && sentenceOf('REFUND_REASON_MISSING'),
      }
    },
    defaults: {
      how: again && again.amount < left ? 'part' : 'all',
      amount: again ? String(again.amount / 100) : '',
      reason: again?.reason ?? '',
    },
  })
  const typed = form.hook.watch()
  const part = partOf(typed)
  const sum = part && part > 0 && part <= left ? ` ${money(part, currency)}` : ''

  return (
    <FormDialog
      small
      title={`Refund VC-${id}`}
      form={form}
      does={`Refund${sum}`}
      doing={`Refunding${sum}…`}
      danger
      onClose={onClose}
      onSubmit={async (sent) => {
        const reason = sent.reason.trim()
        // Sends the amount on the button, so that nobody refunds a different one from what they read.
        await refund({ id, reason, amount: partOf(sent) })
        return `Refunding${sum} to ${email}.`
      }}
    >
      {meanwhile?.last && (
        <p className="font-semi">
          {meanwhile.last.by ?? 'VetChat'} refunded {money(meanwhile.last.amount, currency)} after you opened
          this.
        </p>
      )}
      <p>
        {what}, {email}. {money(left, currency)} of {money(amount, currency)} can be refunded.
        {subscription_id !== null &&
          ' A refund doesn’t end a membership. You can cancel it on the owner’s page.'}
      </p>
      <Segments
        legend="How much"
        options={[
          { value: 'all', label: 'All of it' },
          { value: 'part', label: 'A part' },
        ]}
        {...form.field('how')}
      />
      {typed.how === 'part' && (
        <TextField label="Amount" inputMode="decimal" autoComplete="off" {...form.field('amount')} />
      )}
      <TextField
        label="Reason"
        maxLength={300}
        help="We email it to the payer with the refund."
        {...form.field('reason')}
      />
    </FormDialog>
  )
}
