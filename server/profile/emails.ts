import type { Region } from '#contract/regions.ts'
import { EMAIL_LINK_HOURS, RECORDS_KEPT_YEARS } from '#contract/profile.ts'
import { dayOf } from '../documents/date-words.ts'
import { greeting, type Letter, newPassword } from '../mail/mail-template.ts'

/** The address may be a stranger's, so the mail contains nothing that the sender wrote. */
export const confirmEmailLetter = (code: string, { joins }: { joins: boolean }): Letter => ({
  subject: 'Confirm your new email for VetChat',
  parts: [
    greeting(''),
    'Confirm that this is your address, and you’ll sign in with it from then on.',
    ...(joins
      ? ['Once you confirm, the consults you bought with this address are in your account too.']
      : []),
    { button: 'Use this email', to: `/confirm-email/${code}` },
    { quiet: `The link works once, for ${EMAIL_LINK_HOURS} hours.` },
    {
      quiet: joins
        ? 'If you didn’t ask for this, please don’t confirm it: the person who did could then read your consults.'
        : 'If you didn’t ask for this, you can ignore this email. Nothing changes unless the link is opened.',
    },
  ],
})

export const emailTakenLetter: Letter = {
  subject: 'This email already has a VetChat account',
  parts: [
    'Hello,',
    'Someone asked to use this address for a VetChat account. It already belongs to another account, so nothing was changed.',
    'If that was you, sign in to that account with this address, or choose another address for the other one.',
    { button: 'Sign in', to: '/login' },
  ],
}

/** How a mail to the old address names the new one. If the old address was never confirmed, it may be a stranger's. */
export const newEmail = (email: string, confirmedAt: Date | null) =>
  confirmedAt === null ? 'another email' : email

export const emailChangeLetter = (firstName: string, email: string): Letter => ({
  subject: 'Your VetChat email is about to change',
  parts: [
    greeting(firstName),
    `You asked to sign in with ${email} from now on. It will change once the link we sent there is opened.`,
    'If this wasn’t you, someone knows your password. Set a new one now, and the link will stop working.',
    newPassword,
  ],
})

export const emailChangedLetter = (firstName: string, email: string): Letter => ({
  subject: 'Your VetChat email was changed',
  parts: [
    greeting(firstName),
    `Your account now uses ${email}. We won’t write to this address about it any more.`,
    'If this wasn’t you, please tell us straight away.',
    { button: 'Contact us', to: '/contact' },
  ],
})

export const accountDeletedLetter = (
  region: Region,
  firstName: string,
  keptUntil: Date | null,
  hasOpenClaim: boolean,
): Letter => ({
  subject: 'Your VetChat account has been deleted',
  parts: [
    greeting(firstName),
    'Your account has been deleted and every device is signed out. Any membership you had has ended, and nothing more will be charged.',
    ...(keptUntil === null
      ? hasOpenClaim
        ? []
        : ['You never had a consult, so we keep nothing about you or your pets.']
      : [
          `The law requires vets to keep clinical records for ${RECORDS_KEPT_YEARS} years. So we keep your name, this email, the pets our vets saw and what was said and noted in your consults until ${dayOf(keptUntil, region)}, for that purpose only. Then we erase that too.`,
        ]),
    ...(hasOpenClaim
      ? [
          `The insurer is still deciding a PawCare claim of yours, and will write to you. We keep the claim, with your name, this email and your pet, until then, for ${RECORDS_KEPT_YEARS} years at most. Then we erase it.`,
        ]
      : []),
    { quiet: 'We keep receipts of what you paid for as long as tax law requires.' },
  ],
})
