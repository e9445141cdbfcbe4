import * as z from 'zod'
import { call } from './call.ts'
import { id, isoDate, isoTime, text } from './fields.ts'
import * as lengths from './lengths.ts'

/* What is known of a pet: its weights over time, and its allergies, medicines and conditions. */

export const FACT_KINDS = ['allergy', 'medicine', 'condition'] as const
export type FactKind = (typeof FACT_KINDS)[number]

export const LIGHTEST_KG = 0.005
export const HEAVIEST_KG = 1200

const Weight = z.object({
  id: z.number(),
  kg: z.number(),
  on: isoDate,
  /** On a vet's scale, rather than the owner's own or a guess. */
  scale: z.boolean(),
  by: z.string(),
})
export type Weight = z.infer<typeof Weight>

const Fact = z.object({
  id: z.number(),
  kind: z.enum(FACT_KINDS),
  name: z.string(),
  detail: z.string(),
  /** The vet's name; empty for the owner. */
  by: z.string(),
  at: isoTime,
})
export type Fact = z.infer<typeof Fact>

export const PetRecord = z.object({
  /** From the first to the latest. */
  weights: z.array(Weight),
  /** The facts that still apply. */
  facts: z.array(Fact),
  /** The kinds that the pet has none of, and who said so. For other kinds without facts, nobody was asked. */
  none: z.array(z.object({ kind: z.enum(FACT_KINDS), by: z.string(), at: isoTime })),
})
export type PetRecord = z.infer<typeof PetRecord>

/** A pet's owner, the guest of its consult, and a vet who has or had a consult about it. */
const close = ['owner', 'guest', 'vet'] as const

export const getPetRecord = call('GET', '/pet/:id/record', {
  summary: "A pet's weights, allergies, medicines and conditions",
  access: close,
  input: z.object({ id }),
  output: PetRecord,
})

export const addWeight = call('POST', '/pet/:id/weight', {
  summary: 'Record a weight; another one of the same day replaces it',
  access: close,
  input: z.object({
    id,
    kg: z.coerce.number().min(LIGHTEST_KG).max(HEAVIEST_KG),
    on: isoDate.optional(),
    scale: z.boolean().default(false),
  }),
  output: PetRecord,
})

export const removeWeight = call('POST', '/pet/:id/weight/remove', {
  summary: 'Undo a weight that was just added',
  access: close,
  input: z.object({ id, weight: id }),
  output: PetRecord,
})

export const addFact = call('POST', '/pet/:id/fact', {
  summary: 'Record an allergy, a medicine in use or a condition; the same one again changes its details',
  access: close,
  input: z.object({
    id,
    kind: z.enum(FACT_KINDS),
    name: text(lengths.fact),
    detail: z.string().max(lengths.fact).default(''),
  }),
  output: PetRecord,
})

export const recordNone = call('POST', '/pet/:id/none', {
  summary: 'Record that the pet has none of a kind, as far as is known; earlier entries end',
  access: close,
  input: z.object({ id, kind: z.enum(FACT_KINDS) }),
  output: PetRecord,
})

export const endFact = call('POST', '/pet/:id/fact/end', {
  summary: 'End an allergy, a medicine or a condition; it stays in the history',
  access: close,
  input: z.object({ id, fact: id }),
  output: PetRecord,
})
