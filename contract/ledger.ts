import * as z from 'zod'
import { call } from './call.ts'
import { words } from './errors.ts'
import { currency, id, isoTime, nothing, optionalText, text, whole } from './fields.ts'
import * as lengths from './lengths.ts'
import { REGION_IDS } from './regions.ts'

/* Every cent in and out, and its receipts. */

/** What money was paid for, as receipts name it. */
export const PAID_FOR = {
  textConsult: 'Text consult about {pet}',
  videoConsult: 'Video consult about {pet}',
  someTextConsult: 'Text consult with a vet',
  someVideoConsult: 'Video consult with a vet',
  membership: 'Membership',
  annual: 'Yearly membership',
  monthly: 'Monthly membership',
  renewal: 'Renewal of the membership',
  annualRenewal: 'Renewal of the yearly membership',
  monthlyRenewal: 'Renewal of the monthly membership',
} as const
export type PaidFor = keyof typeof PAID_FOR

const Entry = z.object({
  /** Also the receipt's number. */
  id: z.number(),
  at: isoTime,
  /** A dispute takes a charge away from us and, once won, returns it; a failed refund returns to us. */
  kind: z.enum(['charge', 'refund', 'refund_failed', 'dispute', 'dispute_won']),
  /** Negative for money out. */
  amount: z.number(),
  currency,
  region: z.enum(REGION_IDS),
  email: z.string(),
  what: z.string(),
  consultation_id: z.number().nullable(),
  subscription_id: z.number().nullable(),
  /** How much of a charge was refunded, is being refunded, or was taken away by a dispute. */
  refunded: z.number(),
})

export const listLedger = call({
  method: 'GET',
  path: '/ledger',
  summary: 'Every movement of money, newest first, by email or number',
  access: ['admin'],
  input: z.object({ q: optionalText(lengths.email).optional(), cursor: id.optional() }),
  output: z.object({ entries: z.array(Entry), next: z.number().nullable() }),
})

export const refundCharge = call({
  method: 'POST',
  path: '/ledger/:id/refund',
  summary: 'Refund a charge in full or in part, with the reason; the same key refunds once',
  access: ['admin'],
  idempotent: true,
  input: z.object({
    id,
    /** Without it, everything that is left of the charge. */
    amount: whole(1).nullish(),
    reason: text(300, words('REFUND_REASON_MISSING')),
  }),
  output: Entry,
})

export const listReceipts = call({
  method: 'GET',
  path: '/receipts',
  summary: "The person's own charges and refunds, each with the address of its receipt, newest first",
  access: ['owner', 'guest'],
  input: nothing,
  output: z.array(
    z.object({
      id: z.number(),
      number: z.string(),
      at: isoTime,
      kind: z.enum(['charge', 'refund']),
      amount: z.number(),
      currency,
      paid_for: z.enum(Object.keys(PAID_FOR) as PaidFor[]),
      pet: z.string().nullable(),
      /** Opens the PDF until the end of the next day. */
      url: z.string(),
    }),
  ),
})
