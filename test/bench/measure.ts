import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { startProduct } from '#test/e2e/product.ts'
import { freePort } from '#test/e2e/product.ts'
import { startPostgres } from '#test/postgres.ts'
import type { FloorOrder } from './floor.ts'

export const median = (figures: number[]) => {
  const sorted = figures.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Does each job in turn, some times over, so that a busy machine is busy for all of them; answers the medians. */
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

/** The product on a PostgreSQL of its own, with the demo data. */
export async function startOnPostgres() {
  const postgres = await startPostgres()
  const env = { DATABASE_URL: postgres.url, SECRET: 'a secret that only measurements know', DEMO: 'on' }
  try {
    const product = await startProduct({ env })
    return {
      product,
      databaseUrl: postgres.url,
      env,
      async remove() {
        await product.remove()
        await postgres.stop()
      },
    }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

/** A bare Fastify in a process of its own. */
export async function startFloor(order: Omit<FloorOrder, 'port'>) {
  const port = await freePort()
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'floor.ts'), JSON.stringify({ ...order, port } satisfies FloorOrder)],
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
    async stop() {
      kill()
      await ended
      process.off('exit', kill)
    },
  }
}
