import { text } from 'drizzle-orm/pg-core'
import { bytes, time, table } from './columns.ts'

/** Scripts, styles and fonts of recent builds, so that every instance has those of pages from another. */
export const pageFiles = table('page_files', {
  name: text().primaryKey(),
  content: bytes().notNull(),
  /** Compressed, if that makes it smaller. */
  brotli: bytes(),
  /** When an instance of its build last ran. */
  usedAt: time().notNull(),
})
