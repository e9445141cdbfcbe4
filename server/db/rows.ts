import { Column, getTableName, is, SQL, Subquery } from 'drizzle-orm'

interface Decoder {
  mapFromDriverValue: (value: unknown) => unknown
}
interface Place {
  path: string[]
  field: unknown
}
/** The library's private fields of a prepared statement: where its columns go, and which joined tables always have a row. */
interface Statement {
  fields?: Place[]
  joinsNotNullableMap?: Record<string, boolean>
  customResultMapper?: (rows: unknown[][]) => unknown[]
}
type Read = (row: unknown[]) => unknown

/** Reads the same rows, with functions made once per statement. The library works out every column again for each row. */
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
    // If a join found no row, its first column is null.
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
