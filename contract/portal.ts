import * as z from 'zod'
import { call } from './call.ts'
import { ClinicProfile, CLINIC_PASSWORD_RULE } from './clinics.ts'
import { Consultation } from './consultations.ts'
import { OUTCOMES } from './clinical.ts'
import { sentenceOf } from './errors.ts'
import { EscalationStep } from './escalation.ts'
import { id, isoDate, keyOf, nothing } from './fields.ts'
import { confirmation } from './human.ts'
import * as lengths from './lengths.ts'
import { DECISIONS } from './phone.ts'
import { LEVELS } from './urgency.ts'

/* What a clinic sees in its portal: the consults that concern it, and the calls that it didn't have to take. */

/** How long a consult stays in a clinic's list. */
export const PORTAL_DAYS = 90
/** With fewer calls than this, a percentage would say nothing. */
export const FEWEST_CALLS = 20
/** How many of the latest weeks are shown by default. */
export const DEFERRED_WEEKS = 12

/** The clinic as it sees itself. */
export const SignedInClinic = ClinicProfile.extend({
  /** Which of its people signed in; null for the clinic's own username. */
  person: z.string().nullable(),
})
export type SignedInClinic = z.infer<typeof SignedInClinic>

export const ClinicConsultation = Consultation.extend({
  pet: Consultation.shape.pet.extend({
    breed: z.string().nullable(),
    dob: isoDate.nullable(),
    sex: z.literal([1, 2]).nullable(),
    /** For a phone consult, in the caller's words. */
    age: z.string(),
  }),
  mobile: z.string(),
  /** What was decided about a phone consult, and how soon the vet wanted the animal seen. */
  decision: keyOf(DECISIONS).nullable(),
  urgency: z.enum(LEVELS).nullable(),
  /** How it ended, as the vet signed it; null for a phone consult. */
  ended_as: keyOf(OUTCOMES).nullable(),
  /** For a phone consult, the summary is what the caller was told. */
  advice: z
    .object({ summary: z.string(), plan: z.string(), watch_for: z.string(), go_if: z.string() })
    .nullable(),
  /** The pictures that the owner agreed to share. */
  pictures: z.array(
    z.object({
      url: z.string(),
      filename: z.string(),
      width: z.number().nullable(),
      height: z.number().nullable(),
    }),
  ),
  accepted_by: z.string().nullable(),
  /** How the clinic's contacts were called, in order. */
  steps: z.array(EscalationStep),
})
export type ClinicConsultation = z.infer<typeof ClinicConsultation>

const empty = sentenceOf('CLINIC_SIGN_IN_EMPTY')

export const loginClinic = call('POST', '/login/clinic', {
  summary: 'Sign in to the clinic portal',
  access: 'anyone',
  input: z.object({
    username: z.string({ error: empty }).trim().toLowerCase().min(1, { error: empty }).max(lengths.email),
    password: z.string({ error: empty }).min(1, { error: empty }).max(1000),
    ...confirmation,
  }),
  output: z.object({ token: z.string(), clinic: SignedInClinic }),
})

export const readClinicSignOut = call('POST', '/login/clinic/ended', {
  summary: 'Why a session of the clinic portal ended, for the page that had its token',
  access: 'anyone',
  input: z.object({ token: z.string().max(1000) }),
  output: z.object({
    /** The clinic that the person or the clinic's username no longer has access to; null if the session only ended. */
    removed_from: z.string().nullable(),
  }),
})

export const listClinicConsultations = call('GET', '/clinics/consult', {
  summary: "The clinic's own consults of the last 90 days, newest first",
  access: ['clinic'],
  files: 'opened',
  input: nothing,
  output: z.array(ClinicConsultation),
})

export const acceptConsultation = call('GET', '/roster/clinic/accept/:id/VETCHAT', {
  summary: 'The clinic confirms that it has the case; a repeated call returns who did and when',
  access: ['clinic'],
  effect: true,
  input: z.object({ id }),
  output: z.object({ consultation: ClinicConsultation }),
})

export const resetClinicPassword = call('POST', '/clinics/pwdreset', {
  summary: 'Change the password you signed in with; everybody else who used it is signed out',
  access: ['clinic'],
  input: z.object({
    current: z
      .string({ error: sentenceOf('CURRENT_PASSWORD_MISSING') })
      .min(1, { error: sentenceOf('CURRENT_PASSWORD_MISSING') })
      .max(1000),
    password: z
      .string({ error: sentenceOf('NEW_PASSWORD_MISSING') })
      .min(1, { error: sentenceOf('NEW_PASSWORD_MISSING'), abort: true })
      .refine(CLINIC_PASSWORD_RULE.met, { error: sentenceOf('CLINIC_PASSWORD_SHORT') })
      .max(lengths.password, { error: sentenceOf('PASSWORD_TOO_LONG') }),
  }),
  output: nothing,
})

export const myClinic = call('GET', '/clinics/me', {
  summary: 'The clinic that is signed in',
  access: ['clinic'],
  input: nothing,
  output: SignedInClinic,
})

export const setClinicMail = call('POST', '/clinics/mail', {
  summary: 'Whether a consult is mailed straight away or, if it ended at night, in the morning',
  access: ['clinic'],
  input: z.object({ notify: ClinicProfile.shape.notify }),
  output: SignedInClinic,
})

/* Calls deferred. */

const counts = {
  deferred: z.number(),
  contact: z.number(),
  emergency: z.number(),
}

export const Deferred = z.object({
  from: isoDate,
  to: isoDate,
  /** Weeks from Monday to Sunday by the region's calendar, latest first. The first and the last may be incomplete. */
  weeks: z.array(z.object({ week: isoDate, ...counts })),
  total: z.object(counts),
  month: z.object({ from: isoDate, ...counts }),
  /** The contact's answers, and the median of how long they took. */
  answers: z.object({ called: z.number(), answered: z.number(), median_minutes: z.number().nullable() }),
})
export type Deferred = z.infer<typeof Deferred>

/** Across all clinics with enough calls. */
const Measured = z.object({ percent: z.number(), clinics: z.number(), calls: z.number() })

const range = { from: isoDate.optional(), to: isoDate.optional() }

export const countDeferred = call('GET', '/clinics/deferred', {
  summary: 'How many calls the clinic did not have to take, by week',
  access: ['clinic'],
  input: z.object(range),
  output: Deferred,
})

export const countDeferredOf = call('GET', '/clinics/:id/deferred', {
  summary: 'The same for any clinic, for admins, beside the figures over all clinics',
  access: ['admin'],
  input: z.object({ id, ...range }),
  output: Deferred.extend({ measured: Measured.nullable() }),
})

export const measureDeferred = call('GET', '/deferred', {
  summary: 'How many of 100 calls could wait, over all clinics with enough of them; null until there are any',
  access: 'anyone',
  input: nothing,
  output: Measured.nullable(),
})
