import type { ClinicConsultation } from '#contract/portal.ts'
import type { Site } from '../env.ts'
import type { Letter } from '../mail/mail-template.ts'

export const clinicPasswordLetter = (site: Site, whose: string): Letter => ({
  subject: 'Your password for the clinic portal was changed',
  parts: [
    `The password of ${whose} was just changed in the clinic portal, and every other device was signed out.`,
    'If this was you, there’s nothing to do. If not, tell us straight away.',
    { button: 'Contact us', to: `${site.url}/contact` },
  ],
})

const nameOf = ({ user }: ClinicConsultation) => `${user.firstName} ${user.lastName}`.trim()

/** What came in the night, one part each. */
export const morningLetter = (site: Site, clinic: string, cases: ClinicConsultation[]): Letter => ({
  subject:
    cases.length === 1
      ? `VetChat consult: ${cases[0]!.pet.name}`
      : `${cases.length} VetChat consults last night`,
  parts: [
    cases.length === 1
      ? `A patient of ${clinic} saw a VetChat vet last night.`
      : `${cases.length} patients of ${clinic} saw a VetChat vet last night.`,
    ...cases.map((one) =>
      [
        `${one.pet.name}: ${one.advice?.summary || one.outcome}`,
        [nameOf(one), one.mobile].filter(Boolean).join(', '),
      ]
        .filter(Boolean)
        .join(' Owner: '),
    ),
    { button: 'Open the clinic portal', to: `${site.url}/clinic-portal` },
  ],
})
