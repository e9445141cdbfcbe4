import { money } from '#contract/regions.ts'
import type { Site } from '../env.ts'
import { greeting, type Letter } from '../mail/mail-template.ts'
import { cardName, dayOf, type Told } from '../memberships/emails.ts'

interface Card {
  brand: string
  last4: string
}

export const cardReplacedLetter = (site: Site, firstName: string, card: Card): Letter => ({
  subject: 'Your VetChat card was changed',
  parts: [
    greeting(firstName),
    `The ${cardName(card)} is on file now. What renews is charged to it from here on.`,
    'If this was you, there is nothing to do. If not, set a new password at once and look at your card.',
    { button: 'Open my profile', to: `${site.url}/myaccount/profile` },
  ],
})

export const membershipBoughtLetter = (
  site: Site,
  { firstName, region, plan, price, currency }: Told,
  petName: string | null,
  renews: Date,
): Letter => ({
  subject: petName ? `${petName} is a member of VetChat now` : 'Your further VetChat membership',
  parts: [
    greeting(firstName),
    `You bought a ${plan === 'annual' ? 'yearly' : 'monthly'} membership for ${money(price, currency)}, charged to the card on file.${petName ? ` ${petName} stands in it now.` : ''}`,
    `It renews on ${dayOf(renews, region)} for the same amount. We tell you 5 days before, and you can cancel with one press until then.`,
    { button: 'Open my account', to: `${site.url}/myaccount` },
    { quiet: 'Your receipt comes in an email of its own.' },
  ],
})
