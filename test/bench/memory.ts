import { readFileSync } from 'node:fs'
import { pause, startFloor, startOnPostgres } from './measure.ts'
import type { Row } from './run.ts'

const RESTS = 10_000

const residentMebibytes = (pid: number) =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

/** Memory after the first page and a rest. The floor is a server that only listens. */
export default async function memory(): Promise<Row[]> {
  const { product, databaseUrl, remove } = await startOnPostgres()
  const floor = await startFloor({ databaseUrl })
  await fetch(`${product.url}/`)
  await pause(RESTS)
  const figure = residentMebibytes(product.child.pid!)
  const beside = residentMebibytes(floor.child.pid!)
  await floor.stop()
  await remove()
  return [
    {
      job: 'memory at rest, PostgreSQL, beside bare Fastify',
      unit: 'MiB',
      figure,
      floor: beside,
      ratio: figure / beside,
      goal: 'at most 2.00',
      met: figure <= 2 * beside,
    },
  ]
}
