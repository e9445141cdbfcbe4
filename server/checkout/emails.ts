import { greeting, type Letter } from '../mail/mail-template.ts'
import { petForMail } from '../mail/name-for-mail.ts'

/** Links back to a consult that began without its buyer, or that was free and so has no receipt. */
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
