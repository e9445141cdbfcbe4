import { HOUR } from '#contract/time.ts'
import { transaction, type World } from '../context.ts'
import { isOutOfReach } from '../db/errors.ts'
import { PaymentsOutOfReach } from '../providers/payments.ts'
import type { Job } from './clock.ts'

type Id = number | string
type Place = Pick<World, 'env' | 'now' | 'log'>
interface Rest {
  times: number
  until: number
}

const FIRST = 15_000
const LONGEST = HOUR

/** Rows that threw, per process and job. */
const resting = new WeakMap<World['env'], Map<string, Map<Id, Rest>>>()

function restsOf({ env }: Place, job: string): Map<Id, Rest> {
  const jobs = resting.get(env) ?? new Map<string, Map<Id, Rest>>()
  resting.set(env, jobs)
  const rests = jobs.get(job) ?? new Map<Id, Rest>()
  jobs.set(job, rests)
  return rests
}

/** Rows that threw and aren't due for a retry, so the job leaves them out and reaches the rows behind them. */
export const restingRows = (place: Place, job: string): number[] =>
  [...restsOf(place, job)].flatMap(([id, { until }]) =>
    typeof id === 'number' && until > place.now().getTime() ? [id] : [],
  )

/**
 * Handles each row and returns how many succeeded. A row that throws is logged and retried later, and the others still
 * run. Inside a transaction, each row's work needs its own. An unreachable provider stops the whole run.
 */
export async function rowByRow<Row extends { id: Id }>(
  place: Place,
  job: string,
  rows: Row[],
  work: (row: Row) => Promise<unknown>,
): Promise<number> {
  const rests = restsOf(place, job)
  let done = 0
  for (const row of rows) {
    if ((rests.get(row.id)?.until ?? 0) > place.now().getTime()) continue
    try {
      await work(row)
      rests.delete(row.id)
      done++
    } catch (error) {
      if (isOutOfReach(error) || error instanceof PaymentsOutOfReach) throw error
      const times = (rests.get(row.id)?.times ?? 0) + 1
      const waits = Math.min(LONGEST, FIRST * 2 ** Math.min(times - 1, 10))
      rests.set(row.id, { times, until: place.now().getTime() + waits })
      place.log.error({ event: 'row postponed', job, id: row.id, times, err: error })
    }
  }
  return done
}

interface RowsJob<Row> extends Omit<Job, 'run'> {
  /** The rows to handle, without the resting ones. */
  due: (world: World, resting: number[]) => Promise<Row[]>
  handle: (world: World, row: Row) => Promise<unknown>
  /** Handled rows may still be due, so the next batch waits for the next run. */
  oneBatch?: true
}

export const rowsJob = <Row extends { id: Id }>({ due, handle, oneBatch, ...job }: RowsJob<Row>): Job => ({
  ...job,
  async run(world) {
    try {
      const rows = await due(world, restingRows(world, job.name))
      const done = await rowByRow(world, job.name, rows, (row) => handle(world, row))
      return oneBatch ? 0 : done
    } catch (error) {
      if (!(error instanceof PaymentsOutOfReach)) throw error
      // The next run tries again.
      world.log.warn({ event: 'payment provider out of reach' })
      return 0
    }
  },
})

/** A job whose due rows stay locked until each was handled in its own transaction. */
export function lockedRowsJob<Row extends { id: Id }>(job: Omit<RowsJob<Row>, 'lane'>): Job {
  const handle = (world: World, row: Row) => transaction(world, (world) => job.handle(world, row))
  const locked = rowsJob<Row>({ ...job, lane: 'database', handle })
  return { ...locked, run: (world) => transaction(world, locked.run) }
}
