import { createHash } from 'node:crypto'
import { mkdirSync, realpathSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { Client, Pool } from 'pg'
import { ROOT } from '../places.ts'
import { readSwiftly } from './rows.ts'
import * as schema from './schema.ts'

/** The only type that the rest of the code sees, for either database. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>

export interface Database {
  db: Db
  /** Null with the embedded database. */
  pool: Pool | null
  /** Listens to a channel. After a broken connection it calls `heard` without words, since something may have been missed. */
  listen: (channel: string, heard: (words?: string) => void) => Promise<void>
  close: () => Promise<void>
}

/** The library's private fields in a database or transaction, and in a statement. */
interface Inside {
  dialect: object
  session: { client: unknown }
}

/**
 * A frequent statement, built once for each database instead of for every call. In a transaction it uses that
 * transaction's connection. Its values are named by sql.placeholder().
 */
export function prepared<S extends object>(build: (db: Db) => S): (db: Db) => S {
  const statements = new WeakMap<object, S>()
  return (db) => {
    // A database and its transactions share a dialect.
    const { dialect, session } = db as unknown as Inside
    let statement = statements.get(dialect)
    if (!statement) statements.set(dialect, (statement = readSwiftly(build(db))))
    return Object.assign(Object.create(statement) as S, { client: session.client })
  }
}

/** Whether a statement failed because it violates this constraint or unique index. */
export const violates = (error: unknown, constraint: string): boolean =>
  (error as { constraint?: string } | null)?.constraint === constraint ||
  (error instanceof Error && error.cause !== undefined && violates(error.cause, constraint))

export class DatabaseInUse extends Error {}

const migrationsFolder = path.join(ROOT, 'server/db/migrations')
const casing = 'snake_case'
/** An arbitrary number shared by all instances: the holder of this lock migrates. */
const MIGRATION_LOCK = 7_306_842
/**
 * A statement that waits for a table's lock holds up every later query of that table. So a migration waits this long,
 * gives up, lets the others through and tries again.
 */
const LOCK_WAIT_S = 3
const MIGRATION_RESTS = 2000
const MIGRATION_TRIES = 60
/** Another instance waiting inside a statement would hold up an index that is being built, so it asks again and again. */
const MIGRATOR_RESTS = 250

/** A statement that takes longer is stuck. Giving it up frees its request and its connection. */
const ANSWERS_WITHIN = 30_000
const CONNECTION_RESTS = 300_000
/** If the server doesn't even report the timeout within this time, the connection is dead. */
const HEARD_WITHIN = 5000

export async function openPostgres(
  url: string,
  { answersWithin = ANSWERS_WITHIN, migrations = migrationsFolder } = {},
): Promise<Database> {
  const [{ default: pg }, { drizzle }, { migrate }, { readMigrationFiles }] = await Promise.all([
    import('pg'),
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
    import('drizzle-orm/migrator'),
  ])
  const connection = { connectionString: url, connectionTimeoutMillis: 10_000 }
  const pool = new pg.Pool({
    ...connection,
    max: 10,
    // A new connection and its plans cost milliseconds, so we keep idle ones for a while.
    idleTimeoutMillis: CONNECTION_RESTS,
    statement_timeout: answersWithin,
    query_timeout: answersWithin + HEARD_WITHIN,
  })
  // When PostgreSQL restarts, it ends connections, and the pool opens new ones. Without these listeners, a connection that
  // ends between two statements would end the process.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  // Only waiting for a table's lock has a limit, not the work itself, nor waiting for another instance's migration.
  const migrator = new pg.Client(connection)
  migrator.on('error', () => {})
  try {
    await migrator.connect()
    await holdMigrations(migrator)
    await buildIndexesAhead(migrator, readMigrationFiles({ migrationsFolder: migrations }))
    await migrator.query(`set lock_timeout = '${LOCK_WAIT_S}s'`)
    const database = drizzle(migrator, { casing })
    for (let tries = 1; ; tries++) {
      try {
        await migrate(database, { migrationsFolder: migrations })
        break
      } catch (error) {
        if (!waitedForLock(error) || tries === MIGRATION_TRIES) throw error
        await pause(MIGRATION_RESTS)
      }
    }
  } finally {
    // Ending the connection frees the lock even if the migration failed half-way.
    await migrator.end()
  }
  const listeners = new Map<string, (words?: string) => void>()
  let ears: InstanceType<typeof pg.Client> | undefined
  let closed = false
  /** One connection that listens. After a break it reconnects and tells every listener that something may be missing. */
  async function connectEars() {
    const client = new pg.Client({ connectionString: url })
    client.on('notification', ({ channel, payload }) => listeners.get(channel)?.(payload ?? ''))
    client.on('error', () => {})
    client.on('end', () => {
      if (closed || ears !== client) return
      ears = undefined
      setTimeout(() => void reconnect(), 1000).unref()
    })
    await client.connect()
    ears = client
    for (const channel of listeners.keys()) await client.query(`listen "${channel}"`)
  }
  async function reconnect(): Promise<void> {
    try {
      await connectEars()
      for (const heard of listeners.values()) heard()
    } catch {
      if (!closed) setTimeout(() => void reconnect(), 1000).unref()
    }
  }
  return {
    db: drizzle(pool, { schema, casing }) as unknown as Db,
    pool,
    async listen(channel, heard) {
      listeners.set(channel, heard)
      if (ears) await ears.query(`listen "${channel}"`)
      else await connectEars()
    },
    async close() {
      closed = true
      await ears?.end()
      await pool.end()
    },
  }
}

async function holdMigrations(migrator: Client) {
  for (;;) {
    const { rows } = await migrator.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
      MIGRATION_LOCK,
    ])
    if (rows[0]!.held) return
    await pause(MIGRATOR_RESTS)
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

/** Whether VetChat was never started on this database. Changes nothing. */
export async function isEmptyPostgres(url: string): Promise<boolean> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    const { rows } = await client.query<{ users: string | null }>(
      "select to_regclass('public.users')::text as users",
    )
    return rows[0]?.users == null
  } finally {
    await client.end()
  }
}

/** Whether a statement gave up waiting for a lock. */
const waitedForLock = (error: unknown): boolean =>
  error instanceof Error && ((error as NodeJS.ErrnoException).code === '55P03' || waitedForLock(error.cause))

const LOST = /^(ECONN(REFUSED|RESET)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|25006|57P0[123]|53300|08\w{3})$/
const LOST_WORDS = /^Connection terminated|^timeout exceeded when trying to connect|is not queryable$/

/** Whether the database was out of reach, or only read while another took over, so that another try may soon work. */
export function isOutOfReach(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', syscall } = error as NodeJS.ErrnoException
  // If PostgreSQL is down, the file of its local socket is missing.
  const isGone = code === 'ENOENT' && syscall === 'connect'
  return isGone || LOST.test(code) || LOST_WORDS.test(error.message) || isOutOfReach(error.cause)
}

/** Whether a disk is full: ours, the database's, or a quota of either. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '' } = error as NodeJS.ErrnoException
  return /^(ENOSPC|EDQUOT|53100)$/.test(code) || isDiskFull(error.cause)
}

/** Whether a statement was cancelled, mostly because it waited for a lock. */
export function isTooSlow(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as NodeJS.ErrnoException
  return code === '57014' || error.message === 'Query read timeout' || isTooSlow(error.cause)
}

/** The database inside the process, in memory if no folder is given. Only one process may use a folder. */
export async function openEmbedded(dataDir?: string): Promise<Database> {
  const release = dataDir === undefined ? () => {} : await lockFolder(dataDir)
  const [{ PGlite }, { drizzle }, { migrate }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('drizzle-orm/pglite'),
    import('drizzle-orm/pglite/migrator'),
  ])
  const client = await PGlite.create(dataDir === undefined ? undefined : path.join(dataDir, 'database'))
  const db = drizzle({ client, schema, casing })
  await migrate(db, { migrationsFolder })
  return {
    db: db as unknown as Db,
    pool: null,
    listen: async (channel, heard) => void (await client.listen(channel, heard)),
    async close() {
      await client.close()
      release()
    },
  }
}

/**
 * Locks a data folder for this process. The kernel unlocks it when the process dies, however that happens.
 * On Linux the lock is an abstract socket, elsewhere a socket in the folder, taken over if nobody answers on it.
 */
export async function lockFolder(dataDir: string): Promise<() => void> {
  mkdirSync(dataDir, { recursive: true })
  const folder = realpathSync(dataDir)
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 32)
  const address = process.platform === 'linux' ? `\0vetchat-${name}` : path.join(folder, 'lock')
  const server = net.createServer((socket) => socket.end())
  server.unref()
  const listen = () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(address, resolve)
    })
  try {
    await listen()
  } catch (error) {
    if (
      (error as NodeJS.ErrnoException).code !== 'EADDRINUSE' ||
      process.platform === 'linux' ||
      (await answers(address))
    )
      throw new DatabaseInUse(`DATA_DIR ${folder} is in use by another VetChat process`)
    const { rmSync } = await import('node:fs')
    rmSync(address)
    await listen()
  }
  return () => void server.close()
}

const answers = (address: string) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect(address, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
