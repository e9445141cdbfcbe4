import { isDeepStrictEqual } from 'node:util'
import {
  CONTACT_LINK_HOURS,
  type ContactCall,
  type EscalationState,
  OPEN_STATES,
  type StepKind,
} from '#contract/escalation.ts'
import { type Region, localTimeOf } from '#contract/regions.ts'
import { addHours, addMinutes, MINUTE } from '#contract/time.ts'
import { LEVEL_NAMES } from '#contract/urgency.ts'
import { type Calendar, contactsFrom } from '../clinics/rules.ts'
import type { Contact } from '../db/schema/escalation.ts'
import { phoneNumber } from '../identity/phone-number.ts'
import { isSame, macOf, type Secrets } from '../identity/secrets.ts'
import { nameForMail } from '../mail/name-for-mail.ts'

export interface Standing {
  state: EscalationState
  contacts: Contact[]
  place: number
  minutes: number
}

export interface Step {
  kind: StepKind
  place?: number
  callStep?: number
  userId?: number
}

/** What comes next, and the steps that lead there. */
export interface Change {
  state: EscalationState
  place: number
  dueAt: Date | null
  steps: Step[]
}

export const isOpen = ({ state }: Pick<Standing, 'state'>) => OPEN_STATES.includes(state)

export const nameOf = ({ vetName, contact }: Contact) => vetName || contact

const toDecide = (place: number, steps: Step[]): Change => ({ state: 'yours', place, dueAt: null, steps })

/** Calls the contact at this place in the list. If there is none, the vet decides. */
export function callFrom({ contacts, minutes }: Standing, place: number, at: Date, userId?: number): Change {
  if (!contacts[place]) return toDecide(place - 1, [{ kind: 'nobody' }])
  const dueAt = addMinutes(at, minutes)
  return { state: 'calling', place, dueAt, steps: [{ kind: 'called', place, ...(userId && { userId }) }] }
}

/** Continues with the next contact after this step. */
export function onward(now: Standing, step: Step, at: Date): Change {
  const change = callFrom(now, now.place + 1, at)
  return { ...change, steps: [step, ...change.steps] }
}

/** What a vet does with a case; undefined if it can't be done any more. */
export function moved(
  now: Standing,
  to: 'next' | 'stop' | 'again' | 'emergency' | 'hours',
  at: Date,
  userId: number,
): Change | undefined {
  const { state, place, contacts } = now
  if (to === 'next')
    return state === 'calling' && contacts[place + 1] ? callFrom(now, place + 1, at, userId) : undefined
  if (to === 'again')
    return state === 'yours' && contacts[place] ? callFrom(now, place, at, userId) : undefined
  if (to === 'stop') return state === 'calling' ? toDecide(place, [{ kind: 'stopped', userId }]) : undefined
  return isOpen(now) ? { state: 'decided', place, dueAt: null, steps: [{ kind: to, userId }] } : undefined
}

/** Whom to call about a case of this clinic now, by its own calendar. */
export const contactsNow = (clinic: Calendar & { email: string }, at: Date) =>
  contactsFrom(clinic, at).map(({ vetName, contact, email }): Contact => ({
    vetName,
    contact: phoneNumber(contact, clinic.region),
    email: email || clinic.email,
  }))

/** A case whose contacts are called again, from these. If they're the same people, their earlier links answer for them. */
export function fromTheFirst<T extends Standing>(row: T, again: Contact[]): T {
  const { contacts } = row
  const place = Math.max(0, contacts.length - again.length)
  return isDeepStrictEqual(contacts.slice(place), again)
    ? { ...row, place }
    : { ...row, contacts: [...contacts, ...again], place: contacts.length }
}

/** A contact's latest place: one who is called again in another order is in the list twice, and their earlier link still answers. */
export const placeNow = (contacts: Contact[], place: number) =>
  contacts.findLastIndex((one) => isDeepStrictEqual(one, contacts[place]))

/** The consult's outcome after a step; undefined if it doesn't change. */
export function outcomeAfter(kind: StepKind, name: string): string | undefined {
  if (kind === 'acknowledged') return `Contact called: ${name} took the case`
  if (kind === 'released') return 'Contact called'
  if (kind === 'emergency') return 'Contact called. Sent to an emergency clinic'
  if (kind === 'hours') return 'Contact called. Wait for opening hours'
  return undefined
}

/** What the audit log says about a step. */
export const AUDITED: Record<StepKind, string> = {
  called: 'called the contact',
  missed: 'contact did not answer',
  declined: 'contact declined',
  acknowledged: 'contact took the case',
  released: 'contact gave the case back',
  nobody: 'nobody left to call',
  stopped: 'stopped calling',
  emergency: 'sent to an emergency clinic',
  hours: 'left for opening hours',
}

/* The link. */

const SIGNATURE_LENGTH = 24

const signatureOf = (secret: Uint8Array, call: string) =>
  Buffer.from(macOf(secret, `contact call ${call}`), 'base64url')
    .toString('hex')
    .slice(0, SIGNATURE_LENGTH)

/** A signed code for one call to one contact. It has only letters and digits, so that no phone cuts the address short. */
export function codeOf([signing]: Secrets, callId: number): string {
  const call = callId.toString(36)
  return call + signatureOf(signing, call)
}

/** The call that a code is for, if we signed it. */
export function callIn(secrets: Secrets, code: string): number | undefined {
  const [, call, signature] = /^([0-9a-z]{1,7})([0-9a-f]{24})$/.exec(code) ?? []
  if (!call || !signature) return undefined
  const isOurs = secrets.some((secret) => isSame(signature, signatureOf(secret, call)))
  return isOurs ? Number.parseInt(call, 36) : undefined
}

export const linkEnds = (calledAt: Date) => addHours(calledAt, CONTACT_LINK_HOURS)

/* What a contact is sent. */

export type Asked = NonNullable<ContactCall['case']> & {
  clinic: string
  name: string
  /** Such as "by 02:19", in the clinic's time zone. */
  until: string
  link: string
}

/** Until when to answer. In the hour that repeats when clocks go back, a time of day would be read as the wrong one. */
export function answerUntil(region: Region, now: Date, until: Date): string {
  const timeOf = (at: Date) => localTimeOf(region, at).time
  const repeats = [-1, 1].some((hours) => timeOf(addHours(until, hours)) === timeOf(until))
  if (!repeats) return `by ${timeOf(until)}`
  const minutes = Math.round((until.getTime() - now.getTime()) / MINUTE)
  return minutes === 1 ? 'within a minute' : `within ${minutes} minutes`
}

/** Fits in two messages. The owner's name is only on the page behind the link. */
export const contactSms = ({ clinic, pet, about, urgency, phone, until, link }: Asked) =>
  [
    `VetChat for ${clinic.slice(0, 40).trim()}.`,
    `${LEVEL_NAMES[urgency]}: ${[nameForMail(pet).slice(0, 24).trim(), about].filter(Boolean).join(', ')}.`,
    phone && `Owner ${phone}.`,
    `Can you take it? Answer ${until}: ${link}`,
  ]
    .filter(Boolean)
    .join(' ')
    .replace(/\s+/g, ' ')
