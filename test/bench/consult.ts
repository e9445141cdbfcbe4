import { peopleIn } from '../drills/cluster.ts'
import { atOnce } from '../at-once.ts'
import { wholeConsult } from '../drills/whole-consult.ts'
import { postmasterOf, processorTimeOfAll, startOnPostgres } from './measure.ts'
import { type Row, withoutGoal } from './row.ts'

const WARM = 20
const CONSULTS = 100
const AT_ONCE = 5

/** What one text consult costs, from the purchase to the signed note. */
export default async function consult(): Promise<Row[]> {
  await using started = await startOnPostgres()
  const { product, databaseUrl, env } = started
  await using people = await peopleIn(databaseUrl, env.SECRET)
  const one = async <Value>(query: string) =>
    Object.values((await people.pool.query<Record<string, Value>>(query)).rows[0]!)[0] as Value
  const postmaster = await postmasterOf(people.pool)
  const tables = (
    await people.pool.query<{ name: string }>(
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    )
  ).rows
  const countAll = tables.map(({ name }) => `(select count(*) from "${name}")`).join(' + ')
  const look = async () => ({
    server: processorTimeOfAll([product.child.pid!]),
    database: processorTimeOfAll([postmaster]),
    rows: Number(await one<string>(`select ${countAll}`)),
    kilobytes: Number(await one<string>('select pg_database_size(current_database())')) / 1024,
    log: Number(await one<string>("select pg_current_wal_lsn() - '0/0'")) / 1024,
  })
  let next = 0
  async function consults(until: number) {
    await atOnce(AT_ONCE, async () => {
      const vet = await people.vet()
      while (next < until) {
        const { talkers } = await wholeConsult({ url: product.url, n: next++, vet })
        for (const talker of talkers) talker.close()
      }
    })
  }
  await consults(WARM)
  await people.pool.query('vacuum')
  const before = await look()
  await consults(WARM + CONSULTS)
  const after = await look()
  const each = (what: keyof typeof before) => (after[what] - before[what]) / CONSULTS
  const row = (what: string, unit: string, figure: number) =>
    withoutGoal({ job: `one whole text consult: ${what}`, unit, figure })
  return [
    row('processor time of the server', 'ms', each('server')),
    row('processor time of PostgreSQL', 'ms', each('database')),
    row('rows', 'rows', each('rows')),
    row('on disk, with indexes', 'kB', each('kilobytes')),
    row('write-ahead log', 'kB', each('log')),
  ]
}
