import { eq } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { fail } from '#contract/errors.ts'
import type { Db } from './client.ts'

/** Removing something again changes nothing. Removing what never was there is a mistake. */
export async function wasThere({ db }: { db: Db }, table: PgTable & { id: PgColumn }, id: number) {
  const rows = await db.select({ id: table.id }).from(table).where(eq(table.id, id))
  return rows.length > 0 ? {} : fail('NOT_FOUND')
}
