import type { CONTENT_WORDS } from '#contract/content.ts'
import type * as z from 'zod'

type Question = z.output<typeof CONTENT_WORDS.question>

const consult = (question: string, answer: string, clinical = false): Question => ({
  topic: 'The consult',
  question,
  answer,
  clinical,
})
const price = (question: string, answer: string): Question => ({
  topic: 'Price and membership',
  question,
  answer,
  clinical: false,
})
const phone = (question: string, answer: string): Question => ({
  topic: 'Phone, data and privacy',
  question,
  answer,
  clinical: false,
})

/** The questions that every installation begins with. An admin's version replaces one; the name is its address. */
export const BUILT_IN_QUESTIONS: Record<string, Question> = {
  'how-fast-does-a-vet-answer': consult(
    'How fast does a vet answer?',
    '{within} You can see your place in the queue, and you can leave the page: we’ll email you when the vet is there.',
  ),
  'how-long-does-a-consult-take': consult(
    'How long does a consult take?',
    'A session takes about 20 minutes. The vet doesn’t watch the clock; the price stays the same.',
  ),
  'who-are-the-vets': consult(
    'Who are the vets?',
    'Every vet is registered with {regulator}. You’ll see the vet’s name and registration number in the chat.',
  ),
  'is-text-enough-or-do-i-need-video': consult(
    'Is text enough, or do I need video?',
    'Text with a few photos is enough for most problems, and uses very little data. Choose video to show how a pet moves or breathes.',
  ),
  'which-animals-can-i-ask-about': consult(
    'Which animals can I ask about?',
    'Any pet: dogs, cats, birds, rabbits, guinea pigs, reptiles and others. If an animal needs a specialist, the vet will say so.',
  ),
  'what-if-it-turns-out-to-be-an-emergency': consult(
    'What if it turns out to be an emergency?',
    'The vet will tell you to go and what to do on the way, and send a summary you can show the clinic. If your pet can’t breathe, has collapsed or bleeds without stopping, don’t wait for us.',
    true,
  ),
  'can-the-vet-prescribe-medicine': consult(
    'Can the vet prescribe medicine?',
    'Our vets advise; they don’t prescribe medicine for an animal they haven’t physically examined. They’ll tell you what you can do at home, and when you need a clinic.',
    true,
  ),
  'what-happens-after-the-consult': consult(
    'What happens after the consult?',
    'You get the vet’s plan by email, and you can ask follow-up questions for 48 hours at no cost. After 24 hours we’ll ask how your pet is doing; if things are worse, a vet will look again at no cost.',
  ),
  'what-if-no-vet-joins': consult(
    'What if no vet joins?',
    'A vet joins within {promise minutes} minutes. If that doesn’t happen, what you paid for the consult is refunded to your card automatically, and you keep your place in the queue. If your vet has to leave later, you keep your place too; write to us if nobody takes over.',
  ),
  'what-does-it-cost': price(
    'What does it cost?',
    'One consult, by text or video, is {consult}. A membership is {annual} a year or {monthly} a month, with unlimited consults for up to five pets.',
  ),
  'do-i-need-an-account': price(
    'Do I need an account?',
    'No. You can pay for one consult with your email address alone. If you want an account later, your consult moves into it.',
  ),
  'what-comes-with-a-membership': price(
    'What comes with a membership?',
    'As many consults as you need, PawCare cover of up to {cover} a year for cats and dogs{care plan and gift}',
  ),
  'how-do-i-cancel-my-membership': price(
    'How do I cancel my membership?',
    'In My account, under Manage Subscription. Consults and cover continue until the end of the time you’ve paid for. You can also write to us instead.',
  ),
  'refunds-can-i-get-my-money-back': price(
    'Refunds: can I get my money back?',
    'Until a vet has joined, you can cancel a consult and get a full refund straight away. Once a vet has answered, nothing is refunded automatically: write to us, and a person will look into it.',
  ),
  'how-much-data-does-it-use': phone(
    'How much data does it use?',
    'A text consult uses very little, and photos are made smaller on your phone before they’re sent. Video uses much more, and starts only when you ask for it.',
  ),
  'what-if-my-signal-drops': phone(
    'What if my signal drops?',
    'Keep writing. Your messages are saved on your phone and sent when you’re back online, in order and only once.',
  ),
  'when-are-vets-on-duty': phone(
    'When are vets on duty?',
    'Vets are on duty {when open}. If nobody is, the page says so before you pay.',
  ),
  'who-can-read-what-i-write': phone(
    'Who can read what I write?',
    'You and the vets who treat your pet. Each time our staff open it, it’s recorded, and you can see that list in the consult.',
  ),
}
