import type { ContactCall } from '#contract/escalation.ts'
import { DECISIONS, type Decision } from '#contract/phone.ts'
import { LEVEL_NAMES } from '#contract/urgency.ts'
import { toPortal } from '../clinics/emails.ts'
import type { Letter } from '../mail/mail-template.ts'

type Recorded = NonNullable<ContactCall['case']> & { decision: Decision; when: string; in_portal: boolean }

export const phoneLetter = (recorded: Recorded): Letter => {
  const { vet_name, caller, phone, pet, about, problem, advice, urgency, decision, when, in_portal } =
    recorded
  return {
    subject: `${LEVEL_NAMES[urgency]}: ${vet_name} took a call about ${pet}`,
    parts: [
      `${vet_name} took a call for your clinic on ${when}.`,
      {
        title: [pet, about].filter(Boolean).join(', '),
        says: [
          `Urgency: ${LEVEL_NAMES[urgency]}`,
          `Outcome: ${DECISIONS[decision]}`,
          `Caller: ${[caller, phone].filter(Boolean).join(', ')}`,
        ].join('\n'),
      },
      { title: 'Problem', says: problem },
      ...(advice === '' ? [] : [{ title: 'Advice given', says: advice }]),
      ...toPortal(in_portal),
      ...(in_portal ? [{ quiet: 'Confirm it in the portal, so that everyone knows it has been seen.' }] : []),
    ],
  }
}
