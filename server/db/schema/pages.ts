import { pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, time } from './columns.ts'

/** Scripts, styles and fonts of the builds that ran lately, so that every instance has those of pages from another. */
export const pageFiles = pgTable('page_files', {
  name: text().primaryKey(),
  content: bytes().notNull(),
  /** Compressed, where that pays. */
  brotli: bytes(),
  /** When an instance of its build last ran. */
  usedAt: time().notNull(),
})
