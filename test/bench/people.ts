import { MOST_FOUND } from '#contract/people.ts'
import { openPostgres } from '#server/db/client.ts'
import { tokenOf } from '#test/e2e/people.ts'
import { getAs, postAs } from '../drills/load.ts'
import { slowestOf, startOnPostgres } from './measure.ts'
import { atMost, type Row } from './row.ts'

const PEOPLE = 100_000
const ENTRIES = 1_000_000
const FILLS_WITHIN = 600_000

/** A beginning, an inner part, a number and a pet: each finds its rows in another way. */
const SEARCHES = ['than', 'andi mok', 'okoena 4', '5550199', 'person77@', 'iscuit 9', 'zzqq']

/** Many people, each with a pet, and a long audit log. */
async function fill(databaseUrl: string) {
  const { pool, close } = await openPostgres(databaseUrl, { answersWithin: FILLS_WITHIN })
  for (const statement of [
    `insert into users (public_id, type, email, first_name, last_name, mobile, region)
      select 'people' || n, 1, 'person' || n || '@example.com', (array['Thandi', 'Zanele', 'Pieter', 'Lindiwe'])[1 + n % 4],
        'Mokoena ' || n, '082 ' || lpad((n * 7919 % 10000000)::text, 7, '0'), 'za'
      from generate_series(1, ${PEOPLE}) n`,
    `insert into pets (owner_id, name, species_id) select id, 'Biscuit ' || id, 1 from users where public_id like 'people%'`,
    `insert into audit_log (at, user_id, action, subject, subject_id)
      select now() - n * interval '20 s', staff.id, (array['opened', 'took', 'ended', 'refunded'])[1 + n % 4], 'consultation', n::text
      from generate_series(1, ${ENTRIES}) n cross join (select min(id) as id from users where type = 2) staff`,
    'vacuum analyze',
  ])
    await pool!.query(statement)
  await close()
}

export default async function peopleAtSize(): Promise<Row[]> {
  await using started = await startOnPostgres()
  const { product, databaseUrl } = started
  await fill(databaseUrl)
  const token = await tokenOf('admin', product.url)
  const search = (q: string) => () => postAs(product.url, token, '/people/search', { q })
  const read = (path: string) => () => getAs(product.url, token, path)
  const day = new Date(Date.now() - 100 * 86_400_000).toISOString().slice(0, 10)
  const found = await slowestOf(SEARCHES.map(search))
  const logged = await slowestOf(
    ['', '?action=refunded', '?person=7', `?to=${day}`, `?action=took&to=${day}`, '?cursor=500000'].map(
      (query) => read(`/logs/audit${query}`),
    ),
  )
  return [
    atMost(100, {
      job: `POST /people/search, the slowest of ${SEARCHES.length} at ${PEOPLE} people, up to ${MOST_FOUND} each`,
      unit: 'ms',
      figure: found,
    }),
    atMost(100, {
      job: `GET /logs/audit, the slowest of 6 filters at ${ENTRIES} rows`,
      unit: 'ms',
      figure: logged,
    }),
  ]
}
