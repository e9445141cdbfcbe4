import { sql, type SQL } from 'drizzle-orm'
import {
  type AnyPgColumn,
  customType,
  index,
  integer,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { Currency, Region } from '#contract/regions.ts'

export const id = () => integer().primaryKey().generatedAlwaysAsIdentity()
/** The id of a row in another table. */
export const idOf = (column: () => AnyPgColumn) => integer().notNull().references(column)
export const time = () => timestamp({ withTimezone: true, precision: 3 })
export const createdAt = () => time().notNull().defaultNow()
export const region = () => text().$type<Region>().notNull()
export const currency = () => text().$type<Currency>().notNull()
export const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })
/** All runs of three characters in a text, for finding words anywhere in it (decision 047). */
export const threes = (text: SQL) => sql`threes(lower(${text}))`
export const oneOf = (column: SQL | { name: string }, ...values: string[]) =>
  sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`

type Indexed = [first: AnyPgColumn | SQL, ...more: AnyPgColumn[]]
/** An index of the rows that fulfil a condition. */
export const indexWhere = (name: string, condition: string, ...columns: Indexed) =>
  index(name)
    .on(...columns)
    .where(sql.raw(condition))
export const uniqueWhere = (name: string, condition: string, ...columns: Indexed) =>
  uniqueIndex(name)
    .on(...columns)
    .where(sql.raw(condition))
