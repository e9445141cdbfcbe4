import type { Site } from '../env.ts'
import { greeting, type Letter, type Part } from '../letter.ts'

/** Whom a mail about a consultation goes to. A guest has no way in by a bare address, so their mail names none. */
export interface OwnerOf {
  id: number
  firstName: string
  isGuest: boolean
  pet: string
}

export const toRoom = (site: Site, button: string, { id, isGuest }: OwnerOf): Part[] =>
  isGuest ? [] : [{ button, to: `${site.url}/text-chat/${id}` }]

export const vetJoinedLetter = (site: Site, owner: OwnerOf, vet: string): Letter => ({
  subject: `${vet} has joined your consult`,
  parts: [
    greeting(owner.firstName),
    `${vet} is in your consult about ${owner.pet} now and reads what you wrote.`,
    ...toRoom(site, 'Open the consult', owner),
    { quiet: 'You asked for this mail when you left the page.' },
  ],
})

export const lateLetter = (site: Site, owner: OwnerOf): Letter => ({
  subject: 'We are sorry that you are still waiting',
  parts: [
    greeting(owner.firstName),
    `A vet should have been with you and ${owner.pet} by now. We are sorry. You keep your place in the line, and the next free vet comes to you.`,
    `If ${owner.pet} gets worse, please do not wait for us: call or go to the nearest open clinic.`,
    'You can leave the line at any time.',
    ...toRoom(site, 'Open the consult', owner),
  ],
})

export const followUpLetter = (site: Site, owner: OwnerOf): Letter => ({
  subject: `How is ${owner.pet} today?`,
  parts: [
    greeting(owner.firstName),
    `Your consult about ${owner.pet} was a day ago. Better, the same or worse? You can answer in the consult, and your vet reads it.`,
    `If ${owner.pet} is worse, start a new consult or go to a clinic.`,
    ...toRoom(site, 'Answer', owner),
    { quiet: 'You can switch these check-ins off in your profile.' },
  ],
})
