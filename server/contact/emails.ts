import { CONTACT_REASONS } from '#contract/contact.ts'
import type { Site } from '../env.ts'
import { greeting, type Letter } from '../letter.ts'

interface Written {
  queryAbout: number
  name: string
  email: string
  mobile: string
  clinicOrCompany: string
  body: string
}

const aboutOf = (reason: number) => CONTACT_REASONS[reason as keyof typeof CONTACT_REASONS]

/** To our own people. Who wrote stands in the words, so that they can answer. */
export const writtenLetter = (written: Written): Letter => ({
  subject: `${aboutOf(written.queryAbout)}: ${written.name}`,
  parts: [
    `From ${written.name}, ${written.email}${written.mobile && `, ${written.mobile}`}${written.clinicOrCompany && `, of ${written.clinicOrCompany}`}`,
    written.body,
    { quiet: `Answer to ${written.email}.` },
  ],
})

export const receivedLetter = (site: Site, { name, queryAbout, body }: Written): Letter => ({
  subject: 'We have your message',
  parts: [
    greeting(name),
    'Thank you for writing to us. A person reads your message and answers it.',
    `You wrote about: ${aboutOf(queryAbout)}.`,
    { quiet: body },
    'Is your pet unwell now? Do not wait for our answer.',
    { button: 'Chat to a vet now', to: `${site.url}/how-it-works#hiw-pricing2` },
  ],
})
