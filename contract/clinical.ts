import * as z from 'zod'
import { call } from './call.ts'
import { Consultation } from './consultations.ts'
import { sentenceOf } from './errors.ts'
import { changedText, id, isoTime, keyOf, nothing, optionalText, text, whole } from './fields.ts'
import * as lengths from './lengths.ts'
import { Pet } from './pets.ts'
import { PetRecord } from './records.ts'

/* What vets read and write about a case: the record, the note, the plan. */

/** How a consult ended, according to the vet. */
export const OUTCOMES = {
  home: 'Home care',
  own_vet: 'Own vet',
  sent_in: 'Sent in now',
  no_answer: 'No answer',
} as const
export type Outcome = keyof typeof OUTCOMES
const outcome = keyOf(OUTCOMES, sentenceOf('OUTCOME_MISSING'))

/** What a note must have before it is signed. */
export const missingIn = ({ summary, outcome }: { summary: string; outcome: Outcome | null }) => [
  ...(summary.trim() ? [] : ['the summary for the owner']),
  ...(outcome ? [] : ['the outcome']),
]

const version = whole(0)
const noteText = changedText(lengths.note)
const outcomeOrNone = outcome.nullable()

export const Note = z.object({
  history: z.string(),
  findings: z.string(),
  assessment: z.string(),
  /** The fields from here on are for the owner. */
  summary: z.string(),
  plan: z.string(),
  watch_for: z.string(),
  go_if: z.string(),
  outcome: outcomeOrNone,
  /** Grows with every change, so that two windows can't overwrite each other. */
  version: z.number(),
  saved_at: isoTime.nullable(),
  signed_at: isoTime.nullable(),
  signed_by: z.string().nullable(),
  /** Messages to the next vet, notes between vets, and additions after signing. */
  additions: z.array(
    z.object({
      kind: z.enum(['hand_over', 'private', 'addition']),
      by: z.string(),
      body: z.string(),
      at: isoTime,
    }),
  ),
})
export type Note = z.infer<typeof Note>

export const getRecord = call('GET', '/consultation/:id/record', {
  summary: "The pet's record and the clinical note, for vets and admins",
  access: ['vet', 'admin'],
  input: z.object({ id, why: optionalText(lengths.reason).optional() }),
  output: z.object({
    pet: Pet.nullable(),
    /** The pet's weights, allergies, medicines and conditions. */
    kept: PetRecord.nullable(),
    owner: z.object({ name: z.string(), mobile: z.string(), own_clinic: z.string(), is_member: z.boolean() }),
    /** Latest first, at most 20. */
    earlier: z.array(Consultation),
    note: Note,
  }),
})

export const saveNote = call('POST', '/consultation/:id/note', {
  summary:
    'Save the note while it is being typed; fields left out stay. Refused if another window has changed it since',
  access: ['vet'],
  input: z.object({
    id,
    version,
    history: noteText,
    findings: noteText,
    assessment: noteText,
    summary: noteText,
    plan: noteText,
    watch_for: noteText,
    go_if: noteText,
    outcome: outcomeOrNone.optional(),
  }),
  output: z.object({ version: z.number(), saved_at: isoTime }),
})

export const addToNote = call('POST', '/consultation/:id/note/add', {
  summary: 'Add to a signed note, which itself stays as it is',
  access: ['vet'],
  input: z.object({ id, body: text(lengths.issue) }),
  output: Note,
})

export const addPrivateNote = call('POST', '/consultation/:id/private-note', {
  summary: 'A note between vets, which the owner never sees',
  access: ['vet'],
  input: z.object({ id, body: text(lengths.handOver) }),
  output: Note,
})

export const endConsultation = call('POST', '/consultation/:id/end', {
  summary: 'Sign the note and end the consult; the owner gets the plan in the room and by mail',
  access: ['vet'],
  input: z.object({ id, version }),
  output: z.object({ emailed: z.array(z.string()) }),
})

export const sendSummary = call('POST', '/consultation/consultSummary/:consultationId', {
  summary: 'Write the plan and mail it to the owner and, where they agreed, to their own clinic',
  access: ['vet', 'admin'],
  input: z.object({
    consultationId: id,
    summary: text(lengths.note, sentenceOf('SUMMARY_MISSING')),
    plan: noteText,
    watchFor: noteText,
    goIf: noteText,
  }),
  output: z.object({ emailed: z.array(z.string()) }),
})

/** Placeholders that are filled in automatically. The vet has to replace anything else in braces before sending. */
export const REPLY_WORDS = ['owner', 'pet', 'vet', 'he', 'him', 'his', 'clinic'] as const

const Reply = z.object({
  id: z.number(),
  title: z.string(),
  body: z.string(),
  /** The vet's own, rather than a shared one. */
  own: z.boolean(),
})

export const listReplies = call('GET', '/replies', {
  summary: "Replies for the message box: the vet's own, then the shared ones",
  access: ['vet', 'admin'],
  input: nothing,
  output: z.array(Reply),
})

export const saveReply = call('POST', '/replies', {
  summary: "A vet's own reply; with an id it changes that one",
  access: ['vet'],
  input: z.object({ id: id.optional(), title: text(lengths.name), body: text(lengths.reply) }),
  output: z.array(Reply),
})

export const removeReply = call('POST', '/replies/remove', {
  summary: "Delete one of the vet's own replies",
  access: ['vet'],
  input: z.object({ id }),
  output: z.array(Reply),
})
