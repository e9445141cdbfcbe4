import { sql } from 'drizzle-orm'
import { check, integer, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { createdAt, id, idOf, time, table } from './columns.ts'

/** A person's second factor, starting with its first scan. */
export const factors = table(
  'factors',
  {
    userId: idOf(() => users.id).primaryKey(),
    /** Encrypted with a key made from SECRET. */
    secret: text().notNull(),
    /** The half minute of the latest accepted code. That code and earlier ones are refused. */
    lastStep: integer().notNull().default(0),
    createdAt: createdAt(),
    /** Set once a code from the app was right. */
    checkedAt: time(),
    /** Set once sign-ins ask for a code. */
    onAt: time(),
  },
  (t) => [check('factors_on_after_check', sql`${t.onAt} is null or ${t.checkedAt} is not null`)],
)

/** Recovery codes by their keyed hash; each replaces the app once. */
export const recoveryCodes = table(
  'recovery_codes',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => factors.userId, { onDelete: 'cascade' }),
    codeHash: text().notNull(),
    usedAt: time(),
  },
  (t) => [uniqueIndex('recovery_codes_code').on(t.userId, t.codeHash)],
)
