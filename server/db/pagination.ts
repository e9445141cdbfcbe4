import { lt } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** How many rows a page has. A query asks for one more, which says that there is another page. */
export const PAGE = 50

/** The rows after a page that ended at this id, in a list with the highest id first. */
export const after = (id: PgColumn, cursor: number | undefined) =>
  cursor === undefined ? undefined : lt(id, cursor)

/** A page of rows and where the next page begins. */
export const paged = <Row extends { id: number }>(rows: Row[]) => ({
  page: rows.slice(0, PAGE),
  next: rows.length > PAGE ? rows[PAGE - 1]!.id : null,
})
