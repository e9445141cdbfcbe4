import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { World } from '#server/context.ts'
import { openPostgres } from '#server/db/client.ts'
import type { Secrets } from '#server/identity/secrets.ts'
import { startProduct } from '#test/e2e/product.ts'
import { peopleOf } from '#test/people.ts'
import { startNginx } from './nginx.ts'

const SECRET = 'a secret that only the drill knows'
/** Below the range for outgoing connections, so a stopped instance can have its port again. */
const FIRST_PORT = 20_000

export const clusterEnv = (databaseUrl: string) => ({ DATABASE_URL: databaseUrl, SECRET, DEMO: 'on' })

async function quietPort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * 10_000)
    const server = createServer().listen(port, '127.0.0.1')
    const free = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ])
    server.close()
    if (free) return port
  }
}

/** Starts instances on one PostgreSQL behind nginx. Each is a process that can be killed and restarted on its port. */
export async function startCluster(
  databaseUrl: string,
  { instances = 2, env: more = {} as Record<string, string> } = {},
) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'vetchat-cluster-'))
  const env = { ...clusterEnv(databaseUrl), ...more }
  const ports: number[] = []
  while (ports.length < instances) ports.push(await quietPort())
  const start = (at: number, from?: string) =>
    startProduct({ dataDir, port: ports[at]!, env, ...(from !== undefined && { from }) })
  const running = [await start(0)]
  while (running.length < instances) running.push(await start(running.length))
  const nginx = await startNginx(ports)
  return {
    /** The address that visitors use. */
    url: nginx.url,
    nginx: nginx.pid,
    running,
    /** Kills an instance as a power cut would, or stops it as a service manager would, and starts it, or another build. */
    async restart(at: number, how: 'kill' | 'stop', from?: string) {
      const lost = running[at]!
      await lost[how]()
      running[at] = await start(at, from)
      return lost.said()
    },
    async [Symbol.asyncDispose]() {
      await nginx.stop()
      await Promise.all(running.map((product) => product.kill()))
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Creates people in the running instances' database. */
export async function peopleIn(databaseUrl: string, secret = SECRET) {
  const { db, pool, close } = await openPostgres(databaseUrl)
  const secrets: Secrets = [new TextEncoder().encode(secret)]
  const world = { db, now: () => new Date(), secrets } as World
  const people = peopleOf(world, undefined as never)
  return {
    ...people,
    db,
    pool: pool!,
    [Symbol.asyncDispose]: close,
    /** An owner and a vet in a running consultation. */
    async consult(values: { vetHere?: boolean } = {}) {
      const [owner, vet] = [await people.member(), await people.vet()]
      const start = new Date()
      const taken = { ...values, vetId: vet.id, start, vetStart: start }
      return { owner, vet, consultation: (await people.consultOf(owner, taken)).id }
    },
  }
}
