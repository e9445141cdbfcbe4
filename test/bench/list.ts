import { SORTS } from '#contract/consultations.ts'
import { listConsultations } from '#server/consultations/list-reads.ts'
import { openPostgres } from '#server/db/client.ts'
import { tokenOf } from '#test/e2e/people.ts'
import { inTurn, queriesOf, requestsPerSecond, slowestOf, startFloor, startOnPostgres } from './measure.ts'
import { atLeast, atMost, type Row } from './row.ts'

const ROUNDS = 3
const FEW = 10_000
export const MANY = 100_000
export const OWNERS = 20_000
const WAITING = 20
const MANY_WAITING = 500
const IN_PROGRESS = 20
/** Each column that staff can sort by, from either end, and what they search for. */
const ORDERED = [
  ...SORTS.map((sort) => `sort=${sort}`),
  ...['thandi', 'mokoena 77', 'biscuit', '77'].map((q) => `q=${encodeURIComponent(q)}`),
]

/** Inserts consultations: some wait, twenty are with a vet, and the rest have ended. */
async function fill(databaseUrl: string, consultations: number, waiting: number) {
  const { pool, close } = await openPostgres(databaseUrl)
  const taken = `n <= ${consultations - waiting}`
  const over = `n <= ${consultations - waiting - IN_PROGRESS}`
  for (const statement of [
    `insert into users (public_id, type, email, first_name, last_name, region)
      select 'bench' || n, 1, 'bench' || n || '@example.com', 'Thandi', 'Mokoena ' || n, 'za'
      from generate_series(1, ${OWNERS}) n`,
    `insert into pets (owner_id, name, species_id) select id, 'Biscuit ' || id, 1 from users where email like 'bench%'`,
    `insert into consultations (type, region, user_id, pet_id, vet_id, pet_issue, start, vet_start, "end", outcome)
      select 1, 'za', pet.owner_id, pet.id, case when ${taken} then vet.id end,
        'She has not eaten since yesterday evening and hides under the bed.',
        entered, case when ${taken} then entered + interval '3 min' end,
        case when ${over} then entered + interval '20 min' end, case when ${over} then 'Home care' else '' end
      from (select n, now() - (${consultations} - n) * interval '2 min' as entered from generate_series(1, ${consultations}) n) s
      join (select id, owner_id, row_number() over (order by id) as at from pets where name like 'Biscuit %') pet
        on pet.at = 1 + (n * 7919) % ${OWNERS}
      cross join (select min(id) as id from users where type = 2) vet
      order by n`,
    `insert into summaries (consultation_id, vet_id, summary)
      select id, vet_id, 'Water, a small plain supper, and rest.' from consultations
      where "end" is not null and vet_id is not null on conflict do nothing`,
    'vacuum analyze',
  ])
    await pool!.query(statement)
  await close()
}

export async function filled(consultations: number, waiting = WAITING) {
  const started = await startOnPostgres()
  await fill(started.databaseUrl, consultations, waiting)
  const token = await tokenOf('vet', started.product.url)
  const headers = { authorization: `Bearer ${token}` }
  return {
    ...started,
    token,
    headers,
    load: (query = '') => requestsPerSecond(`${started.product.url}/api/consultation${query}`, headers),
  }
}

/** A bare Fastify with the SQL of one list. */
async function floorOf(
  { databaseUrl, env, token, headers }: Awaited<ReturnType<typeof filled>>,
  input: { filter: 'all' | 'available'; limit: number },
) {
  const queries = await queriesOf(databaseUrl, env.SECRET, token, (ctx) => listConsultations(ctx, input))
  const floor = await startFloor({ databaseUrl, queries })
  const load = () => requestsPerSecond(`${floor.url}/sql`, headers)
  return { ...floor, load, queries: queries.length }
}

export default async function listAtSize(): Promise<Row[]> {
  await using few = await filled(FEW)
  await using many = await filled(MANY)
  await using queue = await filled(FEW, MANY_WAITING)
  await using floor = await floorOf(many, { filter: 'all', limit: 50 })
  await using queueFloor = await floorOf(queue, { filter: 'available', limit: 100 })
  const jobs = {
    floor: floor.load,
    many: () => many.load(),
    few: () => few.load(),
    queueFloor: queueFloor.load,
    queue: () => queue.load('?filter=available&limit=100'),
  }
  for (const job of Object.values(jobs)) await job()
  const figures = await inTurn(ROUNDS, jobs)
  const admin = { authorization: `Bearer ${await tokenOf('admin', many.product.url)}` }
  const ordered = await slowestOf(
    ORDERED.map((query) => () => fetch(`${many.product.url}/api/consultation?${query}`, { headers: admin })),
  )
  return [
    atLeast(0.8, {
      job: `GET /consultation, 50 of ${MANY}, ${floor.queries} queries, beside bare Fastify with the same SQL`,
      unit: 'requests/s',
      figure: figures.many,
      floor: figures.floor,
    }),
    atMost(1.1, {
      job: `GET /consultation: time at ${MANY} beside ${FEW}`,
      unit: 'ms',
      figure: 1000 / figures.many,
      floor: 1000 / figures.few,
    }),
    atLeast(0.7, {
      job: `GET /consultation, the queue with ${MANY_WAITING} waiting, ${queueFloor.queries} queries, beside bare Fastify with the same SQL`,
      unit: 'requests/s',
      figure: figures.queue,
      floor: figures.queueFloor,
    }),
    atMost(100, {
      job: `GET /consultation, the slowest of ${ORDERED.length} orders and searches of ${MANY}`,
      unit: 'ms',
      figure: ordered,
    }),
  ]
}
