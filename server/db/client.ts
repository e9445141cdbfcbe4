import { createHash } from 'node:crypto'
import { mkdirSync, realpathSync, rmSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { Client, Pool, PoolClient, QueryConfig } from 'pg'
import { ROOT } from '../build-paths.ts'
import { readSwiftly } from './rows.ts'
import * as schema from './schema.ts'

/** The only type that the rest of the code sees, for either database. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>

export interface Database {
  db: Db
  /** Null with the embedded database. */
  pool: Pool | null
  /** Listens to a channel. After a broken connection it calls `heard` without a payload, since something may have been missed. */
  listen: (channel: string, heard: Heard) => Promise<void>
  close: () => Promise<void>
}
type Heard = (words?: string) => void

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

const migrationsFolder = path.join(ROOT, 'server/db/migrations')
const casing = 'snake_case'

/** A statement that takes longer is stuck. Giving it up frees its request and its connection. */
const ANSWERS_WITHIN = 30_000
const CONNECTION_RESTS = 300_000
/** If the server doesn't even report the timeout within this time, the connection is dead. */
const HEARD_WITHIN = 5000
const RECONNECTS_AFTER = 1000
/** A firewall keeps an idle connection for at least this long. One that rested for longer may be dead. */
const TRUSTED_FOR = 20_000
/** A connection that may be dead answers within this time, or is replaced. */
const ALIVE_WITHIN = 3000
/** A connection that only listens can't tell silence from a firewall that has dropped it, so it asks this often. */
const ASKS_EVERY = 15_000

export async function openPostgres(
  url: string,
  {
    answersWithin = ANSWERS_WITHIN,
    asksEvery = ASKS_EVERY,
    trustedFor = TRUSTED_FOR,
    migrations = migrationsFolder,
  } = {},
): Promise<Database> {
  const [{ default: pg }, { drizzle }, { migratePostgres }] = await Promise.all([
    import('pg'),
    import('drizzle-orm/node-postgres'),
    import('./migrate-postgres.ts'),
  ])
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    // Keeps a firewall from dropping a connection that is idle, or that builds an index.
    keepAlive: true,
    keepAliveInitialDelayMillis: 60_000,
  }
  const pool = new pg.Pool({
    ...connection,
    max: 10,
    // A new connection and its plans cost milliseconds, so we keep idle ones for a while.
    idleTimeoutMillis: CONNECTION_RESTS,
    statement_timeout: answersWithin,
    // Otherwise the server keeps what a transaction locked, for hours after this machine lost its power or network.
    idle_in_transaction_session_timeout: answersWithin,
  })
  // When PostgreSQL restarts, it ends connections, and the pool opens new ones. Without these listeners, a connection that
  // ends between two statements would end the process.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  cutSilent(pool, answersWithin + HEARD_WITHIN)
  askRested(pool, trustedFor)
  await migratePostgres(new pg.Client(connection), migrations, casing)
  const ears = listenerOf(() => new pg.Client({ ...connection, query_timeout: HEARD_WITHIN }), asksEvery)
  return {
    db: drizzle(pool, { schema, casing }) as unknown as Db,
    pool,
    listen: ears.listen,
    async close() {
      await ears.close()
      await pool.end()
    },
  }
}

/** Cuts a connection in use that has been silent for so many milliseconds, so that nothing else is sent on it. */
function cutSilent(pool: Pool, silentFor: number) {
  const streamOf = (client: PoolClient) => client.connection.stream as net.Socket
  pool
    .on('connect', (client) => streamOf(client).on('timeout', () => streamOf(client).destroy()))
    .on('acquire', (client) => streamOf(client).setTimeout(silentFor))
    .on('release', (_, client) => streamOf(client).setTimeout(0))
}

type Taken = (error: Error | undefined, client?: PoolClient, done?: PoolClient['release']) => void

/** Asks a connection that was idle before it's used. One that a firewall dropped silently is replaced. */
function askRested(pool: Pool, trustedFor: number) {
  const heardAt = new WeakMap<PoolClient, number>()
  const hear = (client: PoolClient) => heardAt.set(client, performance.now())
  pool.on('connect', hear).on('release', (_, client) => hear(client))
  const connect = pool.connect.bind(pool)
  let silentAt = -Infinity
  // A callback, because this runs before nearly every statement.
  const take = (taken: Taken): void =>
    connect((error, client, done) => {
      const heard = client ? heardAt.get(client)! : Infinity
      if (!client || performance.now() - heard < trustedFor) return taken(error, client, done)
      const replace = () => {
        silentAt = performance.now()
        done(true)
        take(taken)
      }
      // Once one was silent, those that have been idle for longer are too.
      if (heard < silentAt) return replace()
      const asked = { text: 'select 1', query_timeout: ALIVE_WITHIN } as QueryConfig
      client.query(asked, (silent: Error | null) => (silent ? replace() : taken(undefined, client, done)))
    })
  const takeOne = () =>
    new Promise<PoolClient>((resolve, reject) =>
      take((error, client, done) => {
        if (!client) return reject(error)
        // Drizzle doesn't give back a connection that is lost as a transaction begins, and the pool would get smaller.
        const release = () => {
          client.off('end', release).release = () => {}
          done!()
        }
        client.on('end', release).release = release
        resolve(client)
      }),
    )
  pool.connect = ((taken?: Taken) => (taken ? take(taken) : takeOne())) as Pool['connect']
}

/** One connection that listens. After a break it reconnects and tells every listener that something may be missing. */
function listenerOf(newClient: () => Client, asksEvery: number) {
  const listeners = new Map<string, Heard>()
  let ears: Client | undefined
  let closed = false
  const leave = (client: Client) => void client.end().catch(() => {})
  function lose(client: Client) {
    if (closed || ears !== client) return
    ears = undefined
    setTimeout(() => void reconnect(), RECONNECTS_AFTER).unref()
  }
  /** Listening twice changes nothing. */
  const listenAgain = (client: Client) =>
    client.query([...listeners.keys()].map((channel) => `listen "${channel}"`).join(';'))
  async function connect() {
    const client = newClient()
    client.on('notification', ({ channel, payload }) => listeners.get(channel)?.(payload ?? ''))
    client.on('error', () => {})
    client.on('end', () => lose(client))
    try {
      await client.connect()
      await listenAgain(client)
    } catch (error) {
      leave(client)
      throw error
    }
    ears = client
  }
  const asking = setInterval(() => {
    const client = ears
    if (client)
      listenAgain(client).catch(() => {
        lose(client)
        leave(client)
      })
  }, asksEvery).unref()
  async function reconnect(): Promise<void> {
    try {
      await connect()
      for (const heard of listeners.values()) heard()
    } catch {
      if (!closed) setTimeout(() => void reconnect(), RECONNECTS_AFTER).unref()
    }
  }
  return {
    async listen(channel: string, heard: Heard) {
      listeners.set(channel, heard)
      if (ears) await ears.query(`listen "${channel}"`)
      else await connect()
    },
    async close() {
      closed = true
      clearInterval(asking)
      await ears?.end()
    },
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

export class DatabaseInUse extends Error {}

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
