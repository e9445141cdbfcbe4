import { pause } from '../drills/load.ts'
import { residentKilobytes, startFloor, startOnPostgres } from './measure.ts'
import { atMost, type Row } from './row.ts'

const RESTS = 10_000

/** Memory after the first page and a rest. The floor is a server that only listens. */
export default async function memory(): Promise<Row[]> {
  await using started = await startOnPostgres()
  const { product, databaseUrl } = started
  await using floor = await startFloor({ databaseUrl })
  await fetch(`${product.url}/`)
  await pause(RESTS)
  const measured = {
    figure: residentKilobytes(product.child.pid!) / 1024,
    floor: residentKilobytes(floor.child.pid!) / 1024,
  }
  return [atMost(2, { job: 'memory at rest, PostgreSQL, beside bare Fastify', unit: 'MiB', ...measured })]
}
