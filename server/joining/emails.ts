import { money, type Currency, type Region } from '#contract/regions.ts'
import type { Site } from '../env.ts'
import { greeting, type Letter, type Part } from '../mail/mail-template.ts'
import { dayOf } from '../memberships/emails.ts'

export interface Joined {
  plan: 'annual' | 'monthly'
  region: Region
  currency: Currency
  amount: number
  /** What the next payment costs, and when it is due. */
  nextPrice: number
  renews: Date
  pets: string[]
  /** The shop of the gift card that was promised. */
  gift: { shop: string; amount: number; on: Date } | null
}

const named = (pets: string[]) => new Intl.ListFormat('en-GB').format(pets)

/** What a new member has, what it costs, and what comes next. */
export const joinedParts = ({
  plan,
  region,
  currency,
  amount,
  nextPrice,
  renews,
  pets,
  gift,
}: Joined): Part[] => [
  `Your ${plan === 'annual' ? 'yearly' : 'monthly'} membership has begun. ${amount === 0 ? 'There was nothing to pay today.' : `You paid ${money(amount, currency)} today.`}${pets.length > 0 ? ` ${named(pets)} ${pets.length === 1 ? 'stands' : 'stand'} in it.` : ''}`,
  `It renews on ${dayOf(renews, region)} for ${money(nextPrice, currency)}. We tell you 5 days before, and you can cancel with one press until then.`,
  ...(gift
    ? [
        `A gift card of ${money(gift.amount, currency)} from ${gift.shop} is on its way: we mail you its code on ${dayOf(gift.on, region)}.`,
      ]
    : []),
]

export const joinedLetter = (site: Site, firstName: string, joined: Joined): Letter => ({
  subject: 'Your VetChat membership has begun',
  parts: [
    greeting(firstName),
    ...joinedParts(joined),
    { button: 'Open my account', to: `${site.url}/myaccount` },
  ],
})

/** Somebody made an account with this email while its membership was being paid. */
export const undoneLetter = (site: Site, amount: number, currency: Currency): Letter => ({
  subject: 'Your VetChat membership was not begun',
  parts: [
    'Hello,',
    `An account with this email was made while your payment was under way, so we could not begin the membership.${amount === 0 ? '' : ` We pay ${money(amount, currency)} back to your card.`}`,
    'Please sign in to that account, and join from there.',
    { button: 'Sign in', to: `${site.url}/login` },
  ],
})
