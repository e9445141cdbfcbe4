import { money, type Currency, type Region } from '#contract/regions.ts'
import { dayWithWeekday } from '../documents/date-words.ts'
import { greeting, type Letter } from '../mail/mail-template.ts'

interface Gift {
  firstName: string
  amount: number
  currency: Currency
  shop: string
  code: string
}

/** A gift whose code isn't mailed yet. */
export interface PromisedGift {
  shop: string
  amount: number
  currency: Currency
  dueAt: Date
}

/** What a new member reads about it. */
export const giftPromise = ({ shop, amount, currency, dueAt }: PromisedGift, region: Region) =>
  `A gift card of ${money(amount, currency)} from ${shop} is on its way: we’ll email you the code on ${dayWithWeekday(dueAt, region)}.`

export const giftLetter = ({ firstName, amount, currency, shop, code }: Gift): Letter => ({
  subject: `Your ${money(amount, currency)} gift card from ${shop}`,
  parts: [
    greeting(firstName),
    `Thank you for joining VetChat. This code is worth ${money(amount, currency)} at ${shop}. Enter it there when you pay.`,
    { code },
    { button: 'Open my account', to: '/myaccount' },
    { quiet: 'Each member gets one. If your membership is refunded, the code stops working.' },
  ],
})

export const giftBackLetter = ({ firstName, amount, currency, shop, code }: Gift): Letter => ({
  subject: `Your gift card from ${shop} is no longer valid`,
  parts: [
    greeting(firstName),
    `Your membership was refunded, so the ${money(amount, currency)} gift card that came with it has been withdrawn too. The code ${code} is no longer valid at ${shop}.`,
    'Your pets and consults stay in your account, and you’re welcome back at any time.',
  ],
})

/** Goes to staff, because the shop accepts only codes that it knows. */
export const newCodeLetter = ({ amount, currency, shop, code }: Omit<Gift, 'firstName'>): Letter => ({
  subject: `Please add a gift card at ${shop}`,
  parts: [
    `We’ve just emailed the code ${code} to a new member. It’s worth ${money(amount, currency)}, once. The shop should accept it as soon as possible.`,
  ],
})

/** Goes to staff: only the shop can stop its own code. */
export const stopCodeLetter = ({ amount, currency, shop, code }: Omit<Gift, 'firstName'>): Letter => ({
  subject: `Please cancel a gift card at ${shop}`,
  parts: [
    `The membership it came with was refunded. The code ${code} for ${money(amount, currency)} should no longer work.`,
  ],
})
