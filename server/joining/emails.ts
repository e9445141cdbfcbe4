import { money, type Currency, type Region } from '#contract/regions.ts'
import { greeting, type Letter, type Part } from '../mail/mail-template.ts'
import { nameForMail } from '../mail/name-for-mail.ts'
import { dayWithWeekday } from '../documents/date-words.ts'
import { giftPromise, type PromisedGift } from '../memberships/gift-emails.ts'

export interface Joined {
  plan: 'annual' | 'monthly'
  region: Region
  currency: Currency
  amount: number
  /** What the plan costs without a discount. */
  price: number
  /** The next payment's amount and date. */
  nextPrice: number
  renews: Date
  pets: string[]
  gift: PromisedGift | null
}

/** Tells a new member what they have, what it costs and what happens next. */
export function joinedParts({
  plan,
  region,
  currency,
  amount,
  price,
  nextPrice,
  renews,
  pets,
  gift,
}: Joined): Part[] {
  const named = pets.flatMap((pet) => nameForMail(pet) || [])
  return [
    `Your ${plan} membership has begun. ${amount === 0 ? 'There was nothing to pay today.' : `You paid ${money(amount, currency)} today.`}${named.length > 0 ? ` ${new Intl.ListFormat('en-GB').format(named)} ${named.length === 1 ? 'is' : 'are'} on it.` : ''}`,
    `It renews on ${dayWithWeekday(renews, region)} for ${money(nextPrice, currency)}. We’ll email you 5 days before. You can cancel any time before it renews, with one click.${nextPrice === 0 ? ` Once the free period is over, we’ll charge your card ${money(price, currency)} a ${plan === 'annual' ? 'year' : 'month'}.` : ''}`,
    ...(gift ? [giftPromise(gift, region)] : []),
  ]
}

export const joinedLetter = (firstName: string, joined: Joined): Letter => ({
  subject: 'Your VetChat membership has begun',
  parts: [greeting(firstName), ...joinedParts(joined), { button: 'Open my account', to: '/myaccount' }],
})

/** For somebody whose email got an account while they were paying for a membership. */
export const undoneLetter = (amount: number, currency: Currency): Letter => ({
  subject: 'Your VetChat membership wasn’t started',
  parts: [
    'Hello,',
    `An account with this email was created while your payment was being processed, so we couldn’t start the membership.${amount === 0 ? '' : ` We’re refunding ${money(amount, currency)} to your card.`}`,
    'Please sign in to that account, and join from there.',
    { button: 'Sign in', to: '/login' },
  ],
})
