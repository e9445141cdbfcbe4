import { money, type Currency } from '#contract/regions.ts'
import type { Site } from '../env.ts'
import { greeting, type Letter } from '../mail/mail-template.ts'

interface Gift {
  firstName: string
  amount: number
  currency: Currency
  shop: string
  code: string
}

export const giftLetter = (site: Site, { firstName, amount, currency, shop, code }: Gift): Letter => ({
  subject: `Your ${money(amount, currency)} gift card from ${shop}`,
  parts: [
    greeting(firstName),
    `Thank you for joining VetChat. This code is worth ${money(amount, currency)} at ${shop}. Enter it there when you pay.`,
    { code },
    { button: 'Open my account', to: `${site.url}/myaccount` },
    { quiet: 'Each member gets one. If your membership is paid back, the code no longer holds.' },
  ],
})

export const giftBackLetter = ({ firstName, amount, currency, shop, code }: Gift): Letter => ({
  subject: `Your gift card from ${shop} no longer holds`,
  parts: [
    greeting(firstName),
    `Your membership was paid back to you, so the gift card of ${money(amount, currency)} that came with it goes back too. The code ${code} no longer holds at ${shop}.`,
    'Your pets and consultations stay in your account, and you are welcome back at any time.',
  ],
})

/** To the house: a code is the shop's, and only there it can be stopped. */
export const stopCodeLetter = ({ amount, currency, shop, code }: Omit<Gift, 'firstName'>): Letter => ({
  subject: `Please have a gift card stopped at ${shop}`,
  parts: [
    `The membership that it came with was paid back. The code ${code} over ${money(amount, currency)} should no longer hold.`,
  ],
})
