import { setTimeout as pause } from 'node:timers/promises'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type { Client } from 'pg'
import { waitedForLock } from './errors.ts'

/** An arbitrary number shared by all instances: the holder of this lock migrates. */
const MIGRATION_LOCK = 7_306_842
/** Another instance waiting inside a statement would hold up an index that is being built, so it asks again and again. */
const ASKS_AGAIN_AFTER = 250
/**
 * A statement that waits for a table's lock holds up every later query of that table. So a migration waits this long,
 * gives up, lets the others through and tries again.
 */
const LOCK_WAIT_S = 3
const RESTS = 2000
const TRIES = 60

/** Only waiting for a table's lock has a limit, not the work itself, nor waiting for another instance's migration. */
export async function migratePostgres(migrator: Client, migrationsFolder: string, casing: 'snake_case') {
  migrator.on('error', () => {})
  try {
    await migrator.connect()
    await lockMigrations(migrator)
    await buildIndexesAhead(migrator, readMigrationFiles({ migrationsFolder }))
    await migrator.query(`set lock_timeout = '${LOCK_WAIT_S}s'`)
    const database = drizzle(migrator, { casing })
    for (let tries = 1; ; tries++) {
      try {
        return await migrate(database, { migrationsFolder })
      } catch (error) {
        if (!waitedForLock(error) || tries === TRIES) throw error
        await pause(RESTS)
      }
    }
  } finally {
    // Ending the connection frees the lock even if the migration failed half-way.
    await migrator.end()
  }
}

async function lockMigrations(migrator: Client) {
  for (;;) {
    const { rows } = await migrator.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
      MIGRATION_LOCK,
    ])
    if (rows[0]!.held) return
    await pause(ASKS_AGAIN_AFTER)
  }
}

/** How a migration writes an index of a table that may be large. */
const BUILT_AHEAD = /^\s*create (?:unique )?index if not exists "(\w+)"/i
/** The table or column is new in the same update. */
const NOT_THERE_YET = ['42P01', '42703']

/**
 * Builds the indexes of coming migrations while the earlier version still writes, which takes a statement outside
 * a transaction. The migration finds them built; on a new database it builds them itself.
 */
async function buildIndexesAhead(migrator: Client, migrations: { sql: string[]; folderMillis: number }[]) {
  const { rows: known } = await migrator.query<{ yes: boolean }>(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as yes",
  )
  if (!known[0]!.yes) return
  const { rows: done } = await migrator.query<{ last: string | null }>(
    'select max(created_at) as last from drizzle.__drizzle_migrations',
  )
  const ahead = migrations.filter(({ folderMillis }) => folderMillis > Number(done[0]!.last))
  for (const statement of ahead.flatMap(({ sql }) => sql)) {
    const [, name] = BUILT_AHEAD.exec(statement) ?? []
    if (!name) continue
    // A start that was killed may have left this index half-built.
    const { rowCount: isBroken } = await migrator.query(
      'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
      [`"${name}"`],
    )
    if (isBroken) await migrator.query(`drop index concurrently "${name}"`)
    try {
      await migrator.query(statement.replace(/index if not exists/i, 'index concurrently if not exists'))
    } catch (error) {
      if (!NOT_THERE_YET.includes((error as { code?: string }).code ?? '')) throw error
    }
  }
}
