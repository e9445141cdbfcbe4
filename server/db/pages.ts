import { lt } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** What comes after a page that ended here, where ids fall. */
export const after = (id: PgColumn, cursor: number | undefined) =>
  cursor === undefined ? undefined : lt(id, cursor)

/** A page of rows, of which one more was asked for, and where the next begins. */
export const paged = <Row extends { id: number }>(rows: Row[], size: number) => ({
  page: rows.slice(0, size),
  next: rows.length > size ? rows[size - 1]!.id : null,
})
