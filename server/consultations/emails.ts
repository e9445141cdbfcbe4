import { PROMISED_MINUTES } from '#contract/consultations.ts'
import { greeting, type Letter, type Part } from '../mail/mail-template.ts'
import { petForMail } from '../mail/name-for-mail.ts'

/** The recipient of a mail about a consultation. */
export interface OwnerOf {
  firstName: string
  pet: string
  /** The link to the consult; for a guest a signed one, since they have no password. */
  room: string
}

export const toRoom = (button: string, { room }: OwnerOf): Part => ({ button, to: room })

export const vetJoinedLetter = (owner: OwnerOf, vet: string): Letter => ({
  subject: `${vet} has joined your consult`,
  parts: [
    greeting(owner.firstName),
    `${vet} is now in your consult about ${petForMail(owner.pet)} and is reading what you wrote.`,
    toRoom('Open the consult', owner),
    { quiet: 'You asked for this email when you left the page.' },
  ],
})

/** Mentions the refund to owners who paid for this consult alone. */
export const lateLetter = (owner: OwnerOf, back: string | null): Letter => ({
  subject:
    back === null
      ? 'We’re sorry you’re still waiting'
      : `We’re sorry you’re still waiting: we’re refunding ${back}`,
  parts: [
    greeting(owner.firstName),
    `A vet should have been with you and ${petForMail(owner.pet)} by now. We’re sorry. You keep your place in the queue, and the next free vet will join you.`,
    ...(back === null
      ? []
      : [
          `No vet joined your consult within ${PROMISED_MINUTES} minutes, so the consult costs you nothing. We’re refunding ${back} to the card you paid with. Your bank may take 5 to 10 days to show it.`,
        ]),
    `If ${petForMail(owner.pet)} gets worse, please don’t wait for us: call or go to the nearest open clinic.`,
    'You can leave the queue at any time.',
    toRoom('Open the consult', owner),
  ],
})

/** A reopened consult can't be reopened again. */
export const checkInLetter = (owner: OwnerOf & { isGuest: boolean }, canReopen: boolean): Letter => ({
  subject: `How is ${petForMail(owner.pet)} today?`,
  parts: [
    greeting(owner.firstName),
    `It’s been a day since your consult about ${petForMail(owner.pet)}. Better, the same or worse? You can answer in the consult, and your vet will read it.`,
    `If ${petForMail(owner.pet)} is worse, ${canReopen ? 'you can see a vet again from there at no cost, within two days of the consult' : 'please start a new consult'}. If it’s urgent, go to the nearest open clinic.`,
    toRoom('Answer', owner),
    {
      quiet: owner.isGuest
        ? 'We ask once after each consult.'
        : 'You can turn these check-ins off in your profile.',
    },
  ],
})

/** Goes to a vet who isn't on duty, and contains nothing clinical. */
export const askedAgainLetter = (vet: { firstName: string }, pet: string, room: string): Letter => ({
  subject: `A follow-up question about ${petForMail(pet)}`,
  parts: [
    greeting(vet.firstName),
    `The owner of ${petForMail(pet)} has asked again after the consult that you ended. While you’re off duty the question is in everyone’s queue, so a colleague may answer it first.`,
    { button: 'Open the consult', to: room },
  ],
})

/** The answer to a question after the end, word for word. */
export const answeredLetter = (owner: OwnerOf, vet: string, said: string[]): Letter => ({
  subject: `${vet} answered your question about ${petForMail(owner.pet)}`,
  parts: [
    greeting(owner.firstName),
    ...said,
    toRoom('Open the consult', owner),
    `If ${petForMail(owner.pet)} gets worse, please don’t wait for us: call or go to the nearest open clinic.`,
  ],
})

export const freshLinkLetter = (owner: OwnerOf): Letter => ({
  subject: `A new link to your consult about ${petForMail(owner.pet)}`,
  parts: [
    greeting(owner.firstName),
    'Each link opens the consult once, within two days. The one you just tried has already been used or has expired, so here’s a new one.',
    toRoom('Open the consult', owner),
    { quiet: 'If you didn’t open the earlier link, someone else may be reading your email. Please tell us.' },
  ],
})
