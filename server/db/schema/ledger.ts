import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, text, type AnyPgColumn } from 'drizzle-orm/pg-core'
import { createdAt, currency, id, idOf, indexWhere, region, time, uniqueWhere, table } from './columns.ts'
import { users } from './accounts.ts'
import { subscriptions } from './memberships.ts'
import { purchases } from './purchases.ts'
import { consultations } from './consultations.ts'

/** Every cent in and out, once, with what it was for. Rows are added, and only the names in them change. */
export const ledger = table(
  'ledger',
  {
    id: id(),
    at: time().notNull(),
    /** A dispute takes money from us through the bank until we win it; a failed refund returns to us. */
    kind: text({ enum: ['charge', 'refund', 'refund_failed', 'dispute', 'dispute_won'] }).notNull(),
    /** Negative for money out. */
    amount: integer().notNull(),
    currency: currency(),
    region: region(),
    what: text({ enum: ['consult', 'membership', 'renewal'] }).notNull(),
    userId: integer().references(() => users.id),
    purchaseId: integer().references(() => purchases.id),
    subscriptionId: integer().references(() => subscriptions.id),
    consultationId: integer().references((): AnyPgColumn => consultations.id),
    /** For all other kinds, the charge that they are about. */
    chargeId: integer().references((): AnyPgColumn => ledger.id),
    /** The provider's id of this movement: a payment intent, a refund or a dispute, with a suffix for money that returned. */
    stripeId: text().notNull().unique(),
    /** The seller that the receipt names for good; for a refund, the seller of its charge. Null in older rows. */
    seller: jsonb().$type<{ name: string | null; taxNumber: string | null; taxPercent: number }>(),
    /** The names that the receipt was mailed with; of a refund, those of the receipt that it refunds. */
    said: jsonb().$type<{ payer: string | null; pet: string | null }>(),
  },
  (t) => [
    check(
      'ledger_direction',
      sql`(${t.amount} > 0) = (${t.kind} in ('charge', 'refund_failed', 'dispute_won')) and ${t.amount} <> 0
        and (${t.kind} = 'charge') = (${t.chargeId} is null)`,
    ),
    check('ledger_for_something', sql`${t.purchaseId} is not null or ${t.subscriptionId} is not null`),
    // For the latest entries of a person, a purchase or a consult.
    index('ledger_of_user').on(t.userId, t.id),
    index('ledger_of_purchase').on(t.purchaseId, t.id),
    index('ledger_of_consultation').on(t.consultationId, t.id),
    index('ledger_subscription').on(t.subscriptionId),
    index('ledger_charge').on(t.chargeId),
    // Sums over days come from the index alone.
    index('ledger_sums').on(t.at, t.region, t.currency, t.kind, t.amount),
    // Admins search by amount, whichever way the money went.
    index('ledger_amount').on(sql`abs(${t.amount})`, t.id),
    indexWhere('ledger_disputes', "kind in ('dispute', 'dispute_won')", t.id),
  ],
)

/** Refunds: stored first, then requested from the provider until they are done. */
export const refunds = table(
  'refunds',
  {
    id: id(),
    chargeId: idOf(() => ledger.id),
    amount: integer().notNull(),
    why: text({ enum: ['cancelled', 'late', 'undone', 'twice', 'by_us'] }).notNull(),
    reason: text().notNull().default(''),
    byUserId: integer().references(() => users.id),
    /** The sender's key: one press refunds once. */
    idempotencyKey: text().notNull().unique(),
    stripeRefund: text().unique(),
    createdAt: createdAt(),
    dueAt: time(),
    attempts: integer().notNull().default(0),
    doneAt: time(),
    /** When the bank returned a refund that was done. */
    failedAt: time(),
    /** When an admin sent the money another way, by whom and how. It counts as refunded. */
    paidByHandAt: time(),
    paidByHandBy: integer().references(() => users.id),
    paidByHandHow: text(),
  },
  (t) => [
    check('refunds_amount', sql`${t.amount} > 0`),
    check('refunds_failed', sql`${t.failedAt} is null or (${t.doneAt} is null and ${t.dueAt} is null)`),
    check('refunds_by', sql`(${t.why} = 'by_us') = (${t.byUserId} is not null)`),
    check(
      'refunds_paid_by_hand',
      sql`num_nulls(${t.paidByHandAt}, ${t.paidByHandBy}, ${t.paidByHandHow}) in (0, 3)
        and (${t.paidByHandAt} is null or (${t.doneAt} is null and ${t.dueAt} is null))`,
    ),
    index('refunds_charge').on(t.chargeId),
    indexWhere('refunds_not_made', 'done_at is null and due_at is null and paid_by_hand_at is null', t.id),
    indexWhere('refunds_due', 'due_at is not null', t.dueAt),
    uniqueWhere('refunds_by_itself_once', 'by_user_id is null', t.chargeId),
  ],
)

/** Disputes and inquiries as the payer's bank last had them. Money that they moved is in the ledger. */
export const disputes = table(
  'disputes',
  {
    id: id(),
    chargeId: idOf(() => ledger.id),
    stripeId: text().notNull().unique(),
    amount: integer().notNull(),
    at: time().notNull(),
    stands: text({ enum: ['asked', 'open', 'won', 'lost'] }).notNull(),
    needsAnswer: boolean().notNull(),
    answerBy: time(),
  },
  (t) => [
    check('disputes_amount', sql`${t.amount} > 0`),
    check('disputes_needs_answer', sql`not ${t.needsAnswer} or ${t.stands} in ('asked', 'open')`),
    index('disputes_charge').on(t.chargeId),
    indexWhere('disputes_waiting', 'needs_answer', t.answerBy),
  ],
)
