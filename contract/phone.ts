import * as z from 'zod'
import { call } from './call.ts'
import { DayContact } from './clinics.ts'
import { Consultation } from './consultations.ts'
import { sentenceOf } from './errors.ts'
import {
  changedText,
  id,
  idOf,
  isDay,
  isoDate,
  isoTime,
  keyOf,
  nothing,
  optionalText,
  speciesOf,
  text,
  whole,
  typedName,
} from './fields.ts'
import * as lengths from './lengths.ts'
import { LEVELS, Urgency } from './urgency.ts'

/* Phone consults, which a vet or an admin records for a clinic. */

/** What was decided about the call. Deferred calls are those that could wait for opening hours. */
export const DECISIONS = {
  hours: 'Wait for opening hours',
  emergency: 'Sent to an emergency clinic',
  contact: 'Contact called',
} as const
export type Decision = keyof typeof DECISIONS

/** How soon the animal has to be seen, in the vet's judgement. */
const urgency = z.enum(LEVELS, { error: sentenceOf('PHONE_URGENCY_MISSING') })
const decision = keyOf(DECISIONS, sentenceOf('PHONE_DECISION_MISSING'))
const sex = z.literal([1, 2])
/** Identifies a form that a vet filled in, so that it is stored once however often it is sent. */
const key = z.string().regex(/^[\w-]{1,60}$/)

export const listPhoneClinics = call('GET', '/phone/clinics', {
  summary: 'The clinics that a phone consult can be recorded for, each with whom to call now',
  access: ['vet', 'admin'],
  input: nothing,
  output: z.array(
    z.object({
      id: z.number(),
      clinic: z.string(),
      address: z.string(),
      telephone: z.string(),
      comments: z.string(),
      /** Whether and when the clinic hears of the consult, by mail or in its portal. */
      notify: z.enum(['straight away', 'in the morning', 'never']),
      today: DayContact,
      /** Whom to call first and next: today's contact if available, then the next available one of the week. */
      chain: z.array(DayContact),
      /** How long each of them has to answer. */
      minutes: z.number(),
    }),
  ),
})
const drafted = {
  clinic: id.nullish(),
  caller: changedText(lengths.fullName),
  phone: changedText(lengths.mobile),
  pet: changedText(lengths.name),
  species: speciesOf().nullish(),
  sex: sex.nullish(),
  age: changedText(lengths.mobile),
  query: changedText(lengths.issue),
  urgency: urgency.nullish(),
  advice: changedText(lengths.issue),
  decision: decision.nullish(),
  vet: id.nullish(),
}
const PhoneDraft = z.object(drafted)
export type PhoneDraft = z.output<typeof PhoneDraft>

/** How the rules read the problem so far; null while there is nothing to read. The vet chooses the urgency. */
const read = Urgency.nullable()
export type RulesReading = z.output<typeof read>

export const getPhoneDraft = call('GET', '/phone/draft', {
  summary: 'The unsaved phone consult of this vet',
  access: ['vet', 'admin'],
  input: nothing,
  output: z.object({ key, started_at: isoTime, saved_at: isoTime, fields: PhoneDraft, read }).nullable(),
})

export const savePhoneDraft = call('PUT', '/phone/draft', {
  summary:
    'Save a phone consult while it is being typed; fields left out stay. Another key begins another one',
  access: ['vet', 'admin'],
  input: z.object({ key, ...drafted }),
  output: z.object({ started_at: isoTime, saved_at: isoTime, read }),
})

export const dropPhoneDraft = call('DELETE', '/phone/draft', {
  summary: 'Discard the unsaved phone consult',
  access: ['vet', 'admin'],
  input: nothing,
  output: nothing,
})

export const recordPhoneConsultation = call('POST', '/phone/consultations', {
  summary: 'Record a phone consult for a clinic, which is told; the same key records it once',
  access: ['vet', 'admin'],
  input: z.object({
    key,
    clinic: idOf(sentenceOf('PHONE_CLINIC_MISSING')),
    caller: typedName(sentenceOf('PHONE_CALLER_MISSING'), lengths.fullName),
    phone: optionalText(lengths.mobile).nullish(),
    pet: typedName(sentenceOf('PET_NAME_MISSING')),
    species: speciesOf().nullish(),
    sex: sex.nullish(),
    age: optionalText(lengths.mobile).nullish(),
    query: text(lengths.issue, sentenceOf('PHONE_PROBLEM_MISSING')),
    urgency,
    advice: optionalText(lengths.issue).nullish(),
    decision,
    /** For admins: the vet who took the call. */
    vet: id.nullish(),
  }),
  output: z.object({
    consultation: z.object({ id: z.number() }),
    clinic: z.string(),
    /** When the clinic's mail is sent; null if it has no email. */
    mailed_at: isoTime.nullable(),
  }),
})

const PhoneConsultation = Consultation.extend({
  clinic: z.object({ id: z.number(), clinic: z.string() }),
  caller: z.object({ name: z.string(), phone: z.string() }),
  urgency: urgency.nullable(),
  decision: decision.nullable(),
})
export type PhoneConsultation = z.infer<typeof PhoneConsultation>

export const listPhoneConsultations = call('GET', '/consultation/phoneConsultations/', {
  summary:
    'Phone consults, newest first, 50 on a page, for one clinic, between two days, or matching a search',
  access: ['admin'],
  input: z.object({
    page: whole(1, 1_000_000).optional(),
    q: optionalText(lengths.search).optional(),
    clinic: id.optional(),
    from: isoDate.optional(),
    to: isoDate.optional(),
  }),
  output: z.object({
    consultations: z.array(PhoneConsultation),
    page: z.number(),
    pages: z.number(),
    total: z.number(),
  }),
})

const exported = z
  .string({ error: sentenceOf('EXPORT_DATES_MISSING') })
  .refine(isDay, { error: sentenceOf('EXPORT_DATES_MISSING') })

export const reportPhoneConsultations = call('POST', '/consultation/phoneConsultations/report', {
  summary: 'The phone consults of these days, both included, as CSV in which no cell is a formula',
  access: ['admin'],
  input: z
    .object({ from: exported, to: exported })
    .refine(({ from, to }) => from <= to, { error: sentenceOf('EXPORT_DATES_TURNED'), path: ['to'] }),
  output: z.object({ consultCount: z.number(), csv: z.string() }),
})
