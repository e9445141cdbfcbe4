import * as z from 'zod'
import { call } from './call.ts'
import { sentenceOf } from './errors.ts'
import { id, isoTime, nothing, text, whole } from './fields.ts'
import { LEVELS } from './urgency.ts'

/* Calling a clinic's contacts about a phone consult, one after the other, until somebody has it or the vet decides. */

/** A contact's link works for this long, unless somebody takes the case or the vet decides first. */
export const CONTACT_LINK_HOURS = 2

/** A contact is being called; one has taken the case; nobody has, so the vet decides; the vet has decided. */
export const ESCALATION_STATES = ['calling', 'taken', 'yours', 'decided'] as const
export type EscalationState = (typeof ESCALATION_STATES)[number]
/** While a case is in one of these, nobody has it, and a contact can still take it. */
export const OPEN_STATES: EscalationState[] = ['calling', 'yours']

const STEP_KINDS = [
  'called',
  'missed',
  'declined',
  'acknowledged',
  'released',
  'nobody',
  'stopped',
  'emergency',
  'hours',
] as const
export type StepKind = (typeof STEP_KINDS)[number]

/** Whether a message was handed to its provider. */
const Delivery = z.enum(['waiting', 'sent', 'failed'])

export const EscalationStep = z.object({
  step: z.number(),
  kind: z.enum(STEP_KINDS),
  at: isoTime,
  /** The contact that it is about, by name or else by number. */
  name: z.string().nullable(),
  /** Their number as people of the region dial it. */
  contact: z.string().nullable(),
  /** Which of our people pressed something. */
  by: z.string().nullable(),
})
export type EscalationStep = z.infer<typeof EscalationStep>

const SentStep = EscalationStep.extend({
  /** Null if there was no number or email to send it to. */
  sms: Delivery.nullable(),
  mail: Delivery.nullable(),
})

const urgency = z.enum(LEVELS)
const contact = z.object({ name: z.string(), contact: z.string() })

/** What the contact and the vet both read about the case. */
const said = {
  pet: z.string(),
  /** Species, sex and age, as far as they are known. */
  about: z.string(),
  caller: z.string(),
  phone: z.string(),
  problem: z.string(),
  advice: z.string(),
  urgency,
  vet_name: z.string(),
}

/** The clinic was told, and can read the case in its portal. */
const inPortal = { in_portal: z.boolean() }

const listed = {
  id: z.number(),
  clinic: z.object({ id: z.number(), clinic: z.string() }),
  recorded_at: isoTime,
  state: z.enum(ESCALATION_STATES),
  due_at: isoTime.nullable(),
}

const Escalation = z.object({
  ...listed,
  ...said,
  species_id: z.number().nullable(),
  ...inPortal,
  /** When the clinic confirmed it there. */
  accepted_at: isoTime.nullable(),
  contacts: z.array(contact),
  /** Whom the vet can call again: the clinic's contacts by its calendar as it is now. */
  again: z.array(contact),
  /** The contact who is being called, or has the case. */
  place: z.number(),
  minutes: z.number(),
  step: z.number(),
  steps: z.array(SentStep),
})
export type Escalation = z.infer<typeof Escalation>

const ListedEscalation = z.object({
  ...listed,
  pet: said.pet,
  urgency,
  vet_name: said.vet_name,
  /** Who is being called, or has the case. */
  contact: z.string(),
  /** Whether the reader decides if nobody answers: it is their call, or its vet went off duty, so it is every vet's. */
  decides: z.boolean(),
})
export type ListedEscalation = z.infer<typeof ListedEscalation>

export const listEscalations = call('GET', '/escalations', {
  summary: 'Cases for which somebody is being called or the vet decides, and those of the last 12 hours',
  access: ['vet', 'admin'],
  input: nothing,
  output: z.array(ListedEscalation),
})

export const getEscalation = call('GET', '/escalations/:id', {
  summary: 'A phone consult for which a clinic’s contacts are called, with every step and its time',
  access: ['vet', 'admin'],
  input: z.object({ id }),
  output: Escalation,
})

export const moveEscalation = call('POST', '/escalations/:id', {
  summary:
    'Call the next contact now, stop calling, call all of them again, or decide without them. Sends the last step that the caller saw',
  access: ['vet', 'admin'],
  input: z.object({ id, step: whole(0), to: z.enum(['next', 'stop', 'again', 'emergency', 'hours']) }),
  output: Escalation,
})

/* The contact's own page. */

const ContactCall = z.object({
  /** The contact can take the case; has it; declined, but can still take it; or it's over. */
  standing: z.enum(['asked', 'on it', 'declined', 'over']),
  clinic: z.string(),
  ...inPortal,
  name: z.string(),
  called_at: isoTime,
  /** How long we wait for this contact; null once we've moved on to somebody else or stopped. */
  until: isoTime.nullable(),
  /** Who is called after them; null if nobody is. */
  next: z.string().nullable(),
  /** Who has the case, and since when. */
  taken: z.object({ name: z.string(), at: isoTime }).nullable(),
  /** When the vet decided without the contacts. */
  decided_at: isoTime.nullable(),
  /** Null once the link has stopped working. */
  case: z.object(said).nullable(),
})
export type ContactCall = z.infer<typeof ContactCall>

const code = text(60, sentenceOf('CONTACT_LINK_WRONG'), sentenceOf('CONTACT_LINK_WRONG'))

/* A link's code is a secret, so even reading sends it in the body and not in an address. */

export const readContactCall = call('POST', '/contact-call/read', {
  summary: 'What we ask a clinic’s contact, opened with the link sent to them. Changes nothing',
  access: 'anyone',
  input: z.object({ code }),
  output: ContactCall,
})

export const answerContactCall = call('POST', '/contact-call', {
  summary:
    'The contact takes the case, or can’t. A repeated call changes nothing and returns the current state',
  access: 'anyone',
  input: z.object({ code, answer: z.enum(['yes', 'no']) }),
  output: ContactCall,
})
