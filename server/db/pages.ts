import { lt } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** The rows after a page that ended at this id, in a list with falling ids. */
export const after = (id: PgColumn, cursor: number | undefined) =>
  cursor === undefined ? undefined : lt(id, cursor)

/** A page of rows and where the next page begins. The query must ask for one row more than a page has. */
export const paged = <Row extends { id: number }>(rows: Row[], size: number) => ({
  page: rows.slice(0, size),
  next: rows.length > size ? rows[size - 1]!.id : null,
})
