import * as z from 'zod'
import { call } from './call.ts'
import { words } from './errors.ts'
import { id, isoTime, nothing, optionalText, text, whole } from './fields.ts'
import { REGION_IDS } from './regions.ts'

/* Every cent in and out, and the papers that go with it. */

const Entry = z.object({
  /** Also the receipt's number. */
  id: z.number(),
  at: isoTime,
  /** A bank took a disputed charge back, and gave it back where that was won; a refund that failed came back to us. */
  kind: z.enum(['charge', 'refund', 'refund_failed', 'dispute', 'dispute_won']),
  /** Money out is below zero. */
  amount: z.number(),
  currency: z.enum(['zar', 'aud']),
  region: z.enum(REGION_IDS),
  email: z.string(),
  what: z.string(),
  consultation_id: z.number().nullable(),
  subscription_id: z.number().nullable(),
  /** What of a charge was paid back, is on its way back, or was taken back by a bank. */
  refunded: z.number(),
})

export const listLedger = call({
  method: 'GET',
  path: '/ledger',
  summary: 'Every movement of money, newest first, by email or number',
  access: ['admin'],
  input: z.object({ q: optionalText(254).optional(), cursor: id.optional() }),
  output: z.object({ entries: z.array(Entry), next: z.number().nullable() }),
})

export const refundCharge = call({
  method: 'POST',
  path: '/ledger/:id/refund',
  summary: 'Pay a charge back, whole or in part, with the reason; the same key pays back once',
  access: ['admin'],
  idempotent: true,
  input: z.object({
    id,
    /** Without it, all that is left of it. */
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
      currency: z.enum(['zar', 'aud']),
      what: z.string(),
      /** Opens the PDF until the end of the next day. */
      url: z.string(),
    }),
  ),
})
