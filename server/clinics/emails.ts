import { INVITATION_HOURS } from '#contract/clinics.ts'
import type { Letter, Part } from '../mail/mail-template.ts'
import { greeting } from '../mail/mail-template.ts'

/** Nobody can sign in for some clinics. They read everything in the mail. */
export const toPortal = (hasPortal: boolean): Part[] =>
  hasPortal ? [{ button: 'Open the clinic portal', to: '/clinic-portal' }] : []

export const invitationLetter = ({
  clinic,
  name,
  username,
  code,
}: {
  clinic: string
  name: string | null
  username: string
  code: string
}): Letter => ({
  subject: `Your access to the VetChat portal for ${clinic}`,
  parts: [
    greeting(name ?? ''),
    `When a patient of ${clinic} sees a VetChat vet, you can read the case and confirm it in the clinic portal.`,
    'First, set your own password:',
    { button: 'Set a password', to: `/clinic-invitation/${code}` },
    `Your username is ${username}.`,
    { quiet: `The link works once, for ${INVITATION_HOURS} hours. After that, ask us for a new one.` },
  ],
})
