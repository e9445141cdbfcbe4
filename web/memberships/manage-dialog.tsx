import { useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { sentenceOf } from '#contract/errors.ts'
import type { Subscription } from '#contract/memberships.ts'
import { CATS_AND_DOGS, type Pet } from '#contract/pets.ts'
import { money } from '#contract/regions.ts'
import { messageOf } from '../lib/for-form.ts'
import { dayAndTime } from '../lib/dates.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { type Refusal, useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { say, sentence } from '../ui/say.ts'
import { useManageSubscription } from './queries.ts'
import {
  actionOf,
  MembershipFacts,
  periodEnd,
  petsOf,
  regionOf,
  StandingBadge,
  UPDATED,
  standingOf,
  zoneOf,
} from './standing.tsx'

const NOT_DONE = sentenceOf('SUBSCRIPTION_UPDATE_FAILED')
const OUT_OF_REACH = sentence('VetChat didn’t respond. It’s safe to try again: nothing will be done twice.')

interface Props {
  pets: Pet[] | undefined
  onClose: () => void
}

export function ManageDialog({ memberships, pets, onClose }: Props & { memberships: Subscription[] }) {
  const [asked, setAsked] = useState<Subscription>()
  const several = memberships.length > 1

  return (
    <Dialog onClose={onClose} title={say('Manage Subscription')}>
      {memberships.map((one) => (
        <div
          key={one.id}
          {...(several && {
            role: 'group',
            'aria-label': groupOf(petsOf(one, pets)),
          })}
          className="stack gap-4 [&+&]:border-t [&+&]:border-line [&+&]:pt-6"
        >
          <div>
            <StandingBadge of={one} />
          </div>
          <MembershipFacts of={one} pets={petsOf(one, pets)} />
          <Offer of={one} onAsk={() => setAsked(one)} />
        </div>
      ))}
      {several && (
        <p className="text-ink-soft">
          {say(
            'A pet can move to a free place on another membership: cancel its own, and when that has ended, press “Add to membership” under My Pets. PawCare then begins again after a wait of {hours} hours.',
            { hours: regionOf(memberships[0]!).pawcare.waitHours },
          )}
        </p>
      )}
      {asked && (
        <ConfirmDialog
          membership={asked}
          pets={pets}
          onClose={() => setAsked(undefined)}
          onDone={() => {
            // Each dialog restores the focus, the inner one first.
            flushSync(() => setAsked(undefined))
            onClose()
          }}
        />
      )}
    </Dialog>
  )
}

const groupOf = (pets: string) =>
  pets ? say('Membership for {pets}', { pets }) : say('Membership with no pets')

function Offer({ of: one, onAsk }: { of: Subscription; onAsk: () => void }) {
  const action = actionOf(one)
  if (!action) return null
  return (
    <div className="stack justify-items-start gap-3">
      {standingOf(one) === 'active' && (
        <p className="text-ink-soft">
          {say(
            'It renews automatically. You can cancel at any time before it does, and it then continues until that day.',
          )}
        </p>
      )}
      {action === 'cancel' ? (
        <Button variant="danger-line" onClick={onAsk}>
          {say('Cancel membership')}
        </Button>
      ) : (
        <Button variant="primary" icon="rotate-cw" onClick={onAsk}>
          {say('Restart')}
        </Button>
      )}
    </div>
  )
}

type Point = { icon: IconName; says: ReactNode }

/**
 * Says what will happen and when. `membership` is as it was when its action was chosen. With `adds`, that pet gets a
 * place on it.
 */
export function ConfirmDialog({
  membership,
  adds,
  pets,
  onClose,
  onDone,
}: Props & { membership: Subscription; adds?: Pet; onDone: () => void }) {
  const { show } = useAlert()
  const manage = useManageSubscription()
  const action = actionOf(membership)
  const change = adds ? { action: 'add' as const, pet_id: adds.id } : action && { action }
  const { title, does, keeps } = wordsOf(adds ?? action)
  const form = useForm({ defaults: {} })

  async function act() {
    if (!change) return
    try {
      await manage(membership, change)
    } catch (error) {
      const isHere = document.getElementById(form.id) !== null
      if (!isHere) show(NOT_DONE, 'failed')
      const why = messageOf(error, say(OUT_OF_REACH))
      throw { errors: [...new Set([NOT_DONE, why])] } satisfies Refusal
    }
    onDone()
    show(say(UPDATED))
  }

  return (
    <FormDialog
      small
      title={title}
      form={form}
      does={does}
      danger={change?.action === 'cancel'}
      // Closing doesn't cancel a request that was sent.
      keeps={form.busy ? say('Close') : keeps}
      onClose={onClose}
      onSubmit={act}
    >
      <ul className="stack gap-4">
        {(adds
          ? whenAdded(membership, adds)
          : pointsOf(membership, petsOf(membership, pets?.filter(isCovered)))
        ).map(({ icon, says }) => (
          <li key={icon} className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-3">
            <Icon name={icon} className="mt-[3px] text-green" />
            <span>{says}</span>
          </li>
        ))}
      </ul>
    </FormDialog>
  )
}

function wordsOf(asked: Pet | 'cancel' | 'restart' | undefined) {
  if (typeof asked === 'object') {
    const { name } = asked
    return {
      title: say('Add {name} to your membership?', { name }),
      does: say('Add {name}', { name }),
      keeps: say('Not now'),
    }
  }
  return asked === 'restart'
    ? { title: say('Restart this membership?'), does: say('Restart membership'), keeps: say('Let it end') }
    : { title: say('Cancel this membership?'), does: say('Cancel membership'), keeps: say('Keep it') }
}

const isCovered = ({ cover }: Pet) => cover.state === 'covered' || cover.state === 'waiting'

/** `pets` are those that PawCare covers, if any. */
function pointsOf(one: Subscription, pets: string): Point[] {
  const standing = standingOf(one)
  if (standing === 'ending') return whenRestarted(one, pets)
  return standing === 'unpaid' ? whenEnded(one, pets) : whenCancelled(one, pets)
}

const stays = (): Point => ({
  icon: 'clipboard-list',
  says: say('Your pets’ records and your past consults stay in your account.'),
})

function whenAdded(one: Subscription, { name, species_id }: Pet): Point[] {
  const price = money(one.price, one.currency)
  const until = standingOf(one) === 'ending' && periodEnd(one)
  const points: Point[] = [
    { icon: 'circle-check', says: say('There’s nothing to pay now.') },
    until
      ? {
          icon: 'calendar',
          says: say('The membership ends on {time}, for {name} too.', {
            name,
            time: dayAndTime(until, undefined, zoneOf(one)),
          }),
        }
      : { icon: 'credit-card', says: say('Your next payment stays {price}.', { price }) },
    { icon: 'clipboard-list', says: say('{name} gets a care plan, with reminders.', { name }) },
  ]
  if (CATS_AND_DOGS.includes(species_id))
    points.push({
      icon: 'shield-check',
      says: say('PawCare begins after a wait of {hours} hours, unless you opted out when you joined.', {
        hours: regionOf(one).pawcare.waitHours,
      }),
    })
  return points
}

/** An unpaid membership has no days left. */
function whenEnded(one: Subscription, pets: string): Point[] {
  const time = <strong className="font-semi">{say('straight away')}</strong>
  return [
    {
      icon: 'calendar',
      says: pets
        ? say('Consults end {time}, and so does PawCare for {pets}.', { time, pets })
        : say('Consults and PawCare end {time}.', { time }),
    },
    {
      icon: 'credit-card',
      says: say('The unpaid {price} won’t be charged.', { price: money(one.price, one.currency) }),
    },
    stays(),
    { icon: 'info', says: say('It can’t be restarted. You can choose a new plan at any time.') },
  ]
}

function whenCancelled(one: Subscription, pets: string): Point[] {
  const until = periodEnd(one)
  const time = (
    <strong className="font-semi">
      {until ? dayAndTime(until, undefined, zoneOf(one)) : say('the end of the paid period')}
    </strong>
  )
  const price = money(one.price, one.currency)
  return [
    {
      icon: 'calendar',
      says: pets
        ? say('Everything continues until {time}: consults, and PawCare for {pets}.', { time, pets })
        : say('Everything continues until {time}.', { time }),
    },
    {
      icon: 'shield-check',
      says: say('It ends at that moment. PawCare doesn’t pay for anything that happens afterwards.'),
    },
    { icon: 'credit-card', says: say('The next payment of {price} won’t be charged.', { price }) },
    stays(),
    { icon: 'rotate-cw', says: say('You can restart it here until that day, at no cost.') },
  ]
}

function whenRestarted(one: Subscription, pets: string): Point[] {
  const due = periodEnd(one)
  const price = money(one.price, one.currency)
  const payment = (
    <strong className="font-semi">
      {due ? say('{price} on {time}', { price, time: dayAndTime(due, undefined, zoneOf(one)) }) : price}
    </strong>
  )
  return [
    { icon: 'circle-check', says: say('There’s nothing to pay now.') },
    {
      icon: 'credit-card',
      says:
        one.plan === 'annual'
          ? say('The next payment is {payment}, then again every year until you cancel.', { payment })
          : say('The next payment is {payment}, then again every month until you cancel.', { payment }),
    },
    {
      icon: 'shield-check',
      says: pets
        ? say('Consults continue without a gap, and so does PawCare for {pets}.', { pets })
        : say('Consults and PawCare continue without a gap.'),
    },
  ]
}
