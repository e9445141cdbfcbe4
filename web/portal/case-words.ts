import type { ClinicConsultation } from '#contract/portal.ts'
import { CONSULT_TYPES } from '#contract/consultations.ts'
import { DAY } from '#contract/time.ts'
import { decisiveStep } from '../escalation/step-words.ts'
import { nameOf } from '../consultations/case-words.ts'
import { ageOf, time } from '../lib/dates.ts'
import { speciesOf } from '../pets/pet-face.tsx'
import type { IconName } from '../ui/icon.tsx'

type Case = ClinicConsultation

/** "Labrador, 4 years, male". */
export const kindOf = (one: Case) =>
  [
    one.pet.breed ?? speciesOf(one.pet.species_id).name,
    one.pet.dob ? ageOf(one.pet.dob) : one.pet.age,
    one.pet.sex && (one.pet.sex === 1 ? 'male' : 'female'),
  ]
    .filter(Boolean)
    .join(', ')

/** Long enough for a night before a long weekend. */
const EXPECTED_FOR_DAYS = 4

/** After those days, the pet was brought in or won't be. */
const toCome = (told: string, start: string): [IconName, string] =>
  Date.now() - Date.parse(start) < EXPECTED_FOR_DAYS * DAY
    ? ['calendar', `Expect them: ${told}`]
    : ['phone', `Ask how they are: ${told}`]

/** What the clinic does first, by how the consult ended. */
const FIRST: Record<Exclude<NonNullable<Case['ended_as']>, 'own_vet'>, [IconName, string]> = {
  home: ['file-text', 'For your records: cared for at home'],
  sent_in: ['phone', 'Call the owner: they were sent to an open clinic straight away'],
  no_answer: ['phone', 'Call the owner: they didn’t answer the vet'],
}

/** What came of calling the clinic's contacts. */
function calledAs(one: Case): [IconName, string] | undefined {
  const { steps } = one
  const last = decisiveStep(steps)
  if (!last) return undefined
  const taken = steps.findLast(({ kind }) => kind === 'acknowledged')
  if (last.kind === 'acknowledged' && taken) return ['check', `${taken.name} took it at ${time(taken.at)}`]
  if (last.kind === 'emergency')
    return ['map-pin', `Sent to an emergency clinic at ${time(last.at)}: none of your contacts had it`]
  if (last.kind === 'hours') return ['calendar', 'Call the owner: this waits for your opening hours']
  if (last.kind === 'nobody' || last.kind === 'stopped')
    return isAccepted(one)
      ? ['phone', 'Call the owner: none of your contacts had it']
      : ['hand', 'None of your contacts has it: the vet decides']
  return ['phone-call', 'We’re calling your contacts']
}

export function firstOf(one: Case): [IconName, string] {
  const { ended_as, decision, start } = one
  if (ended_as === 'own_vet') return toCome('the owner was told to see you', start)
  if (ended_as) return FIRST[ended_as]
  // No contact was called after these two decisions.
  if (decision === 'hours') return toCome('the caller was told to wait until you open', start)
  if (decision === 'emergency') return ['phone', 'Call the owner: they were sent to an emergency clinic']
  return calledAs(one) ?? ['phone', 'A call for your clinic: read what the vet advised']
}

/**
 * What the vet found, what they told the owner, and the line for the printed sheet. On the phone a vet finds nothing
 * themselves, and a call's outcome only repeats the decision.
 */
export const adviceOf = ({ type, decision, advice, outcome, pet_issue }: Case) =>
  type === CONSULT_TYPES.phone
    ? { found: undefined, told: advice?.summary ?? (decision ? undefined : outcome), inShort: pet_issue }
    : { found: advice?.summary ?? outcome, told: advice?.plan, inShort: advice?.summary ?? outcome }

/** On the phone, nobody saw the animal. */
export const takenAs = ({ type }: Case) => (type === CONSULT_TYPES.phone ? 'Call taken' : 'Seen')

export const isAccepted = ({ portalDetail }: Case) => portalDetail.clinic_accepted_at !== null

const EVENING = 18

/** The evening from which the portal counts new cases: that of the last working day before today. */
export function lastEvening(now: Date): Date {
  const evening = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1, EVENING)
  while ([0, 6].includes(evening.getDay())) evening.setDate(evening.getDate() - 1)
  return evening
}

/** "yesterday evening", "Friday evening". */
export function eveningName(evening: Date, now: Date): string {
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  return evening.getDate() === yesterday.getDate()
    ? 'yesterday evening'
    : `${new Intl.DateTimeFormat('en-GB', { weekday: 'long' }).format(evening)} evening`
}

/** With fewer digits, a search would find every number. */
const FEWEST_DIGITS = 3

/** In both regions a number has nine digits, after a 0 at home and after +27 or +61 from abroad. */
const digitsIn = (phone: string) => phone.replace(/\D/g, '').replace(/^0/, '').slice(-9)

/** Whether a search matches anything that a receptionist would look for. Numbers match in any form. */
export function matches(one: Case, q: string): boolean {
  const typed = q.trim().toLowerCase()
  const texts = [one.pet.name, nameOf(one), one.mobile, one.vet_name ?? '', kindOf(one)]
  if (texts.join(' ').toLowerCase().includes(typed) || String(one.id) === typed) return true
  const digits = /^[\d\s()+.-]+$/.test(typed) ? digitsIn(typed) : ''
  return digits.length >= FEWEST_DIGITS && digitsIn(one.mobile).includes(digits)
}
