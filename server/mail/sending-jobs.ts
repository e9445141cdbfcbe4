import { and, asc, eq, inArray, isNotNull, isNull, lt, or, sql, type SQL } from 'drizzle-orm'
import { DAY } from '#contract/time.ts'
import type { World } from '../context.ts'
import type { mails, smsMessages } from '../db/schema.ts'
import type { Job } from '../jobs/clock.ts'
import { isDue } from '../db/due.ts'

/* What mails and SMS have in common: each waits in a table, is claimed, sent and marked, and is erased in the end. */

type Outbox = typeof mails | typeof smsMessages
type Row<Table extends Outbox> = Table['$inferSelect']

interface Sending<Table extends Outbox> {
  /** Its name in the log. */
  what: 'mail' | 'sms'
  job: Pick<Job, 'name' | 'lane'>
  table: Table
  /** Long enough for a batch to end before its claim expires, even if the provider hangs. */
  claimSeconds: number
  send: (world: World, row: Row<Table>) => Promise<void>
  /** Whether a retry would be refused too. */
  isForGood: (error: unknown, row: Row<Table>) => boolean
  /** How many seconds to wait after this many tries. */
  pause: (attempts: number) => number
  /** The columns that we erase of one that was sent or is too late. With a sandbox, which shows them, there are none. */
  erased: (world: World) => object
  /** What the log says about it besides its id. */
  logged?: (row: Row<Table>) => object
}

const BATCH = 10
/** In seconds. */
export const LONGEST_PAUSE = 600

class TooLate extends Error {
  override name = 'TooLate'
}

/** Sends what is due: claim, send, mark as sent. After a crash in between, it's sent again under the same id. */
export function sending<Table extends Outbox>(way: Sending<Table>): Job {
  const { what, claimSeconds, send, isForGood, pause, erased, logged } = way
  const isMail = what === 'mail'
  // Drizzle can't follow a type parameter through a query; both tables have these columns.
  const table: Outbox = way.table
  return {
    ...way.job,
    async run(world) {
      const { db, now, log } = world
      const at = now()
      const due = db
        .select({ id: table.id })
        .from(table)
        .where(
          and(
            isNull(table.sentAt),
            isNull(table.failedAt),
            isDue(table.dueAt, at, LONGEST_PAUSE * 1000),
            or(isNull(table.claimedUntil), isDue(table.claimedUntil, at, claimSeconds * 1000)),
          ),
        )
        .orderBy(asc(table.dueAt), asc(table.id))
        .limit(BATCH)
        .for('update', { skipLocked: true })
      const claimed = (await db
        .update(table)
        .set({
          claimedUntil: new Date(at.getTime() + claimSeconds * 1000),
          attempts: sql`${table.attempts} + 1`,
        })
        .where(inArray(table.id, due))
        .returning()) as Row<Table>[]
      await Promise.all(
        claimed.map(async (row) => {
          const about = { [what]: row.id, ...logged?.(row) }
          const note = (columns: object) =>
            db
              .update(table)
              .set({ claimedUntil: null, ...columns })
              .where(eq(table.id, row.id))
          try {
            if (row.until && row.until <= now()) throw new TooLate('It was too late to send this')
            await send(world, row)
            await note({ sentAt: now(), error: null, ...erased(world) })
            log.info({ event: isMail ? 'mail sent' : 'sms sent', ...about })
          } catch (error) {
            const isLate = error instanceof TooLate
            const gaveUp = isLate || isForGood(error, row)
            await note({
              error: String(error).slice(0, 500),
              ...(isLate && erased(world)),
              ...(gaveUp
                ? { failedAt: now() }
                : { dueAt: new Date(now().getTime() + pause(row.attempts) * 1000) }),
            })
            const failure = { ...about, attempts: row.attempts, code: codeOf(error) }
            if (gaveUp) log.error({ event: isMail ? 'mail given up' : 'sms given up', ...failure })
            else log.warn({ event: isMail ? 'mail postponed' : 'sms postponed', ...failure })
          }
        }),
      )
      return claimed.length
    },
  }
}

const codeOf = (error: unknown) => (error as { code?: string }).code ?? (error as Error).name

const WORDS_KEPT = 90 * DAY
const ROWS_KEPT = 730 * DAY

/** Erases the text of what was sent or given up after three months, and its row after two years. */
export const sweeping = (what: 'mails' | 'SMS', table: Outbox, erased: object, hasWords: SQL): Job => ({
  name: `sweep ${what}`,
  lane: 'database',
  everyMinutes: 60,
  async run({ db, now }) {
    const before = (age: number) => lt(table.createdAt, new Date(now().getTime() - age))
    const isOver = or(isNotNull(table.sentAt), isNotNull(table.failedAt))
    await db.delete(table).where(and(isOver, before(ROWS_KEPT)))
    await db
      .update(table)
      .set(erased)
      .where(and(isOver, before(WORDS_KEPT), hasWords))
  },
})
