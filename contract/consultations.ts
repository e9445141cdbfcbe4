import * as z from 'zod/mini'
import { call, push } from './call.ts'
import { words } from './errors.ts'
import { id, idOf, isoTime, nothing, optionalText, text } from './fields.ts'
import { Pet } from './pets.ts'

export const Consultation = z.object({
  id: z.number(),
  type: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  /** When it entered the line, when a vet took it, when it ended. */
  start: isoTime,
  vet_start: z.nullable(isoTime),
  end: z.nullable(isoTime),
  vet_name: z.nullable(z.string()),
  pet: z.object({ id: z.nullable(z.number()), name: z.string(), species_id: z.nullable(z.number()) }),
  user: z.object({ firstName: z.string(), lastName: z.string(), email: z.string() }),
  pet_issue: z.string(),
  query: z.string(),
  outcome: z.string(),
  /** What the vet wrote for the owner, once it has ended. */
  summary: z.nullable(z.string()),
  portalDetail: z.object({
    clinic_notified_at: z.nullable(isoTime),
    clinic_accepted_at: z.nullable(isoTime),
  }),
})
export type Consultation = z.infer<typeof Consultation>

/** A vet joins within this time, or the owner is told and it costs nothing. */
export const PROMISED_MINUTES = 15

/** How a consult ended, as the vet signs it. */
export const OUTCOMES = {
  home: 'Home care',
  own_vet: 'Own vet',
  sent_in: 'Sent in now',
  no_answer: 'No answer',
} as const
export type Outcome = keyof typeof OUTCOMES
const outcome = z.enum(Object.keys(OUTCOMES) as [Outcome, ...Outcome[]], {
  error: words('OUTCOME_MISSING'),
})

/** What the owner reads: first what it is, then what to do, what to watch for, and when to go in at once. */
const Advice = z.object({
  summary: z.string(),
  plan: z.string(),
  watch_for: z.string(),
  go_if: z.string(),
  at: isoTime,
})

/** A consultation as its room needs it. */
const Room = z.extend(Consultation, {
  /** Who writes in it: the owner's side, and every vet who had it. */
  people: z.array(
    z.object({
      id: z.number(),
      side: z.enum(['owner', 'vet']),
      name: z.string(),
      /** The vet's number at the regulator. */
      registration: z.nullable(z.string()),
    }),
  ),
  vet_id: z.nullable(z.number()),
  /** While no vet has it. */
  waiting: z.nullable(
    z.object({
      /** 1 is next. */
      place: z.number(),
      /** Expected minutes until a vet joins, from and to; null with nobody on duty. */
      minutes: z.nullable(z.tuple([z.number(), z.number()])),
      promised_by: isoTime,
      late: z.boolean(),
    }),
  ),
  cancelled: z.boolean(),
  /** The owner left the page and wants a mail when a vet has joined. */
  mails_when_taken: z.boolean(),
  /** What the vet wrote for the owner. */
  advice: z.nullable(Advice),
  rating: z.nullable(z.object({ stars: z.number(), words: z.string() })),
  /** Once it has ended: until when the owner can still write. */
  follow_up_until: z.nullable(isoTime),
})
export type Room = z.infer<typeof Room>

const ISSUE_LENGTH = 4000
/** The same question within this time is the same consultation: a second press asks nothing twice. */
export const SAME_WITHIN_SECONDS = 60

const FILTERS = ['all', 'available', 'in_progress', 'completed'] as const
export const MOST_COUNTED = 1000

const missing = words('CONSULT_DETAILS_MISSING')

export const listConsultations = call({
  method: 'GET',
  path: '/consultation',
  summary:
    "The owner's consultations, newest first; for vets and admins everybody's, who waits longest first",
  access: ['owner', 'vet', 'admin'],
  input: z.object({
    /** Available: no vet has it. */
    filter: z._default(z.enum(FILTERS), 'all'),
    /** The beginning of a name, an email or a pet's name, or a number. */
    q: z.optional(optionalText(100)),
    cursor: z.optional(z.string().check(z.maxLength(60))),
    limit: z._default(z.pipe(id, z.int().check(z.maximum(100))), 50),
  }),
  output: z.object({
    consultations: z.array(Consultation),
    /** Where the next page begins. */
    next: z.nullable(z.string()),
    /** Completed ones are counted up to MOST_COUNTED. */
    counts: z.object({ needs_help: z.number(), in_progress: z.number(), completed: z.number() }),
  }),
})

export const startConsultation = call({
  method: 'POST',
  path: '/consultation',
  summary: 'Enter the line with a pet and a question; members only',
  access: ['owner'],
  input: z.object({
    pet_id: idOf(missing),
    pet_issue: text(ISSUE_LENGTH, missing),
    type: z.pipe(id, z.union([z.literal(1), z.literal(2)])),
    agreed: z.optional(z.boolean()),
    terms: z.optional(z.string().check(z.maxLength(40))),
  }),
  output: z.object({ consultation: z.object({ id: z.number() }) }),
})

const one = z.object({ consultation: Room })

export const getConsultation = call({
  method: 'GET',
  path: '/consultation/:id',
  summary: 'One consultation, for its owner, its guest, vets and admins',
  access: ['owner', 'guest', 'vet', 'admin'],
  /** A vet who opens what another vet closed says why; the owner sees it. */
  input: z.object({ id, why: z.optional(optionalText(200)) }),
  output: one,
})

export const takeConsultation = call({
  method: 'POST',
  path: '/consultation/:id/take',
  summary: 'A vet takes a case that waits; of two at once one gets it',
  access: ['vet'],
  input: z.object({ id }),
  output: one,
})

export const handBackConsultation = call({
  method: 'POST',
  path: '/consultation/:id/hand-back',
  summary: 'The vet who has it puts it back into the line, at its place and with a word for who comes next',
  access: ['vet'],
  input: z.object({ id, note: text(2000) }),
  output: nothing,
})

export const handOverConsultation = call({
  method: 'POST',
  path: '/consultation/:id/hand-over',
  summary: 'The vet who has it hands it to a colleague on duty, with a word',
  access: ['vet'],
  input: z.object({ id, vet_id: id, note: text(2000) }),
  output: nothing,
})

export const cancelConsultation = call({
  method: 'POST',
  path: '/consultation/:id/cancel',
  summary: 'The owner leaves the line before a vet has joined',
  access: ['owner', 'guest'],
  input: z.object({ id }),
  output: nothing,
})

/** Something of a consultation changed: who has it, that it ended. Told to its room; staff hear of every one. */
export const consultationChanged = push({
  push: 'consultationChanged',
  payload: z.object({ consultation: z.number() }),
})

export const askForMail = call({
  method: 'POST',
  path: '/consultation/:id/mail-me',
  summary: 'The owner leaves the page and is mailed when a vet has joined',
  access: ['owner', 'guest'],
  input: z.object({ id, on: z._default(z.boolean(), true) }),
  output: nothing,
})

export const rateConsultation = call({
  method: 'POST',
  path: '/consultation/:id/rating',
  summary: 'How the consult was, in stars and a word; a later one takes its place',
  access: ['owner', 'guest'],
  input: z.object({
    id,
    stars: z.int().check(z.minimum(1), z.maximum(5)),
    words: z._default(optionalText(1000), ''),
  }),
  output: nothing,
})

export const listAccess = call({
  method: 'GET',
  path: '/consultation/:id/access',
  summary: 'Who of the house opened, took or passed on a consultation, and why',
  access: ['owner', 'guest', 'vet', 'admin'],
  input: z.object({ id }),
  output: z.array(z.object({ name: z.string(), action: z.string(), reason: z.string(), at: isoTime })),
})

/* The vet's side. */

const noteText = z._default(optionalText(8000), '')
const noteParts = {
  history: noteText,
  findings: noteText,
  assessment: noteText,
  /** These are written for the owner. */
  summary: noteText,
  plan: noteText,
  watch_for: noteText,
  go_if: noteText,
  outcome: z._default(z.nullable(outcome), null),
}

export const Note = z.object({
  ...noteParts,
  /** Grows with every change, so that two windows do not write over each other. */
  version: z.number(),
  saved_at: z.nullable(isoTime),
  signed_at: z.nullable(isoTime),
  signed_by: z.nullable(z.string()),
  /** Words for the next vet, and what was added after signing. */
  additions: z.array(
    z.object({
      kind: z.enum(['hand_over', 'addition']),
      by: z.string(),
      body: z.string(),
      at: isoTime,
    }),
  ),
})
export type Note = z.infer<typeof Note>

export const getRecord = call({
  method: 'GET',
  path: '/consultation/:id/record',
  summary: "The pet's record and the clinical note, for the vets of the house",
  access: ['vet', 'admin'],
  input: z.object({ id, why: z.optional(optionalText(200)) }),
  output: z.object({
    pet: z.nullable(Pet),
    owner: z.object({ name: z.string(), mobile: z.string(), own_clinic: z.string(), is_member: z.boolean() }),
    /** Latest first, at most 20. */
    earlier: z.array(Consultation),
    note: Note,
  }),
})

export const saveNote = call({
  method: 'POST',
  path: '/consultation/:id/note',
  summary: 'Keep the note as it is typed; refused where another window has changed it since',
  access: ['vet'],
  input: z.object({ id, version: z.int().check(z.minimum(0)), ...noteParts }),
  output: z.object({ version: z.number(), saved_at: isoTime }),
})

export const addToNote = call({
  method: 'POST',
  path: '/consultation/:id/note/add',
  summary: 'Add to a signed note; the first words stay',
  access: ['vet'],
  input: z.object({ id, body: text(4000) }),
  output: Note,
})

export const endConsultation = call({
  method: 'POST',
  path: '/consultation/:id/end',
  summary: 'Sign the note and end the consult; the owner gets the advice in the room and by mail',
  access: ['vet'],
  input: z.object({ id, version: z.int().check(z.minimum(0)) }),
  output: z.object({ emailed: z.array(z.string()) }),
})

export const sendSummary = call({
  method: 'POST',
  path: '/consultation/consultSummary/:consultationId',
  summary: 'Write the advice for the owner and mail it, to their own clinic too where they agreed',
  access: ['vet', 'admin'],
  input: z.object({
    consultationId: id,
    summary: text(8000, words('SUMMARY_MISSING')),
    plan: z.optional(optionalText(8000)),
    watchFor: z.optional(optionalText(8000)),
    goIf: z.optional(optionalText(8000)),
  }),
  output: z.object({ emailed: z.array(z.string()) }),
})

export const listReplies = call({
  method: 'GET',
  path: '/replies',
  summary: 'Ready answers for the message box',
  access: ['vet', 'admin'],
  input: nothing,
  output: z.array(z.object({ id: z.number(), title: z.string(), body: z.string() })),
})

export const setDuty = call({
  method: 'POST',
  path: '/duty',
  summary: 'A vet goes on or off duty; said again it means that they are still there',
  access: ['vet'],
  input: z.object({ on: z.boolean() }),
  output: z.object({ since: z.nullable(isoTime) }),
})

/** A vet on duty who says nothing for this long is gone: their cases go back to the line. */
export const VET_GONE_MINUTES = 3

export const listDuty = call({
  method: 'GET',
  path: '/duty',
  summary: 'The vets on duty and how many cases each has',
  access: ['vet', 'admin'],
  input: nothing,
  output: z.array(z.object({ id: z.number(), name: z.string(), since: isoTime, cases: z.number() })),
})
