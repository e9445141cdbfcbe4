import { greeting, type Letter } from '../mail/mail-template.ts'

/** The way back to a consult that was begun while nobody looked, or that cost nothing and so has no receipt. */
export const consultBegunLetter = (
  { firstName, pet, isTold }: { firstName: string; pet: string; isTold: boolean },
  link: string,
): Letter => ({
  subject: 'Your consult is in the line',
  parts: [
    greeting(firstName),
    isTold
      ? `Your consult about ${pet} is in the line, and the next free vet comes to you.`
      : 'Your payment arrived, and the page was closed before you could say what the matter is. Your consult is in the line all the same. Please open it and tell the vet about your pet.',
    { button: 'Open the consult', to: link },
    { quiet: 'The link opens this consult once, within 48 hours. If it is too late we mail you a new one.' },
  ],
})
