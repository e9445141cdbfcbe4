import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { findPostgres, unprivilegedUser } from '#test/postgres.ts'
import { until } from './load.ts'

/** Waits until its input closes, which happens however the drill dies. The file's first line is the server's process id. */
const WATCH = 'cat >/dev/null; kill -QUIT $(head -n 1 data/postmaster.pid) 2>/dev/null; cd / && rm -rf "$0"'

/**
 * Starts a PostgreSQL that is durable, as in production, and can be made to crash. Its tables are below `disk` if that
 * is given; its log of changes isn't.
 */
export async function startFallingPostgres(settings: Record<string, string> = {}, disk?: string) {
  const programs = findPostgres()
  if (!programs) throw new Error('No PostgreSQL was found on this machine')
  const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-falling-'))
  const user = unprivilegedUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const data = disk ? path.join(disk, 'postgres') : path.join(folder, 'data')
  if (disk) {
    mkdirSync(data)
    symlinkSync(data, path.join(folder, 'data'))
    if (user) chownSync(data, user.uid, user.gid)
  }
  const options = { cwd: folder, env: { PATH: process.env['PATH'], LC_ALL: 'C' }, ...user }
  const run = (program: string, ...args: string[]) =>
    execFileSync(path.join(programs, program), args, { ...options, stdio: 'pipe' })
  run(
    'initdb',
    `--pgdata=data`,
    ...(disk ? [`--waldir=${folder}/wal`] : []),
    '--username=vetchat',
    '--auth=trust',
    '--encoding=UTF8',
  )
  const flags = Object.entries({
    listen_addresses: '',
    max_connections: '200',
    unix_socket_directories: folder,
    ...settings,
  }).map(([name, value]) => `--${name}=${value}`)
  const watch = spawn('sh', ['-c', WATCH, folder], {
    ...options,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watch.unref()
  const url = `postgresql://vetchat@localhost:5432/postgres?host=${encodeURIComponent(folder)}`

  let server: ChildProcess
  async function answers() {
    const client = new pg.Client(url)
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select')
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => {})
    }
  }
  async function rise() {
    server = spawn(path.join(programs!, 'postgres'), ['-Ddata', ...flags], { ...options, stdio: 'ignore' })
    await until(answers, { every: 5 })
  }
  await rise()
  return {
    url,
    /** `pg_ctl stop -m immediate` writes nothing more. */
    async fall() {
      const ended = once(server, 'exit')
      run('pg_ctl', 'stop', '-D', 'data', '-m', 'immediate', '-s')
      await ended
    },
    /** Resolves once it answers. */
    rise,
    async [Symbol.asyncDispose]() {
      const ended = once(watch, 'exit')
      watch.ref()
      watch.stdin.end()
      await ended
    },
  }
}
