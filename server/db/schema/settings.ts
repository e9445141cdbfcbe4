import { jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { time } from './columns.ts'

/** Single values, such as the announcement and the content's version. */
export const settings = pgTable('settings', {
  key: text().primaryKey(),
  value: jsonb().$type<unknown>().notNull(),
  changedAt: time().notNull().defaultNow(),
})
