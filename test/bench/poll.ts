import { openPostgres } from '#server/db/client.ts'
import { filled, MANY } from './list.ts'
import { answered, median, processorTime } from './measure.ts'
import type { Row } from './row.ts'

const ROUNDS = 3

/** Refetches the unchanged dashboard list. The floor is the whole list. */
export default async function poll(): Promise<Row[]> {
  await using service = await filled(MANY)
  const { product, databaseUrl, headers } = service
  const url = `${product.url}/api/consultation`
  const etag = (await fetch(url, { headers })).headers.get('etag')!
  const { pool, close } = await openPostgres(databaseUrl)
  /** CPU time per answer, including the database's. */
  async function processorTimeOfOne(asked: Record<string, string>, kind: '2xx' | '3xx') {
    // The pool keeps its connections for the whole load.
    const { rows } = await pool!.query<{ pid: number }>(
      `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    const of = { product: [product.child.pid!], database: rows.map(({ pid }) => pid) }
    const before = { product: processorTime(of.product), database: processorTime(of.database) }
    const { total } = await answered({ url, headers: { ...headers, ...asked } }, kind)
    return {
      product: (processorTime(of.product) - before.product) / total,
      database: (processorTime(of.database) - before.database) / total,
    }
  }
  const known = { 'if-none-match': etag }
  await answered({ url, headers })
  await answered({ url, headers: { ...headers, ...known } }, '3xx')
  const [whole, same] = [[], []] as Awaited<ReturnType<typeof processorTimeOfOne>>[][]
  for (let round = 0; round < ROUNDS; round++) {
    whole!.push(await processorTimeOfOne({}, '2xx'))
    same!.push(await processorTimeOfOne(known, '3xx'))
  }
  await close()
  const parts = [
    ['product', "the server's processor"],
    ['database', "the database's processor"],
  ] as const
  return parts.map(([part, name]) => {
    const [figure, floor] = [same, whole].map((rounds) => median(rounds!.map((one) => one[part])))
    const counts = part === 'product'
    return {
      job: `poll: an unchanged list of ${MANY}, ${name}, beside the whole list`,
      unit: 'ms',
      figure: figure!,
      floor: floor!,
      ratio: figure! / floor!,
      goal: counts ? 'under 0.3 ms' : '–',
      met: counts ? figure! < 0.3 : null,
    }
  })
}
