import * as z from 'zod/mini'
import { call } from './call.ts'
import { words } from './errors.ts'
import { id, idOf, isoTime, text } from './fields.ts'

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
  portalDetail: z.object({
    clinic_notified_at: z.nullable(isoTime),
    clinic_accepted_at: z.nullable(isoTime),
  }),
})
export type Consultation = z.infer<typeof Consultation>

const ISSUE_LENGTH = 4000
/** The same question within this time is the same consultation: a second press asks nothing twice. */
export const SAME_WITHIN_SECONDS = 60

const missing = words('CONSULT_DETAILS_MISSING')

export const listConsultations = call({
  method: 'GET',
  path: '/consultation',
  summary: "The owner's consultations, newest first",
  access: ['owner'],
  input: z.object({
    cursor: z.optional(id),
    limit: z._default(z.pipe(id, z.int().check(z.maximum(100))), 50),
  }),
  output: z.object({
    consultations: z.array(Consultation),
    /** Where the next page begins. */
    next: z.nullable(z.number()),
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
