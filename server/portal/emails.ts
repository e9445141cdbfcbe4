import type { ClinicConsultation } from '#contract/portal.ts'
import { CONSULT_TYPES } from '#contract/consultations.ts'
import { LEVEL_NAMES } from '#contract/urgency.ts'
import { toPortal } from '../clinics/emails.ts'
import type { Letter, Part } from '../mail/mail-template.ts'

export const clinicPasswordLetter = (whose: string): Letter => ({
  subject: 'Your password for the clinic portal was changed',
  parts: [
    `The password of ${whose} was just changed in the clinic portal, and every other device was signed out.`,
    'If this was you, there’s nothing to do. If not, tell us straight away.',
    { button: 'Contact us', to: '/contact' },
  ],
})

type Case = Pick<
  ClinicConsultation,
  'type' | 'pet' | 'user' | 'pet_issue' | 'urgency' | 'decision' | 'advice' | 'outcome' | 'mobile'
>

/** What a clinic must know about a case before it opens its portal. */
function inShort(one: Case): Part {
  const { type, pet, user, pet_issue, urgency, decision, advice, outcome, mobile } = one
  const owner = [`${user.firstName} ${user.lastName}`.trim(), mobile].filter(Boolean).join(', ')
  const summary = advice?.summary || (decision ? '' : outcome)
  const lines =
    type === CONSULT_TYPES.phone
      ? [pet_issue, summary && `Told: ${summary}`, decision ? `Outcome: ${outcome}` : '']
      : [summary]
  return {
    title: urgency ? `${pet.name}, ${LEVEL_NAMES[urgency].toLowerCase()}` : pet.name,
    says: [...lines, owner && `Owner: ${owner}`].filter(Boolean).join('\n'),
  }
}

/** The night's cases, one part each. */
export const morningLetter = (clinic: string, cases: Case[], hasPortal: boolean): Letter => ({
  subject:
    cases.length === 1
      ? `VetChat consult: ${cases[0]!.pet.name}`
      : `${cases.length} VetChat consults last night`,
  parts: [
    cases.length === 1
      ? `A VetChat vet helped a patient of ${clinic} last night.`
      : `VetChat vets helped ${cases.length} patients of ${clinic} last night.`,
    ...cases.map(inShort),
    ...toPortal(hasPortal),
  ],
})
