import { sql } from 'drizzle-orm'
import { check, date, index, integer, text } from 'drizzle-orm/pg-core'
import { CLAIM_STATES } from '#contract/claims.ts'
import { users } from './accounts.ts'
import { createdAt, currency, id, idOf, time, table } from './columns.ts'
import { uploads, pets } from './pets.ts'
import { subscriptions } from './memberships.ts'

export const claims = table(
  'claims',
  {
    id: id(),
    petId: idOf(() => pets.id),
    subscriptionId: idOf(() => subscriptions.id),
    incident: text().notNull(),
    happenedOn: date().notNull(),
    amount: integer().notNull(),
    currency: currency(),
    wouldPay: integer().notNull(),
    uploadId: idOf(() => uploads.id),
    state: text({ enum: CLAIM_STATES }).notNull().default('received'),
    decision: text().notNull().default(''),
    /** What the insurer paid; 0 if it declined. */
    paid: integer(),
    decidedAt: time(),
    decidedBy: integer().references(() => users.id),
    createdAt: createdAt(),
  },
  (t) => [
    check('claims_money', sql`${t.amount} > 0 and ${t.wouldPay} >= 0`),
    check(
      'claims_decided',
      sql`num_nulls(${t.paid}, ${t.decidedAt}, ${t.decidedBy}) = case when ${t.state} = 'decided' then 0 else 3 end`,
    ),
    check('claims_paid', sql`${t.paid} between 0 and ${t.amount}`),
    index('claims_pet').on(t.petId),
  ],
)
