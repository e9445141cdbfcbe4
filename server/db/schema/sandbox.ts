import { bigint, index, integer, jsonb, smallint, text } from 'drizzle-orm/pg-core'
import { createdAt, id, indexWhere, time, table } from './columns.ts'

/** The payment provider's data while the sandbox replaces it. */
export const sandboxObjects = table(
  'sandbox_objects',
  {
    id: text().primaryKey(),
    object: text().notNull(),
    customer: text(),
    /** When the provider's jobs next have to handle it. */
    dueAt: time(),
    data: jsonb().$type<object>().notNull(),
    at: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  },
  (t) => [
    index('sandbox_objects_customer').on(t.object, t.customer),
    indexWhere('sandbox_objects_due', 'due_at is not null', t.dueAt),
  ],
)

/** Answers by the sender's key: the same request again gets the same answer. */
export const sandboxAnswers = table('sandbox_answers', {
  key: text().primaryKey(),
  payloadHash: text().notNull(),
  status: smallint(),
  body: jsonb().$type<Record<string, unknown>>(),
  at: createdAt(),
})

/** Events to be delivered to our own endpoint. */
export const sandboxDeliveries = table(
  'sandbox_deliveries',
  {
    id: id(),
    eventId: text().notNull(),
    event: jsonb().$type<object>().notNull(),
    dueAt: time().notNull(),
    attempts: integer().notNull().default(0),
    deliveredAt: time(),
  },
  (t) => [indexWhere('sandbox_deliveries_due', 'delivered_at is null', t.dueAt)],
)

export const sandboxFaults = table('sandbox_faults', {
  id: id(),
  call: text().notNull(),
  fault: text().notNull(),
  left: integer().notNull(),
})
