import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { CURRENCY_IDS, REGION_IDS } from '#contract/regions.ts'
import { id, time, createdAt, region, oneOf, currency } from './columns.ts'
import { users } from './accounts.ts'
import { subscriptions } from './memberships.ts'
import { coupons } from './coupons.ts'
import { consultations } from './consultations.ts'

/** A purchase is one row with states, written before the card is charged and finished by the clock if need be. */
export const purchases = pgTable(
  'purchases',
  {
    id: id(),
    /** What only the paying browser holds, by its hash. */
    tokenHash: text().notNull().unique(),
    kind: text().$type<'consult' | 'membership' | 'pet' | 'offer'>().notNull(),
    state: text()
      .$type<'quoted' | 'paying' | 'paid' | 'delivered' | 'refused' | 'released' | 'refunded'>()
      .notNull()
      .default('quoted'),
    region: region(),
    amount: integer().notNull(),
    currency: currency(),
    userId: integer().references(() => users.id),
    email: text().notNull(),
    /** The sender's key, or the card token where none was sent; the same key with another payload is refused. */
    idempotencyKey: text().notNull().unique(),
    payloadHash: text().notNull(),
    couponId: integer().references(() => coupons.id),
    promo: text(),
    order: jsonb().$type<object>().notNull(),
    stripeCustomer: text(),
    stripeIntent: text().unique(),
    stripeSubscription: text().unique(),
    /** The same card has the same one, whoever uses it. */
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
    check('purchases_kind', oneOf(t.kind, 'consult', 'membership', 'pet', 'offer')),
    check(
      'purchases_state',
      oneOf(t.state, 'quoted', 'paying', 'paid', 'delivered', 'refused', 'released', 'refunded'),
    ),
    check('purchases_region', oneOf(t.region, ...REGION_IDS)),
    check('purchases_currency', oneOf(t.currency, ...CURRENCY_IDS)),
    check('purchases_amount', sql`${t.amount} >= 0`),
    check(
      'purchases_paid',
      sql`${t.state} not in ('paid', 'delivered', 'refunded') or ${t.paidAt} is not null`,
    ),
    check('purchases_delivered', sql`${t.state} <> 'delivered' or ${t.deliveredAt} is not null`),
    index('purchases_due')
      .on(t.dueAt)
      .where(sql`due_at is not null`),
    index('purchases_user').on(t.userId),
  ],
)
