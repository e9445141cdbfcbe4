import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { Env } from '../env.ts'
import { lockFolder } from './client.ts'

/** `programs` is the environment of the database's own programs: their path, at least. */
type Where = Pick<Env, 'databaseUrl' | 'dataDir'> & { programs: NodeJS.ProcessEnv }

/** How many rows each table has. */
export type RowCounts = Record<string, number>

/** The database's own program is missing, or it refused. */
export class BackupFailed extends Error {}

/** Writes the whole database to one file and counts its rows, both from the same moment. */
export const dumpDatabase = ({ databaseUrl, dataDir, programs }: Where, file: string): Promise<RowCounts> =>
  databaseUrl ? dumpPostgres(databaseUrl, file, programs) : dumpEmbedded(dataDir, file)

/** Fills an empty database from such a file and counts what is there afterwards. */
export const loadDatabase = ({ databaseUrl, dataDir, programs }: Where, file: string): Promise<RowCounts> =>
  databaseUrl ? loadPostgres(databaseUrl, file, programs) : loadEmbedded(dataDir, file)

/** The ending of the file says which kind of database can read it. */
export const dumpName = ({ databaseUrl }: Pick<Where, 'databaseUrl'>) =>
  databaseUrl ? 'database.dump' : 'database.tgz'

const dumpPostgres = async (url: string, file: string, programs: NodeJS.ProcessEnv) =>
  withClient(url, async (query) => {
    // The counts and the dump read the same snapshot.
    await query('begin isolation level repeatable read read only')
    const [snapshot] = await query('select pg_export_snapshot() as name')
    const counts = await countRows(query)
    await runWith(programs, url, 'pg_dump', [
      '--format=custom',
      '--no-owner',
      '--no-privileges',
      `--snapshot=${String(snapshot!['name'])}`,
      `--file=${file}`,
    ])
    await query('commit')
    return counts
  })

async function loadPostgres(url: string, file: string, programs: NodeJS.ProcessEnv) {
  const options = ['--no-owner', '--no-privileges', '--single-transaction', '--exit-on-error']
  await runWith(programs, url, 'pg_restore', [...options, `--dbname=${withoutPassword(url)}`, file])
  return withClient(url, async (query) => {
    await query('analyze')
    await moveOn(query)
    return countRows(query)
  })
}

const dumpEmbedded = async (dataDir: string, file: string) =>
  withEmbedded(dataDir, undefined, async (query, client) => {
    const counts = await countRows(query)
    const dump = await client.dumpDataDir('gzip')
    await writeFile(file, dump.stream(), { mode: 0o600 })
    return counts
  })

async function loadEmbedded(dataDir: string, file: string) {
  mkdirSync(dataDir, { recursive: true })
  return withEmbedded(dataDir, new Blob([await readFile(file)]), async (query) => {
    await moveOn(query)
    return countRows(query)
  })
}

/** More rows than a table gets between a backup and its restore. */
const NUMBERS_SKIPPED = 1_000_000

/**
 * What happened after the backup is unknown here, but not elsewhere. A number that was given then stays on somebody's
 * receipt, and the payment provider would refuse a purchase or refund with it. A session may have ended and a mailed code
 * been used, so none of them works again.
 */
async function moveOn(query: Query) {
  await query(
    `select setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + ${NUMBERS_SKIPPED})
      from pg_sequences where schemaname = 'public'`,
  )
  await query('update sessions set ended_at = now() where ended_at is null')
  await query('update mailed_codes set used_at = now() where used_at is null')
  for (const table of ['clinics', 'clinic_people'])
    await query(`update ${table} set invitation_hash = null, invitation_until = null`)
}

type Query = (sql: string) => Promise<Record<string, unknown>[]>

async function countRows(query: Query): Promise<RowCounts> {
  const tables = await query(
    "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
  )
  const counts: RowCounts = {}
  for (const { name } of tables) {
    const [row] = await query(`select count(*)::int as count from "${String(name)}"`)
    counts[String(name)] = Number(row!['count'])
  }
  return counts
}

async function withClient<T>(url: string, work: (query: Query) => Promise<T>): Promise<T> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    return await work(async (sql) => (await client.query(sql)).rows as Record<string, unknown>[])
  } finally {
    await client.end()
  }
}

async function withEmbedded<T>(
  dataDir: string,
  loaded: Blob | undefined,
  work: (query: Query, client: { dumpDataDir: (form: 'gzip') => Promise<Blob> }) => Promise<T>,
): Promise<T> {
  const release = await lockFolder(dataDir)
  try {
    const { PGlite } = await import('@electric-sql/pglite')
    const options = loaded ? { loadDataDir: loaded } : {}
    const client = await PGlite.create(path.join(dataDir, 'database'), options)
    try {
      return await work(async (sql) => (await client.query<Record<string, unknown>>(sql)).rows, client)
    } finally {
      await client.close()
    }
  } finally {
    release()
  }
}

/** Other users of the machine can read a program's arguments. */
function withoutPassword(url: string) {
  const address = new URL(url)
  address.password = ''
  return address.href
}

async function runWith(programs: NodeJS.ProcessEnv, url: string, program: string, options: string[]) {
  const password = decodeURIComponent(new URL(url).password)
  const target = program === 'pg_dump' ? [`--dbname=${withoutPassword(url)}`] : []
  const child = spawn(program, [...target, ...options], {
    env: { ...programs, ...(password && { PGPASSWORD: password }) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = text(child.stderr)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve)
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new BackupFailed(`${program} is missing on this machine: install PostgreSQL’s client programs`)
  })
  if (code !== 0) throw new BackupFailed(`${program} failed: ${(await said).trim()}`)
}
