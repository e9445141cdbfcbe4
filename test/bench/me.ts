import { me } from '#server/accounts/reads.ts'
import { tokenOf } from '#test/e2e/people.ts'
import { inTurn, queriesOf, requestsPerSecond, startFloor, startOnPostgres } from './measure.ts'
import { atLeast, type Row } from './row.ts'

const ROUNDS = 3

export default async function callBesideFloor(): Promise<Row[]> {
  await using started = await startOnPostgres()
  const { product, databaseUrl, env } = started
  const token = await tokenOf('owner', product.url)
  const queries = await queriesOf(databaseUrl, env.SECRET, token, me)
  await using floor = await startFloor({ databaseUrl, queries })
  const headers = { authorization: `Bearer ${token}` }
  const jobs = {
    floor: () => requestsPerSecond(`${floor.url}/sql`, headers),
    product: () => requestsPerSecond(`${product.url}/api/user/me`, headers),
  }
  await jobs.floor()
  await jobs.product()
  const figures = await inTurn(ROUNDS, jobs)
  const job = `GET /user/me, ${queries.length} queries, beside bare Fastify with the same SQL`
  return [atLeast(0.7, { job, unit: 'requests/s', figure: figures.product, floor: figures.floor })]
}
