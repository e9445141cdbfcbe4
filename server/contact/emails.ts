import { CONTACT_REASONS } from '#contract/contact.ts'
import { greeting, type Letter } from '../mail/mail-template.ts'

export const joinLetter = (name: string, code: string): Letter => ({
  subject: 'Please confirm that you’d like our news',
  parts: [
    greeting(name),
    'Someone, probably you, asked to get our news at this address. Press the button to join. If you don’t, we won’t send anything.',
    { button: 'Join our community', to: `/newsletter/join/${code}` },
    { quiet: 'The link is valid for a week. If it wasn’t you, you can ignore this email.' },
  ],
})

export const joinedLetter = (name: string, code: string): Letter => ({
  subject: 'You’re on our list',
  parts: [
    greeting(name),
    'Thank you for joining. We’ll write when there’s something worth reading, such as tick season or a new guide.',
    { button: 'See our guides', to: '/resources' },
    {
      quiet: 'Had enough?',
      link: { says: 'Unsubscribe with one click', to: `/newsletter/leave/${code}` },
    },
  ],
})

/** Anybody can type somebody else's address, so the mail says that it's the only one. */
export const vetBackLetter: Letter = {
  subject: 'A vet is on duty now',
  parts: [
    'Hello,',
    'Someone, probably you, asked us to write when a vet is back. One is on duty now.',
    { button: 'Talk to a vet', to: '/chat-purchase' },
    'If your pet got worse while you waited, go to the nearest open clinic.',
    { quiet: 'This is the only email about it: we’ve deleted your address from the list.' },
  ],
}

interface Written {
  queryAbout: number
  name: string
  email: string
  mobile: string
  clinicOrCompany: string
  body: string
}

const aboutOf = (reason: number) => CONTACT_REASONS[reason as keyof typeof CONTACT_REASONS]

/** Goes to us. The text names the writer, so we can answer them. */
export const writtenLetter = (written: Written): Letter => ({
  subject: `${aboutOf(written.queryAbout)}: ${written.name}`,
  parts: [
    `From ${written.name}, ${written.email}${written.mobile && `, ${written.mobile}`}${written.clinicOrCompany && `, of ${written.clinicOrCompany}`}`,
    written.body,
    { quiet: `Reply to ${written.email}.` },
  ],
})

/** Anybody can type somebody else's address, so the mail doesn't repeat the message. */
export const receivedLetter = ({ name, queryAbout }: Written): Letter => ({
  subject: 'We’ve received your message',
  parts: [
    greeting(name),
    'Thank you for writing to us. A person will read your message and reply.',
    `You wrote about: ${aboutOf(queryAbout)}.`,
    'Is your pet unwell now? Don’t wait for our reply.',
    { button: 'Chat to a vet now', to: '/how-it-works#hiw-pricing2' },
  ],
})
