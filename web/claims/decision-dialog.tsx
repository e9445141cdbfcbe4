import { useState } from 'react'
import { type AdminsClaim, INCIDENTS } from '#contract/claims.ts'
import { sentenceOf } from '#contract/errors.ts'
import * as lengths from '#contract/lengths.ts'
import { minorOf, money } from '#contract/regions.ts'
import { nameOf } from '../people/person-words.ts'
import { ChangedMeanwhile } from '../ui/changed-meanwhile.tsx'
import { useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Segments } from '../ui/radio.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { useDecideClaim } from './every-claim-queries.ts'

type Typed = ReturnType<typeof typedOf>

const paidIn = ({ how, paid }: Typed) => (how === 'declined' ? 0 : minorOf(paid))

const typedOf = ({ paid, would_pay, decision }: AdminsClaim) => ({
  how: paid === 0 ? 'declined' : 'paid',
  paid: String((paid || would_pay) / 100),
  decision,
})

export function DecisionDialog({ claim, onClose }: { claim: AdminsClaim; onClose: () => void }) {
  /** What another admin recorded first. */
  const [current, setCurrent] = useState<AdminsClaim>()
  const decide = useDecideClaim(setCurrent)
  const { id, amount, currency, would_pay, pet, incident, owner, decided } = current ?? claim
  const form = useForm<Typed>({
    rules: (typed) => {
      const paid = paidIn(typed)
      const isPaid = typed.how === 'paid'
      return {
        paid:
          isPaid && (paid === undefined || paid <= 0 || paid > amount) && sentenceOf('CLAIM_PAID_TOO_MUCH'),
        decision: !isPaid && typed.decision.trim() === '' && sentenceOf('CLAIM_WHY_MISSING'),
      }
    },
    defaults: typedOf(claim),
  })
  const typed = form.hook.watch()
  const isPaid = typed.how === 'paid'
  const sum = money(paidIn(typed) ?? 0, currency)
  return (
    <FormDialog
      small
      title={decided ? `Correct the decision on claim ${id}` : `The insurer’s decision on claim ${id}`}
      does={isPaid ? `Record ${sum} paid` : 'Record it as declined'}
      doing="Recording…"
      form={form}
      onClose={onClose}
      onSubmit={async (sent) => {
        await decide({ id, paid: paidIn(sent)!, decision: sent.decision.trim(), seen: decided?.at ?? null })
        return owner.has_left ? 'Recorded.' : `Recorded. We’ll email ${owner.email}.`
      }}
    >
      {current && (
        <ChangedMeanwhile
          changes={[
            {
              label: 'Decision',
              now: current.paid ? `Paid ${money(current.paid, currency)}` : 'Declined',
            },
            { label: 'Message to the owner', now: current.decision },
          ]}
          onTake={() => form.hook.setValues(typedOf(current))}
        />
      )}
      <p>
        {nameOf(owner)}’s {pet.name}: {INCIDENTS[incident].toLowerCase()}. Invoice of{' '}
        {money(amount, currency)}, for which PawCare would pay {money(would_pay, currency)}.
      </p>
      <Segments
        legend="The insurer"
        options={[
          { value: 'paid', label: 'Paid' },
          { value: 'declined', label: 'Declined' },
        ]}
        {...form.field('how')}
      />
      {isPaid && (
        <TextField
          label="Amount paid"
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          {...form.field('paid')}
        />
      )}
      <Textarea
        label="Message to the owner"
        optional={isPaid}
        maxLength={lengths.decision}
        help={
          owner.has_left
            ? 'They deleted their account, so we don’t email them.'
            : isPaid
              ? 'We email them with the decision.'
              : 'Explain why. We’ll email this to the owner and keep it with the claim.'
        }
        {...form.field('decision')}
      />
    </FormDialog>
  )
}
