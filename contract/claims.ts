import * as z from 'zod'
import { call } from './call.ts'
import { sentenceOf } from './errors.ts'
import {
  changedText,
  currency,
  file,
  id,
  idOf,
  isoDate,
  isoTime,
  keyOf,
  nothing,
  optionalText,
  sentTime,
  whole,
} from './fields.ts'
import * as lengths from './lengths.ts'
import { REGIONS, type Region } from './regions.ts'

/* PawCare claims: owners send them with the vet's invoice, and admins record what the insurer decided. */

export const INCIDENTS = {
  vehicle: 'Motor vehicle incident',
  snake: 'Snake bite toxicity',
  tick: 'Tick paralysis',
  swallowed: 'Foreign object ingestion',
  poisoning: 'Poisoning',
  heartworm: 'Heartworm',
  ehrlichiosis: 'Ehrlichiosis',
} as const
export type Incident = keyof typeof INCIDENTS

export const CLAIM_STATES = ['received', 'sent', 'decided'] as const

export const INVOICE_BYTES = 10 * 1024 * 1024

/** What PawCare would pay: the bill minus the excess, up to what is left of the year's limit. */
export const claimPays = (region: Region, amount: number, paidThisYear: number): number => {
  const { excess, yearly } = REGIONS[region].pawcare
  return Math.max(0, Math.min(amount - excess, yearly - paidThisYear))
}

export const Claim = z.object({
  id: z.number(),
  pet: z.object({ id: z.number(), name: z.string() }),
  incident: keyOf(INCIDENTS),
  happened_on: isoDate,
  amount: z.number(),
  currency,
  would_pay: z.number(),
  state: z.enum(CLAIM_STATES),
  /** What the insurer paid: null until it has decided, 0 if it declined. */
  paid: z.number().nullable(),
  /** What we wrote to the owner about the decision. */
  decision: z.string(),
  at: isoTime,
})
export type Claim = z.infer<typeof Claim>

const missing = sentenceOf('CLAIM_DETAILS_MISSING')

export const listClaims = call('GET', '/claims', {
  summary: 'The claims of an owner, newest first, and how a claim is made',
  access: ['owner'],
  input: nothing,
  output: z.object({
    claims: z.array(Claim),
    /** Whether we send claims to the insurer; if not, the page explains how to claim by hand. */
    sent_from_here: z.boolean(),
    /** For each pet, how many claims it has in this membership year, and how much of the year's limit they use up. */
    used: z.array(z.object({ pet_id: z.number(), paid: z.number(), incidents: z.number() })),
  }),
})

export const makeClaim = call('POST', '/claims', {
  summary: 'Send a PawCare claim with the invoice of the vet to the insurer',
  access: ['owner'],
  upload: { maxBytes: INVOICE_BYTES },
  input: z.object({
    pet_id: idOf(missing),
    incident: keyOf(INCIDENTS, missing),
    happened_on: isoDate,
    /** In minor units. */
    amount: idOf(sentenceOf('CLAIM_AMOUNT_WRONG')),
    invoice: file,
  }),
  output: Claim,
})

const AdminsClaim = Claim.extend({
  owner: z.object({
    id: z.number(),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    /** An owner who deleted their account hears from the insurer, not from us. */
    has_left: z.boolean(),
  }),
  /** The invoice's address, which works as long as the session lasts. */
  invoice: z.string(),
  decided: z.object({ at: isoTime, by: z.string() }).nullable(),
})
export type AdminsClaim = z.infer<typeof AdminsClaim>

export const listEveryClaim = call('GET', '/admin/claims', {
  summary:
    'PawCare claims of every owner, newest first; q searches by the beginning of an owner’s name or email, or of a pet’s name',
  access: ['admin'],
  files: 'opened',
  input: z.object({
    q: optionalText(lengths.email).optional(),
    state: z.enum(CLAIM_STATES).optional(),
    cursor: id.optional(),
  }),
  output: z.object({
    claims: z.array(AdminsClaim),
    next: z.number().nullable(),
    /** Whether claims are sent to the insurer; if not, owners claim by hand. */
    sent_from_here: z.boolean(),
  }),
})

export const decideClaim = call('POST', '/claims/:id/decide', {
  summary:
    'Record or correct what the insurer decided, and write to the owner; the same decision again changes nothing',
  access: ['admin'],
  input: z.object({
    id,
    /** In minor units; 0 if the insurer declined. */
    paid: whole(0),
    /** To the owner. Required if the insurer declined. */
    decision: changedText(lengths.decision),
    /** When the decision that the sender has seen was recorded; 409 if there is another one by now. */
    seen: sentTime.nullish(),
  }),
  output: AdminsClaim,
})
