import * as z from 'zod'
import { call } from './call.ts'
import { sentenceOf } from './errors.ts'
import { currency, id, isoTime, nothing, optionalText, text, whole } from './fields.ts'
import * as lengths from './lengths.ts'
import { type Currency, REGION_IDS } from './regions.ts'

/* Every cent in and out, and its receipts. */

/** What money was paid for, as receipts name it. */
export const PAID_FOR = {
  textConsult: 'Text consult about {pet}',
  videoConsult: 'Video consult about {pet}',
  someTextConsult: 'Text consult with a vet',
  someVideoConsult: 'Video consult with a vet',
  membership: 'Membership',
  annual: 'Annual membership',
  monthly: 'Monthly membership',
  renewal: 'Renewal of the membership',
  annualRenewal: 'Renewal of the annual membership',
  monthlyRenewal: 'Renewal of the monthly membership',
} as const
export type PaidFor = keyof typeof PAID_FOR

export const LedgerEntry = z.object({
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
  /** How much of a charge was refunded or is being refunded. */
  refunded: z.number(),
  /** How much of a charge the payer's bank has taken back. */
  disputed: z.number(),
})

/** How much of a charge can still be refunded. A bank may take back what was already refunded. */
export const leftOf = ({
  amount,
  refunded,
  disputed,
}: Pick<z.infer<typeof LedgerEntry>, 'amount' | 'refunded' | 'disputed'>) =>
  Math.max(0, amount - refunded - disputed)

export const listLedger = call('GET', '/ledger', {
  summary:
    'Every movement of money, newest first; q searches by receipt number, amount, or the beginning of an email or name',
  access: ['admin'],
  input: z.object({
    q: optionalText(lengths.email).optional(),
    cursor: id.optional(),
  }),
  output: z.object({
    entries: z.array(LedgerEntry),
    next: z.number().nullable(),
    /** More people match than a search looks at; typing more of the name finds the rest. */
    only_some: z.boolean(),
  }),
})

/** A refund that somebody else made of the same charge meanwhile, in the body of the refusal. */
export interface LastRefund {
  amount: number
  /** Null for one that VetChat made automatically. */
  by: string | null
}

/** A refund above this needs the password again. In minor units. */
export const REFUND_ASKS_PASSWORD = { zar: 1000_00, aud: 100_00 } as const satisfies Record<Currency, number>

export const refundCharge = call('POST', '/ledger/:id/refund', {
  summary: 'Refund a charge in full or in part, with the reason; the same key refunds once',
  access: ['admin'],
  /** For refunds above REFUND_ASKS_PASSWORD. */
  again: 'sometimes',
  idempotent: true,
  input: z.object({
    id,
    /** Without it, the rest of the charge is refunded. */
    amount: whole(1).nullish(),
    reason: text(300, sentenceOf('REFUND_REASON_MISSING')),
  }),
  output: LedgerEntry,
})

export const listFailedRefunds = call('GET', '/refunds/failed', {
  summary:
    'Refunds that the provider refused or the bank returned, and that nobody has sent again, newest first',
  access: ['admin'],
  input: z.object({ cursor: id.optional() }),
  output: z.object({
    refunds: z.array(
      z.object({
        id: z.number(),
        amount: z.number(),
        /** Refused by the provider straight away, or returned by the bank later. */
        came_back: z.enum(['refused', 'returned']),
        reason: z.string(),
        at: isoTime,
        charge: LedgerEntry,
      }),
    ),
    next: z.number().nullable(),
  }),
})

export const payRefundByHand = call('POST', '/refunds/:id/by-hand', {
  summary: 'Note that a failed refund was paid another way; it counts as refunded from then on',
  access: ['admin'],
  input: z.object({ id, how: text(300, sentenceOf('REFUND_HOW_MISSING')) }),
  output: nothing,
})

export const listDisputes = call('GET', '/disputes', {
  summary:
    'Disputes and inquiries of payers at their banks: those that need an answer, soonest first, then the others, newest first',
  access: ['admin'],
  input: z.object({ cursor: id.optional() }),
  output: z.object({
    disputes: z.array(
      z.object({
        id: z.number(),
        at: isoTime,
        amount: z.number(),
        /** An inquiry (asked) takes no money. */
        stands: z.enum(['asked', 'open', 'won', 'lost']),
        needs_answer: z.boolean(),
        answer_by: isoTime.nullable(),
        charge: LedgerEntry,
      }),
    ),
    next: z.number().nullable(),
  }),
})

export const listReceipts = call('GET', '/receipts', {
  summary: "The person's own charges and refunds, each with the address of its receipt, newest first",
  access: ['owner', 'guest'],
  input: nothing,
  output: z.array(
    z.object({
      id: z.number(),
      number: z.string(),
      at: isoTime,
      kind: z.enum(['charge', 'refund']),
      /** The seller has a tax number, so the receipt of this charge is a tax invoice. */
      tax_invoice: z.boolean(),
      amount: z.number(),
      currency,
      paid_for: z.enum(Object.keys(PAID_FOR) as PaidFor[]),
      pet: z.string().nullable(),
      /** Opens the PDF until the end of the next day. */
      url: z.string(),
    }),
  ),
})
