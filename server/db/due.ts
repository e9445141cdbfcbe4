import { gt, lte, or } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/**
 * Rows whose time has come. `furthest` is how many milliseconds ahead we set a time at most: one that is further ahead was
 * set while the clock was wrong, and would otherwise wait until then.
 */
export const isDue = (column: PgColumn, now: Date, furthest: number) =>
  or(lte(column, now), gt(column, new Date(now.getTime() + 2 * furthest)))!
