import { DECISIONS, URGENCIES, type Decision, type Urgency } from '#contract/phone.ts'
import type { Letter } from '../mail/mail-template.ts'

export interface Recorded {
  vet: string
  caller: string
  phone: string
  pet: string
  /** Species, sex and age, as far as they are known. */
  about: string
  problem: string
  advice: string
  urgency: Urgency
  decision: Decision
  when: string
}

export const phoneLetter = (recorded: Recorded, portal: string): Letter => {
  const { vet, caller, phone, pet, about, problem, advice, urgency, decision, when } = recorded
  return {
    subject: `${URGENCIES[urgency]}: ${vet} took a call about ${pet}`,
    parts: [
      `${vet} took a call for your clinic, ${when}.`,
      `Pet: ${[pet, about].filter(Boolean).join(', ')}`,
      `Caller: ${[caller, phone].filter(Boolean).join(', ')}`,
      `Problem: ${problem}`,
      `Urgency: ${URGENCIES[urgency]}`,
      ...(advice === '' ? [] : [`Advice given: ${advice}`]),
      `Outcome: ${DECISIONS[decision]}`,
      { button: 'Open the clinic portal', to: portal },
      { quiet: 'Confirm it in the portal, so that everyone knows it has been seen.' },
    ],
  }
}
