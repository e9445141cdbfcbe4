import { CONTACT_REASONS } from '#contract/contact.ts'
import type { Site } from '../env.ts'
import { greeting, type Letter } from '../mail/mail-template.ts'

export const joinLetter = (site: Site, name: string, code: string): Letter => ({
  subject: 'One press, and our news come to you',
  parts: [
    greeting(name),
    'Somebody, probably you, asked for our news with this email. Press the button to join. Without it nothing comes.',
    { button: 'Join our community', to: `${site.url}/newsletter/join/${code}` },
    { quiet: 'The link is good for a week. It was not you? Then do nothing.' },
  ],
})

export const joinedLetter = (site: Site, name: string, code: string): Letter => ({
  subject: 'You are on our list',
  parts: [
    greeting(name),
    'Thank you for joining. We write when there is something worth reading, such as tick season or a new guide.',
    { button: 'Read what is there', to: `${site.url}/resources` },
    { quiet: `Enough? Leave with one press: ${site.url}/newsletter/leave/${code}` },
  ],
})

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
