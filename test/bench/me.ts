import { me } from '#server/accounts/reads.ts'
import { inTurn, queriesOf, requestsPerSecond, signIn, startFloor, startOnPostgres } from './measure.ts'
import type { Row } from './run.ts'

const ROUNDS = 3

export default async function callBesideFloor(): Promise<Row[]> {
  const { product, databaseUrl, env, remove } = await startOnPostgres()
  const token = await signIn(product.url, 'owner')
  const queries = await queriesOf(databaseUrl, env.SECRET, token, me)
  const floor = await startFloor({ databaseUrl, queries })
  const headers = { authorization: `Bearer ${token}` }
  const jobs = {
    floor: () => requestsPerSecond(`${floor.url}/sql`, headers),
    product: () => requestsPerSecond(`${product.url}/api/user/me`, headers),
  }
  await jobs.floor()
  await jobs.product()
  const figures = await inTurn(ROUNDS, jobs)
  await floor.stop()
  await remove()
  const ratio = figures.product / figures.floor
  return [
    {
      job: `GET /user/me, ${queries.length} queries, beside bare Fastify with the same SQL`,
      unit: 'requests/s',
      figure: figures.product,
      floor: figures.floor,
      ratio,
      goal: 'at least 0.70',
      met: ratio >= 0.7,
    },
  ]
}
