import { sql } from 'drizzle-orm'
import { char, check, smallint, text } from 'drizzle-orm/pg-core'
import { createdAt, idOf, time, table } from './columns.ts'
import { users } from './accounts.ts'

/** A person's customer id at the payment provider. A guest's is stored with the purchase instead. */
export const customers = table('customers', {
  userId: idOf(() => users.id).primaryKey(),
  stripeCustomer: text().notNull().unique(),
  createdAt: createdAt(),
})

/** The card on file as the provider described it; its number never reaches us. */
export const cards = table(
  'cards',
  {
    userId: idOf(() => users.id).primaryKey(),
    stripePaymentMethod: text().notNull().unique(),
    brand: text().notNull(),
    last4: char({ length: 4 }).notNull(),
    expMonth: smallint().notNull(),
    expYear: smallint().notNull(),
    updatedAt: time().notNull().defaultNow(),
  },
  (t) => [check('cards_month', sql`${t.expMonth} between 1 and 12`)],
)

/** Events of the payment provider, each applied once. */
export const providerEvents = table('provider_events', {
  id: text().primaryKey(),
  type: text().notNull(),
  at: time().notNull(),
  receivedAt: createdAt(),
  appliedAt: time(),
})
