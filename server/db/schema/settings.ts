import { jsonb, text } from 'drizzle-orm/pg-core'
import { time, table } from './columns.ts'

/** Single values, such as the announcement and the content's version. */
export const settings = table('settings', {
  key: text().primaryKey(),
  value: jsonb().$type<unknown>().notNull(),
  changedAt: time().notNull().defaultNow(),
})
