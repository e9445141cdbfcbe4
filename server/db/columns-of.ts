import type { PgTable } from 'drizzle-orm/pg-core'

/** Columns of a table under their own names, for a select. */
export const columnsOf = <T extends PgTable, Name extends keyof T['_']['columns'] & keyof T>(
  table: T,
  ...names: Name[]
) => Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<T, Name>
