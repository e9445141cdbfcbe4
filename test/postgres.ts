import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { TestProject } from 'vitest/node'

const OLDEST_POSTGRES = 15

const SETTINGS = {
  listen_addresses: '',
  port: '5432',
  max_connections: '200',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  jit: 'off',
}

// The shell runs the server and waits until its input closes, which happens however the test process dies.
const HOLD_SERVER =
  '"$@" >log 2>&1 & server=$!; cat >/dev/null; kill -QUIT $server; wait $server; cd / && rm -rf "$0"'

/** Set-up of the call tests. Their workers read the server's address from TEST_DATABASE_URL. */
export default async function setup(project: TestProject) {
  const server = await startPostgres()
  project.config.env = { ...project.config.env, TEST_DATABASE_URL: server.url }
  return server.stop
}

/** Starts an empty throw-away server. It ends with `stop()` or when this process dies, even by kill -9. */
export async function startPostgres() {
  const programs = findPostgres()
  if (!programs) throw new Error(`No PostgreSQL ${OLDEST_POSTGRES} or later was found on this machine.`)
  const folder = mkdtempSync(join(tmpdir(), 'vetchat-postgres-'))
  const user = unprivilegedUser()
  if (user) chownSync(folder, user.uid, user.gid)
  // With the tests' clock, if another is put under them.
  const { PATH, LD_PRELOAD, FAKETIME } = process.env
  const options = { cwd: folder, env: { PATH, LC_ALL: 'C', LD_PRELOAD, FAKETIME }, ...user }
  const initdb = ['--pgdata=data', '--username=vetchat', '--auth=trust', '--encoding=UTF8', '--no-sync']
  execFileSync(join(programs, 'initdb'), initdb, { ...options, stdio: 'pipe' })
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: folder })
  const postgres = [
    join(programs, 'postgres'),
    '-Ddata',
    ...settings.map(([name, value]) => `--${name}=${value}`),
  ]
  const server = spawn('sh', ['-c', HOLD_SERVER, folder, ...postgres], {
    ...options,
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  })
  const ended = once(server, 'exit')
  server.unref()
  const url = `postgresql://vetchat@localhost:5432/postgres?host=${encodeURIComponent(folder)}`
  const stop = async () => {
    server.ref()
    server.stdin.end()
    await ended
  }
  try {
    await untilItAnswers(url)
  } catch (error) {
    const log = readFileSync(join(folder, 'log'), 'utf8')
    await stop()
    throw new Error(`PostgreSQL does not start:\n${log}`, { cause: error })
  }
  return { url, stop, [Symbol.asyncDispose]: stop }
}

/** Creates a database on that server. The first caller prepares a template, and everyone gets a copy. */
export async function createDatabase(server: string, prepare: (url: string) => Promise<void>) {
  const name = `world_${randomUUID().replaceAll('-', '')}`
  await asAdmin(server, async (admin) => {
    await admin.query('select pg_advisory_lock(1)')
    const { rowCount } = await admin.query(`select from pg_database where datname = 'prepared'`)
    if (rowCount === 0) {
      await admin.query('drop database if exists unfinished with (force)')
      await admin.query('create database unfinished')
      await prepare(databaseUrl(server, 'unfinished'))
      await admin.query('alter database unfinished rename to prepared')
    }
    await admin.query(`create database ${name} template prepared`)
  })
  return databaseUrl(server, name)
}

export async function dropDatabase(url: string) {
  const name = new URL(url).pathname.slice(1)
  await asAdmin(databaseUrl(url, 'postgres'), (admin) => admin.query(`drop database "${name}" with (force)`))
}

/** Finds the folder of this machine's newest PostgreSQL, if it is new enough. */
export function findPostgres() {
  const folders = [
    ...globSync('/usr/lib/postgresql/*/bin'),
    ...globSync('/usr/pgsql-*/bin'),
    ...globSync('/opt/homebrew/opt/postgresql@*/bin'),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return folders
    .filter((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
    .map((folder) => ({ folder, version: majorVersion(join(folder, 'postgres')) }))
    .filter(({ version }) => version >= OLDEST_POSTGRES)
    .toSorted((a, b) => b.version - a.version)[0]?.folder
}

function majorVersion(program: string) {
  const [version] = execFileSync(program, ['--version'], { encoding: 'utf8' }).match(/\d+/) ?? []
  return Number(version)
}

/** PostgreSQL refuses to run as root. */
export function unprivilegedUser() {
  if (process.getuid?.() !== 0) return undefined
  const id = (option: string) =>
    Number(execFileSync('sh', ['-c', `id ${option} postgres 2>/dev/null || id ${option} nobody`]))
  return { uid: id('-u'), gid: id('-g') }
}

async function untilItAnswers(url: string) {
  const deadline = Date.now() + 30_000
  for (;;) {
    try {
      return await asAdmin(url, (admin) => admin.query('select'))
    } catch (error) {
      if (Date.now() > deadline) throw error
      await pause(20)
    }
  }
}

/** A connection that ends with the block that opened it. */
export async function connectTo(url: string) {
  const client = new pg.Client(url)
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

async function asAdmin<T>(url: string, work: (admin: pg.Client) => Promise<T>) {
  await using admin = await connectTo(url)
  return await work(admin)
}

function databaseUrl(server: string, name: string) {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
