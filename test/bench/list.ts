import { listConsultations } from '#server/consultations/reads.ts'
import { openPostgres } from '#server/db/client.ts'
import { inTurn, queriesOf, requestsPerSecond, signIn, startFloor, startOnPostgres } from './measure.ts'
import type { Row } from './run.ts'

const ROUNDS = 3
const FEW = 10_000
export const MANY = 100_000
const OWNERS = 20_000
const WAITING = 20
const IN_PROGRESS = 20

/** Inserts consultations: twenty wait, twenty are with a vet, and the rest have ended. */
async function fill(databaseUrl: string, consultations: number) {
  const { pool, close } = await openPostgres(databaseUrl)
  const taken = `n <= ${consultations - WAITING}`
  const over = `n <= ${consultations - WAITING - IN_PROGRESS}`
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

export async function filled(consultations: number) {
  const started = await startOnPostgres()
  await fill(started.databaseUrl, consultations)
  const token = await signIn(started.product.url, 'vet')
  const headers = { authorization: `Bearer ${token}` }
  return {
    ...started,
    token,
    headers,
    load: () => requestsPerSecond(`${started.product.url}/api/consultation`, headers),
  }
}

export default async function listAtSize(): Promise<Row[]> {
  const [few, many] = [await filled(FEW), await filled(MANY)]
  const queries = await queriesOf(many.databaseUrl, many.env.SECRET, many.token, (ctx) =>
    listConsultations(ctx, { filter: 'all', limit: 50 }),
  )
  const floor = await startFloor({ databaseUrl: many.databaseUrl, queries })
  const jobs = {
    floor: () => requestsPerSecond(`${floor.url}/sql`, many.headers),
    many: many.load,
    few: few.load,
  }
  for (const job of Object.values(jobs)) await job()
  const figures = await inTurn(ROUNDS, jobs)
  await floor.stop()
  await few.remove()
  await many.remove()
  const share = figures.many / figures.floor
  const slower = figures.few / figures.many
  return [
    {
      job: `GET /consultation, 50 of ${MANY}, ${queries.length} queries, beside bare Fastify with the same SQL`,
      unit: 'requests/s',
      figure: figures.many,
      floor: figures.floor,
      ratio: share,
      goal: 'at least 0.80',
      met: share >= 0.8,
    },
    {
      job: `GET /consultation: time at ${MANY} beside ${FEW}`,
      unit: 'ms',
      figure: 1000 / figures.many,
      floor: 1000 / figures.few,
      ratio: slower,
      goal: 'at most 1.1',
      met: slower <= 1.1,
    },
  ]
}
