import * as z from 'zod'
import { call } from './call.ts'
import { checkInAnswer } from './consultations.ts'
import { sentenceOf } from './errors.ts'
import { agreement, id, isoTime, nothing, text } from './fields.ts'
import * as lengths from './lengths.ts'

/* What follows a consult: how the pet is, reopening, the owner's own clinic, the plan as a PDF. */

export const checkIn = call('POST', '/consultation/:id/check-in', {
  summary: 'How the pet is a day after the consult; a later answer replaces an earlier one',
  access: ['owner', 'guest'],
  input: z.object({ id, answer: checkInAnswer }),
  output: nothing,
})

export const reopenConsultation = call('POST', '/consultation/:id/reopen', {
  summary:
    'Reopen a consult once, free of charge, within 48 hours: it returns to the queue with the same pet. A repeated call returns the same consult',
  access: ['owner', 'guest'],
  input: z.object({ id, query: text(lengths.issue, sentenceOf('CONSULT_DETAILS_MISSING')) }),
  /** The token is for guests only. */
  output: z.object({ consultation: z.object({ id: z.number() }), token: z.string().nullable() }),
})

export const findClinics = call('GET', '/clinic-names', {
  summary: 'Clinics whose name or town begins with a text, for an owner to choose their own',
  access: ['owner', 'guest'],
  input: z.object({ q: text(lengths.search) }),
  output: z.array(z.object({ id: z.number(), clinic: z.string(), address: z.string() })),
})

export const chooseClinic = call('POST', '/consultation/:id/clinic', {
  summary:
    'The owner agrees to share the summary with their own clinic, with or without their pictures, or stops sharing',
  access: ['owner', 'guest'],
  input: z.object({
    id,
    clinic: id.nullable(),
    ...agreement,
    agreed: z.boolean(),
    /** Also share the pictures that the owner sends in this consult. */
    pictures: z.boolean().optional(),
  }),
  output: nothing,
})

const SHARE_STEPS = ['shared', 'told', 'accepted', 'taken back'] as const
export type ShareStep = (typeof SHARE_STEPS)[number]

export const listShares = call('GET', '/consultation/:id/shares', {
  summary: 'What the owner shared with clinics and when, and the clinic that is probably theirs',
  access: ['owner', 'guest'],
  input: z.object({ id }),
  output: z.object({
    /** Latest first. */
    steps: z.array(
      z.object({ step: z.enum(SHARE_STEPS), clinic: z.string(), pictures: z.boolean(), at: isoTime }),
    ),
    /** Whether the clinic sees the pictures now. */
    pictures: z.boolean(),
    /** The clinic that they shared an earlier consult with, or the one in their profile. */
    probably: z.object({ id: z.number(), clinic: z.string(), address: z.string() }).nullable(),
  }),
})

export const getPlanFile = call('GET', '/consultation/:id/plan', {
  summary: "The address of the vet's plan as a PDF, good until the end of the next day",
  access: ['owner', 'guest', 'vet', 'admin'],
  files: 'opened',
  input: z.object({ id }),
  output: z.object({ url: z.string() }),
})
