import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { User } from '#contract/accounts.ts'
import { money } from '#contract/regions.ts'
import { currentUser } from '../lib/current-user.ts'
import { nameList } from '../lib/name-list.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { useSite } from '../lib/site.ts'
import { type Refusal, useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { say, sentence } from '../ui/say.ts'
import { CardForm } from './card-form.tsx'
import type { CardHandle } from './card-handle.ts'
import { useChallenge } from './challenge.ts'
import { useUpdatePaymentMethod } from './queries.ts'

const NOT_CONFIRMED = sentence(
  'Your bank didn’t confirm this card, so it was not saved. Try again or use another one.',
)

/** What a new card is charged straight away: the memberships whose last payment failed. */
const owedBy = (user: User | undefined) =>
  nameList(
    (user?.subscriptions ?? [])
      .filter((one) => one.end === null && one.grace_end !== null)
      .map(({ price, currency }) => money(price, currency)),
  )

export function CardDialog({ replaces, onClose }: { replaces: boolean; onClose: () => void }) {
  const { show } = useAlert()
  const update = useUpdatePaymentMethod()
  const challenge = useChallenge()
  const card = useRef<CardHandle>(null)
  const { takesCards } = useSite()
  const client = useQueryClient()
  const owed = owedBy(useQuery(currentUser).data)
  // The card's fields don't belong to the form.
  const form = useForm({ defaults: {} })

  async function save() {
    const answer = await update({ payload: { token: await card.current!.token() } })
    if ('status' in answer) {
      const refused: Refusal = { errors: [say(NOT_CONFIRMED)] }
      if ((await challenge(answer.client_secret)) === 'failed') throw refused
      if ('status' in (await update({ payload: { setup: answer.setup } }))) throw refused
    }
    const after = owed
      ? await client.fetchQuery({ ...currentUser, staleTime: 0 }).catch(() => undefined)
      : undefined
    const left = owedBy(after)
    if (left) {
      show(
        say('Your new card is saved, but {sum} couldn’t be charged to it. Please try another card.', {
          sum: left,
        }),
        'failed',
      )
      return onClose()
    }
    // Without an answer we don't know whether it was paid.
    if (after) return say('Your new card is saved, and {sum} is paid.', { sum: owed })
    return replaces ? say('Your new card is saved.') : say('Your card is saved.')
  }

  return (
    <FormDialog
      small
      title={replaces ? say('Replace card') : say('Add card')}
      form={form}
      does={!takesCards ? undefined : owed ? say('Save card and pay {sum}', { sum: owed }) : say('Save card')}
      onClose={onClose}
      onSubmit={save}
    >
      <p className="text-ink-soft">
        {owed
          ? say(
              'We’ll charge {sum} for your membership to the new card straight away, and renewals from now on. We won’t keep the old one.',
              { sum: owed },
            )
          : replaces
            ? say('Renewals will be charged to the new card from now on. We won’t keep the old one.')
            : say('Nothing is charged now. Your bank may ask you to confirm.')}
      </p>
      <CardForm ref={card} />
    </FormDialog>
  )
}
