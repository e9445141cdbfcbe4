import { me } from '#server/accounts/reads.ts'
import { openPostgres } from '#server/db/client.ts'
import { callerOf } from '#server/session.ts'
import { DEMO_PASSWORD, emailOf } from '#test/e2e/people.ts'
import { inTurn, requestsPerSecond, startFloor, startOnPostgres, type Query } from './measure.ts'
import type { Row } from './run.ts'

const ROUNDS = 3

/** The SQL that the product runs for one GET /user/me, taken from its own code. */
async function queriesOf(databaseUrl: string, secret: string, token: string) {
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
  const world = { db, now: () => new Date(), secret: new TextEncoder().encode(secret) }
  const caller = await callerOf(world, token)
  await me({ ...world, actor: caller!.actor } as never)
  await close()
  return queries
}

export default async function callBesideFloor(): Promise<Row[]> {
  const { product, databaseUrl, env, remove } = await startOnPostgres()
  const signedIn = await fetch(`${product.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: emailOf('owner'), password: DEMO_PASSWORD }),
  })
  const { token } = (await signedIn.json()) as { token: string }
  const queries = await queriesOf(databaseUrl, env.SECRET, token)
  const floor = await startFloor({ databaseUrl, queries })
  const headers = { authorization: `Bearer ${token}` }
  const jobs = {
    floor: () => requestsPerSecond(`${floor.url}/user/me`, headers),
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
