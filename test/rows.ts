import { and, eq, getTableColumns, isNull } from 'drizzle-orm'
import type { PgColumn, PgInsertValue, PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Db } from '#server/db/client.ts'

/** Reads and writes rows directly, for what a test isn't about and for what no call tells. */
export const rowsIn = (db: Db) => ({
  /** The rows with these values, by their first column, which is their id in most tables. */
  async rows<T extends PgTable>(table: T, values: Partial<T['$inferSelect']>): Promise<T['$inferSelect'][]> {
    const columns = getTableColumns(table)
    const same = Object.entries(values).map(([name, value]) =>
      value === null ? isNull(columns[name]!) : eq(columns[name]!, value),
    )
    return db
      .select()
      .from(table as PgTable)
      .where(and(...same))
      .orderBy(Object.values(columns)[0]!)
  },
  async add<T extends PgTable>(table: T, values: PgInsertValue<T>): Promise<T['$inferSelect']> {
    const [row] = await db.insert(table).values(values).returning()
    return row!
  },
  async change<T extends PgTable & { id: PgColumn }>(table: T, id: unknown, values: PgUpdateSetSource<T>) {
    await db.update(table).set(values).where(eq(table.id, id))
  },
})
