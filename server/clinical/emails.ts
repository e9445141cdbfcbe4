import { toPortal } from '../clinics/emails.ts'
import { type OwnerOf, toRoom } from '../consultations/emails.ts'
import { greeting, type Letter, type Part } from '../mail/mail-template.ts'
import { petForMail } from '../mail/name-for-mail.ts'

export interface Advice {
  summary: string
  plan: string
  watchFor: string
  goIf: string
}

/** Without bullets, several lines run together in a mail. */
const listed = (text: string) =>
  text.includes('\n') ? text.replace(/^\s*(?:[-*•]\s+)?(?=\S)/gm, '• ') : text

const inParts = ({ plan, watchFor, goIf }: Advice): Part[] =>
  [
    { title: 'What to do', says: plan },
    { title: 'Go to a clinic at once if', says: listed(goIf) },
    { title: 'What to watch for', says: listed(watchFor) },
  ].filter(({ says }) => says !== '')

export const adviceLetter = (
  owner: OwnerOf,
  vet: string,
  advice: Advice,
  clinic: string | undefined,
  also: Part[],
): Letter => ({
  subject: `${vet}’s advice for ${petForMail(owner.pet)}`,
  parts: [
    greeting(owner.firstName),
    advice.summary,
    ...inParts(advice),
    toRoom('Open the consult', owner),
    ...(clinic ? [{ quiet: `As you agreed, we’ve sent this to ${clinic} too.` }] : []),
    ...also,
  ],
})

export const clinicLetter = (
  owner: { name: string; mobile: string; pet: string },
  vet: string,
  issue: string,
  advice: Advice,
  hasPortal: boolean,
): Letter => ({
  subject: `VetChat consult: ${owner.pet}`,
  parts: [
    `${owner.name} chose your clinic for ${owner.pet} and agreed to us sending you this summary of a consult with ${vet}.`,
    ...[
      { title: 'Owner', says: [owner.name, owner.mobile].filter(Boolean).join(', ') },
      { title: 'What the owner asked', says: issue },
      { title: 'What the vet found', says: advice.summary },
    ].filter(({ says }) => says !== ''),
    ...inParts(advice),
    ...toPortal(hasPortal),
  ],
})
