import { money } from '#contract/regions.ts'
import { dayWithWeekday } from '../documents/date-words.ts'
import { greeting, type Letter } from '../mail/mail-template.ts'
import { nameForMail } from '../mail/name-for-mail.ts'
import { giftPromise, type PromisedGift } from '../memberships/gift-emails.ts'
import { cardName, type NamedCard, type Told } from '../memberships/emails.ts'

export const cardReplacedLetter = (firstName: string, card: NamedCard): Letter => ({
  subject: 'Your VetChat card was changed',
  parts: [
    greeting(firstName),
    `Your ${cardName(card)} is now on file. Renewals will be charged to it from now on.`,
    'If this was you, there’s nothing to do. If not, set a new password straight away and check your card.',
    { button: 'Open my profile', to: '/myaccount/profile' },
  ],
})

export const membershipBoughtLetter = (
  { firstName, region, plan, price, currency }: Told,
  typedPet: string | null,
  renews: Date,
  gift: PromisedGift | null,
): Letter => {
  const petName = nameForMail(typedPet ?? '')
  return {
    subject: petName ? `${petName} is now a VetChat member` : 'Your additional VetChat membership',
    parts: [
      greeting(firstName),
      `You bought ${plan === 'annual' ? 'an annual' : 'a monthly'} membership for ${money(price, currency)}, charged to the card on file.${petName ? ` ${petName} is now on it.` : ''}`,
      `It renews on ${dayWithWeekday(renews, region)} for the same amount. We’ll email you 5 days before. You can cancel any time before it renews, with one click.`,
      ...(gift ? [giftPromise(gift, region)] : []),
      { button: 'Open my account', to: '/myaccount' },
      { quiet: 'We’ll send your receipt in a separate email.' },
    ],
  }
}
