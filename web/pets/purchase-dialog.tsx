import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { furtherMembership, type Plan } from '#contract/memberships.ts'
import { PETS_PER_MEMBERSHIP } from '#contract/pets.ts'
import { money, REGIONS, type Region } from '#contract/regions.ts'
import { isSilence } from '../lib/api.ts'
import { useSite } from '../lib/site.ts'
import { ChargedTo } from '../payments/charged-to.tsx'
import { useChallenge } from '../payments/challenge.ts'
import { myPaymentMethod } from '../payments/queries.ts'
import { sendUntilPaid, NOT_CONFIRMED, NotConfirmed } from '../purchases/send-until-paid.ts'
import { Checks } from '../shell/page-parts.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { ChoiceRow, Choices } from '../ui/choice-card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Link } from '../ui/link.tsx'
import { Note } from '../ui/note.tsx'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { say, sayLines, sentence } from '../ui/say.ts'
import { keep, unanswered } from './sent-purchase.ts'
import { myPets, type Purchase, useBuyMembership, type Wanted } from './queries.ts'
import { currentUser } from '../lib/current-user.ts'

const NOT_KNOWN = sentence('We didn’t hear back about the payment')

/** Members pay 10% less. Without an active membership the plan's price applies. */
export const priceOf = (region: Region, plan: Plan, isMember: boolean) =>
  isMember
    ? furtherMembership(region, plan)
    : { amount: REGIONS[region].prices[plan], currency: REGIONS[region].currency }

/** Buys another membership with the card on file and puts the pet on it: both or neither. */
export function PurchaseDialog({
  input,
  isMember,
  onBought,
  onClose,
}: {
  input: Wanted
  isMember: boolean
  onBought: () => void
  onClose: () => void
}) {
  const here = useSite().region
  const region = useQuery(currentUser).data?.region ?? here
  const card = useQuery(myPaymentMethod)
  const pets = useQuery(myPets).data
  const buy = useBuyMembership()
  const challenge = useChallenge()
  const [open, setOpen] = useState(unanswered)
  const [plan, setPlan] = useState<Plan>(open?.input.plan === 'monthly' ? 'monthly' : 'annual')
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState('')
  const said = useRef<HTMLDivElement>(null)

  // The error is at the top, but the pressed button is below the part that scrolls.
  useEffect(() => {
    if (!busy) said.current?.scrollIntoView({ block: 'nearest' })
  }, [busy])

  const wanted = open?.input ?? input
  const isNew = 'pet' in wanted
  const name = isNew ? wanted.pet.name : (pets?.find(({ id }) => id === wanted.pet_id)?.name ?? '')
  const price = (of: Plan) => {
    const { amount, currency } = priceOf(region, of, isMember)
    return money(amount, currency)
  }
  const count = PETS_PER_MEMBERSHIP - 1
  const back = !isNew
    ? say('Not now')
    : name.trim()
      ? say('Back to {name}', { name: name.trim() })
      : say('Back to your pet')
  const pays = say('Pay {price} and add {name}', { price: price(plan), name })

  const replace = <Link href="/myaccount/profile#card">{say('add another card in your profile')}</Link>

  const send = (purchase: Purchase) => {
    keep(purchase)
    return buy(purchase)
  }

  async function pay() {
    if (busy) return
    setBusy(true)
    setRefused('')
    try {
      const fresh = { key: crypto.randomUUID(), input: { ...input, plan }, at: Date.now() }
      await sendUntilPaid(open ?? fresh, { send, challenge })
      keep(undefined)
      onBought()
    } catch (error) {
      if (!isSilence(error)) {
        keep(undefined)
        setRefused(
          error instanceof NotConfirmed ? say(NOT_CONFIRMED) : error instanceof Error ? error.message : '',
        )
      }
      setOpen(unanswered())
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      onClose={onClose}
      title={say('Purchase membership')}
      foot={
        card.data ? (
          <Button variant="primary" busy={busy} busyLabel={say('Paying…')} onClick={() => void pay()}>
            {open ? say('Check and finish the payment') : pays}
          </Button>
        ) : (
          card.data === null && (
            <LinkButton variant="primary" href="/myaccount/profile#card">
              {say('Go to my profile')}
            </LinkButton>
          )
        )
      }
      keeps={card.data === undefined ? undefined : back}
    >
      <div ref={said} role="alert" className="empty:hidden">
        {open && !busy ? (
          <Note tone="wait" title={say(NOT_KNOWN)}>
            {say(
              'Press the button below to find out. Whatever happened, you’ll be charged {price} for {name} only once.',
              { price: price(plan), name },
            )}
          </Note>
        ) : refused ? (
          <Note tone="bad" title={sayLines(refused)}>
            {isNew
              ? say(
                  '{name} hasn’t been added yet, and everything you entered is still here. You can try again, or {replace}.',
                  { name, replace },
                )
              : say('{name} isn’t on a membership yet. You can try again, or {replace}.', { name, replace })}
          </Note>
        ) : null}
      </div>
      {open ? (
        <p>
          {plan === 'annual'
            ? say('Annual membership, {price}, with {name} as its first pet.', { price: price(plan), name })
            : say('Monthly membership, {price}, with {name} as its first pet.', { price: price(plan), name })}
        </p>
      ) : (
        <Choices legend={say('How would you like to pay?')} across="one">
          {(['annual', 'monthly'] as const).map((one) => (
            <ChoiceRow
              key={one}
              name="plan"
              value={one}
              checked={plan === one}
              onChange={() => setPlan(one)}
              title={one === 'annual' ? say('Annual') : say('Monthly')}
              note={isMember ? say('10% off, because you’re a member') : undefined}
              end={
                <>
                  <span className="t18">{price(one)}</span>
                  <span className="text-14 text-ink-soft">
                    {one === 'annual' ? say('a year') : say('a month')}
                  </span>
                </>
              }
            />
          ))}
        </Choices>
      )}
      <Checks
        points={[
          name.trim()
            ? say('{name} and room for {count} more pets', { name: name.trim(), count })
            : say('Your pet and room for {count} more pets', { count }),
          say('Consults by text and video for all of them'),
          say('PawCare for cats and dogs from 8 weeks of age'),
          plan === 'annual'
            ? say('Renews automatically each year until you cancel')
            : say('Renews automatically each month until you cancel'),
        ]}
      />
      {card.data ? (
        <p className="flex items-center gap-3 border-t border-line pt-4">
          <ChargedTo card={card.data} />
        </p>
      ) : card.data === null ? (
        <Note tone="info" icon="credit-card" title={say('Add a card in your profile first')}>
          {isNew && say('What you entered here is kept. Open Add pet again once you’ve added a card.')}
        </Note>
      ) : (
        <RowsLoading of={card} what={say('your card')} rows={1} />
      )}
    </Dialog>
  )
}
