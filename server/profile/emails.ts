import { EMAIL_LINK_HOURS, RECORDS_KEPT_YEARS } from '#contract/profile.ts'
import { REGIONS } from '#contract/regions.ts'
import type { Site } from '../env.ts'
import { greeting, type Letter } from '../mail/mail-template.ts'

const newPassword = (site: Site) => ({ button: 'Set a new password', to: `${site.url}/forgotpassword` })

/** To an address that may be a stranger's: nothing in it is of the asker's own writing. */
export const confirmEmailLetter = (site: Site, code: string): Letter => ({
  subject: 'Confirm your new email for VetChat',
  parts: [
    greeting(''),
    'Confirm that this is your address, and you sign in with it from then on.',
    { button: 'Use this email', to: `${site.url}/confirm-email/${code}` },
    { quiet: `The link works once, for ${EMAIL_LINK_HOURS} hours.` },
    {
      quiet: 'If you did not ask for this, you can leave this email alone. Nothing changes without the link.',
    },
  ],
})

export const emailTakenLetter = (site: Site): Letter => ({
  subject: 'This email has a VetChat account already',
  parts: [
    'Hello,',
    'Somebody asked to use this address for a VetChat account. It belongs to another account already, so nothing was changed.',
    'If that was you, sign in to that account with this address, or choose another address for the other one.',
    { button: 'Sign in', to: `${site.url}/login` },
  ],
})

export const emailChangeLetter = (site: Site, firstName: string, email: string): Letter => ({
  subject: 'Your VetChat email is about to change',
  parts: [
    greeting(firstName),
    `You asked to sign in with ${email} from now on. It changes once the link that we sent there is opened.`,
    'If this was not you, somebody knows your password. Set a new one now, and the link stops working.',
    newPassword(site),
  ],
})

export const emailChangedLetter = (site: Site, firstName: string, email: string): Letter => ({
  subject: 'Your VetChat email was changed',
  parts: [
    greeting(firstName),
    `Your account belongs to ${email} now. We no longer write to this address about it.`,
    'If this was not you, please tell us at once.',
    { button: 'Contact us', to: `${site.url}/contact` },
  ],
})

export const accountDeletedLetter = (site: Site, firstName: string, keptUntil: Date | null): Letter => {
  const { lang, timeZone } = REGIONS[site.region]
  const until = keptUntil?.toLocaleDateString(lang, {
    timeZone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
  return {
    subject: 'Your VetChat account is deleted',
    parts: [
      greeting(firstName),
      'Your account is deleted and every device is signed out. A membership that you had has ended, and nothing is charged any more.',
      until === undefined
        ? 'You never had a consultation, so we keep nothing about you or your pets.'
        : `The law has vets keep clinical records for ${RECORDS_KEPT_YEARS} years. So we keep your name, this email, the pets that our vets saw and what was said and noted in your consultations until ${until}, for nothing else. Then that is erased too.`,
      { quiet: 'Receipts of what you paid stay in our books for as long as tax law asks.' },
    ],
  }
}
