import { PROMISED_MINUTES } from '#contract/consultations.ts'
import { useSite } from '../lib/site.ts'
import { useHere, usePrices } from '../shell/page-parts.tsx'
import type { Asked } from '../shell/structured-data.tsx'

/** Frequent questions by topic, with this region's prices and hours. */
export function useQuestions(): { about: string; asked: Asked[] }[] {
  const { regulator, within, whenOpen } = useHere()
  const { consult, annual, monthly, giftCard, cover } = usePrices()
  const { shop } = useSite()
  const gift = shop
    ? `, a care plan for each pet, and a gift card of ${giftCard} for ${shop}.`
    : ' and a care plan for each pet.'
  return [
    {
      about: 'The consult',
      asked: [
        {
          question: 'How fast does a vet answer?',
          answer: `${within} You can see your place in the queue, and you can leave the page: we’ll email you when the vet is there.`,
        },
        {
          question: 'How long does a consult take?',
          answer:
            'A session takes about 20 minutes. The vet doesn’t watch the clock; the price stays the same.',
        },
        {
          question: 'Who are the vets?',
          answer: `Every vet is registered with ${regulator}. You’ll see the vet’s name and registration number in the chat.`,
        },
        {
          question: 'Is text enough, or do I need video?',
          answer:
            'Text with a few photos is enough for most problems, and uses very little data. Choose video to show how a pet moves or breathes.',
        },
        {
          question: 'Which animals can I ask about?',
          answer:
            'Any pet: dogs, cats, birds, rabbits, guinea pigs, reptiles and others. If an animal needs a specialist, the vet will say so.',
        },
        {
          question: 'What if it turns out to be an emergency?',
          answer:
            'The vet will tell you to go and what to do on the way, and send a summary you can show the clinic. If your pet can’t breathe, has collapsed or bleeds without stopping, don’t wait for us.',
        },
        {
          question: 'Can the vet prescribe medicine?',
          answer:
            'Our vets advise; they don’t prescribe medicine for an animal they haven’t physically examined. They’ll tell you what you can do at home, and when you need a clinic.',
        },
        {
          question: 'What happens after the consult?',
          answer:
            'You get the vet’s plan by email, and you can ask follow-up questions for 48 hours at no cost. After 24 hours we’ll ask how your pet is doing; if things are worse, a vet will look again at no cost.',
        },
        {
          question: 'What if no vet joins?',
          answer: `A vet joins within ${PROMISED_MINUTES} minutes. If that doesn’t happen, what you paid for the consult is refunded to your card automatically, and you keep your place in the queue. If your vet has to leave later, you keep your place too; write to us if nobody takes over.`,
        },
      ],
    },
    {
      about: 'Price and membership',
      asked: [
        {
          question: 'What does it cost?',
          answer: `One consult, by text or video, is ${consult}. A membership is ${annual} a year or ${monthly} a month, with unlimited consults for up to five pets.`,
        },
        {
          question: 'Do I need an account?',
          answer:
            'No. You can pay for one consult with your email address alone. If you want an account later, your consult moves into it.',
        },
        {
          question: 'What comes with a membership?',
          answer: `As many consults as you need, PawCare cover of up to ${cover} a year for cats and dogs${gift}`,
        },
        {
          question: 'How do I cancel my membership?',
          answer:
            'In My account, under Manage Subscription, with one press. Consults and cover continue until the end of the time you’ve paid for. You can also write to us instead.',
        },
        {
          question: 'Refunds: can I get my money back?',
          answer:
            'Until a vet has joined, you can cancel a consult and get a full refund straight away. Once a vet has answered, nothing is refunded automatically: write to us, and a person will look into it.',
        },
      ],
    },
    {
      about: 'Phone, data and privacy',
      asked: [
        {
          question: 'How much data does it use?',
          answer:
            'A text consult uses very little, and photos are made smaller on your phone before they’re sent. Video uses much more, and starts only when you ask for it.',
        },
        {
          question: 'What if my signal drops?',
          answer:
            'Keep writing. Your messages are saved on your phone and sent when you’re back online, in order and only once.',
        },
        {
          question: 'When are vets on duty?',
          answer: `Vets are on duty ${whenOpen}. If nobody is, the page says so before you pay.`,
        },
        {
          question: 'Who can read what I write?',
          answer:
            'You and the vets who treat your pet. Each time our staff open it, it’s recorded, and you can see that list in the consult.',
        },
      ],
    },
  ]
}
