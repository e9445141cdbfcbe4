import { PROMISED_MINUTES } from '#contract/consultations.ts'
import type { Region } from '#contract/regions.ts'
import { RECORDS_KEPT_YEARS } from '#contract/profile.ts'
import { TERMS_VERSION } from '#contract/accounts.ts'
import type { useHere, usePrices } from '../shell/page-parts.tsx'
import { REGION_WORDS } from '../shell/region-words.ts'

export interface Part {
  title: string
  says: string[]
}

type Amounts = ReturnType<typeof usePrices>
type Here = ReturnType<typeof useHere>

export function termsOf(region: Region, { regulator, whenOpen, taxIncluded }: Here, price: Amounts): Part[] {
  const law = REGION_WORDS[region].law
  return [
    {
      title: 'What VetChat is',
      says: [
        `VetChat lets you talk by text or video to a vet registered with ${regulator}. A consult is advice at a distance. The vet hasn’t physically examined your pet, can’t prescribe medicine for it, and will tell you when it needs to be seen.`,
        'VetChat is not for emergencies. If your pet can’t breathe, has collapsed, bleeds without stopping or may have been poisoned, go to the nearest open clinic at once.',
      ],
    },
    {
      title: 'Who can use it',
      says: [
        'You must be over 18 and look after the pet you ask about. What you tell the vet should be true and complete: the advice can only be as good as that.',
        'Keep your password to yourself. Tell us if you think someone else knows it.',
      ],
    },
    {
      title: 'One consult',
      says: [
        `One consult costs ${price.consult}. ${taxIncluded} You pay before it begins, by card, through our payment provider; your card number never reaches us.`,
        `Vets are on duty ${whenOpen}, and a vet joins within ${PROMISED_MINUTES} minutes. If that doesn’t happen, what you paid is refunded to your card automatically. Until a vet has joined, you can cancel at any time and all of it is refunded straight away. Once a vet has answered you, a person decides about a refund: write to us.`,
        'Follow-up questions about the same consult are free for 48 hours after its end.',
      ],
    },
    {
      title: 'Membership',
      says: [
        `A membership costs ${price.annual} a year or ${price.monthly} a month for up to five pets, with as many consults as they reasonably need. ${taxIncluded}`,
        'It renews automatically at the end of each period, at the price shown on My account. We’ll email you five days before. You can cancel with one click on My account, or by writing to us; consults and cover then continue to the end of the time you’ve paid for.',
        'If a payment fails we tell you and try again for seven days before the membership ends.',
        'A promo code applies to the first payment. A coupon applies for as long as it says. They can’t be combined: the larger one applies. You give us a card when you join, even if there’s nothing to pay that day; we charge it once the free period is over.',
      ],
    },
    {
      title: 'PawCare cover',
      says: [
        `Members’ cats and dogs over 8 weeks old can be covered by PawCare: up to ${price.cover} a year, at most ${price.incidents} incidents in a policy period, ${price.excess} excess for each, after a wait of ${price.waitHours} hours for each new pet.`,
        'The cover is provided by a third-party insurer, under its own policy wording; VetChat is its authorised representative. You can opt out. It ends at the same moment as the membership.',
      ],
    },
    {
      title: 'Your rights when something goes wrong',
      says: [
        `You have the rights that ${law.consumer} gives you, whatever else these terms say. ${law.coolingOff}`,
        `Write to us first, on the contact page: a person will reply. You can also complain to ${law.complaint} about a vet’s conduct.`,
        'We are responsible for our service. We are not responsible for what happens where advice was not followed, where what we were told was not correct, or where a network or device between us failed.',
      ],
    },
    {
      title: 'Fair use',
      says: [
        'Be civil to the vets, and they will be to you. Don’t send anything that is unlawful, harms a device, or is about an animal you don’t look after. We may end an account that is misused, and refund what wasn’t used.',
        `We may change these terms. We’ll announce any change that matters by email before it takes effect. This is version ${TERMS_VERSION}. ${law.court}`,
      ],
    },
  ]
}

export function privacyOf(region: Region): Part[] {
  const law = REGION_WORDS[region].law
  return [
    {
      title: 'What we keep, and why',
      says: [
        'Your name, email and mobile number, so that the vet can reach you. Your address, postcode and own clinic, if you give them. Your pets: species, breed, age, sex, microchip and picture.',
        'What is said, written and sent in a consult, and the vet’s note: it is your pet’s clinical record.',
        'What you bought and when. Your card is kept by our payment provider; we see its brand, last four digits and expiry date.',
        'What is needed to keep the service safe: when you signed in, from which kind of browser, and failed attempts. We use it to give you the service you asked for, to meet the law and to protect accounts, and for news only if you asked for it.',
      ],
    },
    {
      title: 'Who sees it',
      says: [
        'The vets who treat your pet, and the few members of our staff who need to. Each time one of us opens a consult it’s recorded, and you can see that list in the consult.',
        'Your own clinic gets the summary of a consult only if you chose the clinic and agreed. The insurer gets what PawCare needs: your name and contact details, the pet’s details, the membership’s dates, and the claims you send.',
        'Our payment provider, email provider and hosting company work for us under contract. We don’t sell any of your information. Nothing is counted for statistics until you consent.',
      ],
    },
    {
      title: 'How long',
      says: [
        `Clinical records are kept for ${RECORDS_KEPT_YEARS} years after the last consult, as the law requires of vets, and erased after that. Payment records are kept for as long as tax law requires. Other details go when you delete your account.`,
      ],
    },
    {
      title: 'What is stored on your device',
      says: [
        'Your session, small choices such as sound, forms that you haven’t sent yet and messages that are still waiting to be sent. Signing out clears them. A cookie recognises a browser that has signed in or paid before. It doesn’t identify you, and the service needs it. There are no advertising cookies.',
      ],
    },
    {
      title: 'Your rights',
      says: [
        `Under ${law.privacy} you can see what we hold, have it corrected, take it with you, object, and have it erased where the law doesn’t require us to keep it. On My account, under Profile, you can download your data and delete your account yourself.`,
        `For anything else, write to us on the contact page and choose Privacy. If our answer doesn’t satisfy you, you can complain to ${law.authority}.`,
        'If somebody gets access to your data who shouldn’t have it, we’ll tell you and the authority as soon as we know.',
      ],
    },
    {
      title: 'How it is protected',
      says: [
        'Everything travels encrypted. Passwords are kept in a form that can’t be read back. Files from a consult can only be opened by people who are allowed to see it, through web addresses that expire.',
      ],
    },
  ]
}
