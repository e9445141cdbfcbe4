import { setTimeout as pause } from 'node:timers/promises'
import { and, count, isNotNull, isNull, lt, lte, not, type SQLWrapper, sql } from 'drizzle-orm'
import { PROMISED_MINUTES } from '#contract/consultations.ts'
import { fail } from '#contract/errors.ts'
import { addMinutes } from '#contract/time.ts'
import { isPhone } from '../db/kinds.ts'
import type { Ctx, World } from '../context.ts'
import { canStore } from '../db/full-disk.ts'
import { consultations, mails, purchases, refunds, users } from '../db/schema.ts'

const DATABASE_ANSWERS_WITHIN = 3000

/** The database's answer; undefined if it fails or takes too long. */
export const answersSoon = <T>(answer: Promise<T>) =>
  Promise.race([answer.catch(() => undefined), pause(DATABASE_ANSWERS_WITHIN, undefined, { ref: false })])

export async function health({ db, env, files, stopping, isCarrierUp }: Ctx) {
  if (stopping()) fail('UNAVAILABLE', { retryAfter: 5 })
  if (!(await answersSoon(db.execute(sql`select 1`)))) fail('UNAVAILABLE', { retryAfter: 5 })
  if (!(await canStore({ db, env }))) fail('STORAGE_FULL', { retryAfter: 30 })
  return {
    ok: true as const,
    ...(!isCarrierUp() && { redis: 'away' as const }),
    ...(!files.isUp() && { files: 'away' as const }),
  }
}

export type ServiceFigures = Awaited<ReturnType<typeof serviceFigures>>

/** What an operator watches. Every part reads an index of open rows, so it stays fast on a large database. */
export async function serviceFigures({ db, now }: Pick<World, 'db' | 'now'>) {
  const at = now()
  const ago = (minutes: number) => addMinutes(at, -minutes)
  const seconds = (time: SQLWrapper) =>
    sql<number>`coalesce(extract(epoch from ${at}::timestamptz - min(${time}))::float, 0)`
  const isWaiting = and(isNull(consultations.end), isNull(consultations.vetId), not(isPhone))
  const isDue = and(isNull(mails.sentAt), isNull(mails.failedAt), lte(mails.dueAt, at))
  const [[queue], [taken], [duty], [due], [buying], [refunding]] = await Promise.all([
    db
      .select({
        waiting: count(),
        oldestWait: seconds(consultations.start),
        late: sql<number>`(count(*) filter (where ${consultations.start} < ${ago(PROMISED_MINUTES)}))::int`,
      })
      .from(consultations)
      .where(isWaiting),
    db
      .select({ inProgress: count() })
      .from(consultations)
      .where(and(isNull(consultations.end), isNotNull(consultations.vetId))),
    db.select({ onDuty: count() }).from(users).where(isNotNull(users.onDutySince)),
    db
      .select({ mailsDue: count(), oldestMail: seconds(mails.dueAt) })
      .from(mails)
      .where(isDue),
    db
      .select({ unfinished: count() })
      .from(purchases)
      .where(and(isNotNull(purchases.dueAt), lt(purchases.createdAt, ago(1)))),
    db.select({ refundsDue: count() }).from(refunds).where(isNotNull(refunds.dueAt)),
  ])
  return { ...queue!, ...taken!, ...duty!, ...due!, ...buying!, ...refunding! }
}

export const alive = () => ({ ok: true as const })
