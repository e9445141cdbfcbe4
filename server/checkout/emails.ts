import { greeting, type Letter } from '../mail/mail-template.ts'
import { petForMail } from '../mail/name-for-mail.ts'

/** Somebody tried to pay for the same consult again, from a browser without access to it. */
export const consultOpenLetter = (
  { firstName, pet }: { firstName: string; pet: string },
  link: string,
): Letter => ({
  subject: `Your consult about ${petForMail(pet)} is open`,
  parts: [
    greeting(firstName),
    `You’ve already paid for this consult, so we didn’t charge you again. Here’s the way back to it.`,
    { button: 'Open the consult', to: link },
    { quiet: 'If you didn’t try to pay a second time, you can ignore this email.' },
  ],
})

/** The guest corrected the address, so we send the link to the consult there. */
export const consultMovedLetter = (
  { firstName, pet }: { firstName: string; pet: string },
  link: string,
): Letter => ({
  subject: `Your consult about ${petForMail(pet)}`,
  parts: [
    greeting(firstName),
    'We’ll send the vet’s plan to this address from now on. Here’s the way back to your consult.',
    { button: 'Open the consult', to: link },
    {
      quiet: 'If this isn’t your consult, somebody typed your address by mistake. You can ignore this email.',
    },
  ],
})

/** Links to a consult that began without its buyer, or that was free and so has no receipt. */
export const consultBegunLetter = (
  { firstName, pet, isTold }: { firstName: string; pet: string; isTold: boolean },
  link: string,
): Letter => ({
  subject: 'Your consult is in the queue',
  parts: [
    greeting(firstName),
    isTold
      ? `Your consult about ${petForMail(pet)} is in the queue, and the next free vet will join you.`
      : 'Your payment went through, but the page was closed before you could tell us what’s wrong. Your consult is still in the queue. Please open it and tell the vet about your pet.',
    { button: 'Open the consult', to: link },
    {
      quiet:
        'The link opens this consult once, within 48 hours. If you open it later, we’ll email you a new one.',
    },
  ],
})
