import { sql, type SQL } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import {
  type AnyPgColumn,
  check,
  customType,
  type ExtraConfigColumn,
  index,
  integer,
  type PgColumnBuilderBase,
  pgTable,
  type PgTableExtraConfigValue,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { type Currency, CURRENCY_IDS, REGION_IDS, type Region } from '#contract/regions.ts'

export const id = () => integer().primaryKey().generatedAlwaysAsIdentity()
/** The id of a row in another table. */
export const idOf = (column: () => AnyPgColumn) => integer().notNull().references(column)
export const time = () => timestamp({ withTimezone: true, precision: 3 })
export const createdAt = () => time().notNull().defaultNow()
export const region = () => text({ enum: REGION_IDS as [Region] }).notNull()
export const currency = () => text({ enum: CURRENCY_IDS as [Currency] }).notNull()
export const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })
/** All runs of three characters in a text, for finding words anywhere in it (decision 047). */
export const threes = (text: SQL) => sql`threes(lower(${text}))`
export const oneOf = (column: SQL | { name: string }, ...values: string[]) =>
  sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`

/** A table whose columns with a list of values take no other, in the database too. */
export const table = ((name: string, columns: Record<string, PgColumnBuilderBase>, also?: Also) =>
  pgTable(name, columns, (its) => [
    ...Object.values(its).flatMap((column) => {
      const { enumValues: values } = column['config'] as { enumValues?: string[] }
      return values ? check(`${name}_${toSnakeCase(column.name)}`, oneOf(column, ...values)) : []
    }),
    ...(also?.(its) ?? []),
  ])) as typeof pgTable
type Also = (columns: Record<string, ExtraConfigColumn>) => PgTableExtraConfigValue[]

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
