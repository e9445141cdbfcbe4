import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, text } from 'drizzle-orm/pg-core'
import { createdAt, currency, id, indexWhere, region, time, table } from './columns.ts'
import { users } from './accounts.ts'
import { subscriptions } from './memberships.ts'
import { coupons } from './coupons.ts'
import { consultations } from './consultations.ts'

const STATES = ['quoted', 'paying', 'paid', 'delivered', 'refused', 'released', 'refunded'] as const

/** A purchase is one row with states, stored before the card is charged and finished by a job if necessary. */
export const purchases = table(
  'purchases',
  {
    id: id(),
    /** The hash of a token that only the paying browser has. */
    tokenHash: text().notNull().unique(),
    kind: text({ enum: ['consult', 'membership', 'pet', 'offer'] }).notNull(),
    state: text({ enum: STATES }).notNull().default('quoted'),
    region: region(),
    amount: integer().notNull(),
    currency: currency(),
    userId: integer().references(() => users.id),
    email: text().notNull(),
    /** The sender's key, or the card's token if none was sent. The same key with other input is refused. */
    idempotencyKey: text().notNull().unique(),
    payloadHash: text().notNull(),
    couponId: integer().references(() => coupons.id),
    promo: text(),
    order: jsonb().$type<object>().notNull(),
    stripeCustomer: text(),
    stripeIntent: text().unique(),
    stripeSubscription: text().unique(),
    /** The same card always has the same fingerprint, for every customer. */
    cardFingerprint: text(),
    consultationId: integer()
      .unique()
      .references(() => consultations.id),
    subscriptionId: integer()
      .unique()
      .references(() => subscriptions.id),
    createdAt: createdAt(),
    paidAt: time(),
    deliveredAt: time(),
    dueAt: time(),
    attempts: integer().notNull().default(0),
  },
  (t) => [
    check('purchases_amount', sql`${t.amount} >= 0`),
    check(
      'purchases_paid',
      sql`${t.state} not in ('paid', 'delivered', 'refunded') or ${t.paidAt} is not null`,
    ),
    check('purchases_delivered', sql`${t.state} <> 'delivered' or ${t.deliveredAt} is not null`),
    indexWhere('purchases_due', 'due_at is not null', t.dueAt),
    index('purchases_user').on(t.userId),
    index('purchases_email_begins').on(sql`${t.email} text_pattern_ops`),
    indexWhere('purchases_coupon', 'coupon_id is not null', t.couponId),
    indexWhere('purchases_unfinished', "state in ('paying', 'paid')", t.id),
  ],
)
