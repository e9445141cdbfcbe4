import { GRACE_DAYS } from '#contract/memberships.ts'
import { money, type Currency, type Region } from '#contract/regions.ts'
import { dayWithWeekday } from '../documents/date-words.ts'
import { greeting, type Letter } from '../mail/mail-template.ts'
import { petForMail } from '../mail/name-for-mail.ts'
import { REMINDER_DAYS, type ReminderDay } from './rules.ts'

export interface Told {
  firstName: string
  region: Region
  plan: 'annual' | 'monthly'
  price: number
  currency: Currency
}

/** What a mail about a membership says. Its `pets` are named if the member has another one, so that they know which it is. */
export interface ToldOne extends Told {
  pets: readonly string[]
}

export interface Disputable {
  /** How much the member's bank has taken back of what they paid for it; else 0. */
  disputed: number
}

const tookBack = ({ disputed, currency, pets }: ToldOne & Disputable) =>
  `Your bank took back ${money(disputed, currency)} that you paid for your ${membershipOf({ pets })}, because the payment was disputed.`

function membershipOf({ pets }: Pick<ToldOne, 'pets'>) {
  const names = pets.map(petForMail)
  return names.length > 0 ? `membership for ${new Intl.ListFormat('en-GB').format(names)}` : 'membership'
}

export interface NamedCard {
  brand: string
  last4: string
}

/** Such as Visa ending in 4242. */
export const cardName = ({ brand, last4 }: NamedCard) =>
  `${brand.charAt(0).toUpperCase()}${brand.slice(1)} ending in ${last4}`

const manage = { button: 'Open my account', to: '/myaccount' }

export const cancelledLetter = (told: ToldOne & Disputable, end: Date): Letter => {
  const { firstName, region, pets, disputed } = told
  const ends = `ends on ${dayWithWeekday(end, region)}, and nothing more will be charged.`
  return {
    subject: `Your VetChat membership ends on ${dayWithWeekday(end, region)}`,
    parts: [
      greeting(firstName),
      disputed > 0
        ? `${tookBack(told)} So we won’t renew the membership. It ${ends}`
        : `You cancelled your ${membershipOf({ pets })}. It ${ends}`,
      'Until then you can talk to a vet as often as you like. PawCare cover continues too, and ends at the same moment.',
      disputed > 0
        ? 'If the bank decides that you keep the money, the membership ends straight away. If you didn’t mean to dispute the payment, please tell your bank. Once we have the money again, you can restart the membership in your account.'
        : 'If you change your mind before that day, you can restart it in your account.',
      manage,
    ],
  }
}

export const restartedLetter = (
  { firstName, region, price, currency, pets }: ToldOne,
  renews: Date,
): Letter => ({
  subject: 'Your VetChat membership continues',
  parts: [
    greeting(firstName),
    `Your ${membershipOf({ pets })} continues. It renews on ${dayWithWeekday(renews, region)} for ${money(price, currency)}.`,
    'You can cancel any time before that day, with one click.',
    manage,
  ],
})

export const paymentFailedLetter = (
  { firstName, region, price, currency, pets }: ToldOne,
  ends: Date,
): Letter => ({
  subject: 'Your VetChat payment didn’t go through',
  parts: [
    greeting(firstName),
    `We couldn’t charge ${money(price, currency)} for your ${membershipOf({ pets })}. We’ll try again over the next ${GRACE_DAYS} days.`,
    `Consults and PawCare cover continue in the meantime. Unless a payment succeeds, the membership ends on ${dayWithWeekday(ends, region)}.`,
    'Please check your card, or add another one. We’ll charge it straight away.',
    { button: 'Update my card', to: '/myaccount/profile' },
  ],
})

/** The second notice, and the last one a day before the membership ends. */
export const stillUnpaidLetter = (
  { firstName, region, price, currency, pets }: ToldOne,
  ends: Date,
  days: ReminderDay,
): Letter => {
  const isLast = days === REMINDER_DAYS.at(-1)
  return {
    subject: isLast
      ? `Last reminder: your VetChat membership ends on ${dayWithWeekday(ends, region)}`
      : 'Your VetChat payment still hasn’t gone through',
    parts: [
      greeting(firstName),
      `We still haven’t been able to charge ${money(price, currency)} for your ${membershipOf({ pets })}.`,
      `Consults and PawCare cover continue for now. Unless a payment succeeds, both end with the membership on ${dayWithWeekday(ends, region)}.`,
      isLast
        ? 'This is our last reminder before that day. If you add a card that works, we’ll charge it straight away and everything continues.'
        : 'Please check your card, or add another one. We’ll charge it straight away.',
      { button: 'Update my card', to: '/myaccount/profile' },
    ],
  }
}

export const endedLetter = (told: ToldOne & Disputable, end: Date): Letter => {
  const { firstName, region, pets, disputed } = told
  const ended = `ended on ${dayWithWeekday(end, region)}, and PawCare cover with it. Your pets and consults stay in your account.`
  return {
    subject: 'Your VetChat membership has ended',
    parts: [
      greeting(firstName),
      disputed > 0
        ? `${tookBack(told)} So the membership ${ended}`
        : `Your ${membershipOf({ pets })} ${ended}`,
      'You’re welcome back at any time.',
      manage,
    ],
  }
}

function paymentAhead(price: number, card: NamedCard | null) {
  if (price === 0) return 'With your coupon, there’s nothing to pay this time.'
  return card
    ? `It will be charged to your ${cardName(card)}.`
    : 'There’s no card on file. Please add one before that day so your membership can continue.'
}

export const renewalLetter = (
  { firstName, region, plan, price, currency, pets }: ToldOne,
  renews: Date,
  card: NamedCard | null,
): Letter => ({
  subject: `Your VetChat membership renews on ${dayWithWeekday(renews, region)}`,
  parts: [
    greeting(firstName),
    `Your ${plan} ${membershipOf({ pets })} renews on ${dayWithWeekday(renews, region)} for ${money(price, currency)}.`,
    paymentAhead(price, card),
    `${card || price === 0 ? 'If you’re happy with that, there’s nothing to do. ' : ''}To cancel, open your account, choose Manage Subscription, then Cancel membership. Your membership will then end on that day.`,
    manage,
  ],
})
