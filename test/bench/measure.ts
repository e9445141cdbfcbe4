import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Pool } from 'pg'
import { openPostgres } from '#server/db/client.ts'
import { callerOf } from '#server/identity/session.ts'
import type { Secrets } from '#server/identity/secrets.ts'
import { freePort, startProduct } from '#test/e2e/product.ts'
import { startPostgres } from '#test/postgres.ts'
import { pause } from '../drills/load.ts'
import { fetched } from './fetched.ts'

export const median = (figures: number[]) => {
  const sorted = figures.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Runs the jobs in turn, several times, so a busy machine slows them all alike. Returns the medians. */
export async function inTurn<const Name extends string>(
  rounds: number,
  jobs: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(jobs) as Name[]
  const figures = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round < rounds; round++)
    for (const name of names) figures[name].push(await jobs[name]())
  return Object.fromEntries(names.map((name) => [name, median(figures[name])])) as Record<Name, number>
}

/** The processes' CPU time in milliseconds. Linux counts it in hundredths of a second. */
export const processorTime = (pids: number[]) =>
  pids.reduce((sum, pid) => {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11)
    return sum + (Number(user) + Number(system)) * 10
  }, 0)

/** The memory that a process uses. */
export const residentKilobytes = (pid: number) =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1])

/** The same for processes and everything that they started, including what has ended since. */
export function processorTimeOfAll(pids: number[]): number {
  const fieldsOf = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number)
    } catch {
      return []
    }
  }
  const every = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const all = Map.groupBy(every.map(Number), (pid) => fieldsOf(pid)[1])
  const ofTree = (pid: number): number =>
    fieldsOf(pid)
      .slice(11, 15)
      .reduce((sum, one) => sum + one * 10, 0) +
    (all.get(pid) ?? []).reduce((sum, child) => sum + ofTree(child), 0)
  return pids.reduce((sum, pid) => sum + ofTree(pid), 0)
}

/** PostgreSQL's first process, the parent of its others. */
export async function postmasterOf(pool: Pool) {
  const { rows } = await pool.query<{ file: string }>("select pg_read_file('postmaster.pid') as file")
  return Number(rows[0]!.file.split('\n')[0])
}

const LOAD = { connections: 20, duration: 5 }

interface Asked {
  url: string
  headers: Record<string, string>
}
type Autocannon = (
  options: Asked & typeof LOAD,
) => Promise<
  Record<'requests', { average: number; total: number }> &
    Record<'errors' | 'timeouts' | '2xx' | '3xx', number>
>

async function autocannon(): Promise<Autocannon> {
  const folder = await fetched('autocannon', '9.0.0')
  return ((await import(pathToFileURL(path.join(folder, 'autocannon.js')).href)) as { default: Autocannon })
    .default
}

/** Measures a load of twenty connections. Every answer must have the expected kind of status. */
export async function answered(asked: Asked, kind: '2xx' | '3xx' = '2xx') {
  const { requests, errors, timeouts, ...kinds } = await (await autocannon())({ ...asked, ...LOAD })
  const refused = requests.total - kinds[kind]
  if (errors + timeouts + refused > 0)
    throw new Error(
      `${asked.url}: ${errors} errors, ${timeouts} timeouts, ${refused} refused of ${requests.total}`,
    )
  return requests
}

export const requestsPerSecond = async (url: string, headers: Record<string, string>) =>
  (await answered({ url, headers })).average

const ASKED = 20

/** The slowest of several requests, each by its median. */
export async function slowestOf(asks: (() => Promise<Response>)[]): Promise<number> {
  const medians: number[] = []
  for (const ask of asks) {
    const times: number[] = []
    for (let round = 0; round < ASKED; round++) {
      const from = performance.now()
      const answer = await ask()
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`${answer.url} answered ${answer.status}`)
      times.push(performance.now() - from)
    }
    medians.push(median(times))
    if (process.env['EXPLAIN'])
      process.stderr.write(`${medians.at(-1)!.toFixed(1)} ms, ask ${medians.length}\n`)
  }
  return Math.max(...medians)
}

/** Starts the product on a separate PostgreSQL, with the demo data. */
export async function startOnPostgres() {
  const postgres = await startPostgres()
  const env = {
    DATABASE_URL: postgres.url,
    SECRET: 'a secret that only measurements know',
    DEMO: 'on',
    LOG_LEVEL: 'info',
  }
  try {
    // Start it a second time, to keep filling in the demo out of the measurement.
    const first = await startProduct({ env })
    await first.stop()
    const product = await startProduct({ env, dataDir: first.dataDir, heard: false })
    return {
      product,
      databaseUrl: postgres.url,
      env,
      async [Symbol.asyncDispose]() {
        await product.remove()
        await postgres.stop()
      },
    }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

/** One request's SQL, with the names of its prepared statements. */
export interface Query {
  name: string | undefined
  text: string
  values: unknown[]
}

/** Captures the SQL that the product runs for one call. */
export async function queriesOf(
  databaseUrl: string,
  secret: string,
  token: string,
  handler: (ctx: never) => unknown,
) {
  const { db, pool, close } = await openPostgres(databaseUrl)
  const queries: Query[] = []
  const query = pool!.query.bind(pool) as (
    query: Omit<Query, 'values'>,
    values: unknown[],
  ) => Promise<unknown>
  pool!.query = ((asked: Omit<Query, 'values'>, values: unknown[]) => {
    queries.push({ name: asked.name, text: asked.text, values })
    return query(asked, values)
  }) as never
  const env = { demo: true, requireFactor: false }
  const secrets: Secrets = [new TextEncoder().encode(secret)]
  const world = { env, db, now: () => new Date(), secrets }
  const caller = await callerOf(world, token)
  await handler({ ...world, actor: caller!.actor } as never)
  await close()
  return queries
}

/** Starts a bare Fastify as a separate process: GET /sql runs the queries, and any other path is a file in the folder. */
export async function startFloor(order: { folder?: string; databaseUrl?: string; queries?: Query[] }) {
  const port = await freePort()
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'floor.mjs'), JSON.stringify({ ...order, port })],
    { stdio: ['ignore', 'inherit', 'inherit'], env: { PATH: process.env['PATH'], NODE_ENV: 'production' } },
  )
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  while (
    !(await fetch(`${url}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error('The floor does not start')
    await pause(20)
  }
  return {
    url,
    child,
    async [Symbol.asyncDispose]() {
      kill()
      await ended
      process.off('exit', kill)
    },
  }
}
