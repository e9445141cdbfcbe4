import { Column, getTableName, is, SQL, Subquery } from 'drizzle-orm'

interface Decoder {
  mapFromDriverValue: (value: unknown) => unknown
}
interface Place {
  path: string[]
  field: unknown
}
/** What the library knows of a prepared statement: where the columns of its rows go, and which joined tables are always there. */
interface Statement {
  fields?: Place[]
  joinsNotNullableMap?: Record<string, boolean>
  customResultMapper?: (rows: unknown[][]) => unknown[]
}
type Read = (row: unknown[]) => unknown

/** The same rows, read by functions that are made once for the statement: the library asks again what each column is in every row. */
export function readSwiftly<S extends object>(statement: S): S {
  const { fields, joinsNotNullableMap } = statement as Statement
  if (fields?.every(({ path }) => path.length <= 2)) {
    const read = readerOf(fields, joinsNotNullableMap)
    ;(statement as Statement).customResultMapper = (rows) => rows.map(read)
  }
  return statement
}

function readerOf(fields: Place[], always: Record<string, boolean> = {}): Read {
  const names = [...new Set(fields.map(({ path }) => path[0]!))]
  const parts = names.map((name): Read => {
    const own = fields.flatMap(({ path, field }, at) =>
      path[0] === name ? [{ key: path[1], field, at }] : [],
    )
    const reads = own.map(({ field, at }): Read => {
      const decoder = decoderOf(field)
      return (row) => (row[at] === null ? null : decoder.mapFromDriverValue(row[at]))
    })
    if (own[0]!.key === undefined) return reads[0]!
    const read = objectOf(
      own.map(({ key }) => key!),
      reads,
    )
    // Of a row that the other side of a join does not have, the first column is null.
    const columns = own.filter(({ field }) => is(field, Column))
    const tables = new Set(columns.map(({ field }) => getTableName((field as Column).table)))
    const [table] = tables
    if (table === undefined || tables.size > 1 || always[table]) return read
    const { at } = columns[0]!
    return (row) => (row[at] === null ? null : read(row))
  })
  return objectOf(names, parts)
}

const objectOf =
  (names: string[], reads: Read[]): Read =>
  (row) => {
    const made: Record<string, unknown> = {}
    for (let at = 0; at < names.length; at++) made[names[at]!] = reads[at]!(row)
    return made
  }

function decoderOf(field: unknown): Decoder {
  if (is(field, Column)) return field
  if (is(field, SQL)) return (field as unknown as { decoder: Decoder }).decoder
  const { sql } = is(field, Subquery) ? field._ : (field as SQL.Aliased)
  return (sql as unknown as { decoder: Decoder }).decoder
}
