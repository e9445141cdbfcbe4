import { randomInt } from 'node:crypto'
import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import type { World } from '../context.ts'
import { smsMessages } from '../db/schema.ts'
import type { Job } from '../jobs/clock.ts'
import { SmsRefused, type Texter } from '../providers/sms.ts'

const HIGHEST_ID = 2 ** 48 - 1

/** Stores an SMS in the same transaction as its cause; the clock sends it after the commit. A key is used only once, ever. */
export async function sms(
  ctx: Pick<World, 'db' | 'now' | 'wake'>,
  message: { to: string; text: string; key: string; until: Date },
): Promise<void> {
  const at = ctx.now()
  await ctx.db
    .insert(smsMessages)
    .values({ ...message, messageId: String(randomInt(1, HIGHEST_ID)), dueAt: at, createdAt: at })
    .onConflictDoNothing({ target: smsMessages.key })
  ctx.wake()
}

const BATCH = 10
const CLAIM_SECONDS = 60
const FIRST_PAUSE = 5
const LONGEST_PAUSE = 60

/**
 * Sends due SMS: claim, send, mark as sent. After a crash in between, one goes out again under the same id, which the
 * provider knows. One that was refused for good, or that nobody could act on any more, is given up.
 */
export function sendSms(texter: Texter): Job {
  return {
    name: 'send SMS',
    lane: 'sms',
    async run({ db, env, now, log }) {
      const at = now()
      const due = db
        .select({ id: smsMessages.id })
        .from(smsMessages)
        .where(
          and(
            isNull(smsMessages.sentAt),
            isNull(smsMessages.failedAt),
            lte(smsMessages.dueAt, at),
            or(isNull(smsMessages.claimedUntil), lte(smsMessages.claimedUntil, at)),
          ),
        )
        .orderBy(asc(smsMessages.dueAt), asc(smsMessages.id))
        .limit(BATCH)
        .for('update', { skipLocked: true })
      const claimed = await db
        .update(smsMessages)
        .set({
          claimedUntil: new Date(at.getTime() + CLAIM_SECONDS * 1000),
          attempts: sql`${smsMessages.attempts} + 1`,
        })
        .where(inArray(smsMessages.id, due))
        .returning()
      await Promise.all(
        claimed.map(async (row) => {
          const mine = eq(smsMessages.id, row.id)
          try {
            if (row.until <= at) throw new SmsRefused('It was too late to send this')
            await texter(row)
            // It holds a link and a number, so we erase it, except in the sandbox's inbox.
            const forgotten = env.smsUrl === undefined ? {} : { text: '' }
            await db
              .update(smsMessages)
              .set({ sentAt: now(), claimedUntil: null, error: null, ...forgotten })
              .where(mine)
            log.info({ event: 'sms sent', sms: row.id })
          } catch (error) {
            const gaveUp = error instanceof SmsRefused
            const waits = Math.min(LONGEST_PAUSE, FIRST_PAUSE * row.attempts)
            await db
              .update(smsMessages)
              .set({
                claimedUntil: null,
                error: String(error).slice(0, 500),
                ...(gaveUp ? { failedAt: now() } : { dueAt: new Date(now().getTime() + waits * 1000) }),
              })
              .where(mine)
            log[gaveUp ? 'error' : 'warn']({
              event: gaveUp ? 'sms given up' : 'sms postponed',
              sms: row.id,
              attempts: row.attempts,
              reason: (error as Error).message,
            })
          }
        }),
      )
      return claimed.length
    },
  }
}

const DAY = 86_400_000
const WORDS_KEPT = 90 * DAY
const ROWS_KEPT = 730 * DAY

/** Erases the text of an SMS after three months and its row after two years. */
export const sweepSms: Job = {
  name: 'sweep SMS',
  lane: 'database',
  everyMinutes: 60,
  async run({ db, now }) {
    const before = (age: number) => lt(smsMessages.createdAt, new Date(now().getTime() - age))
    const isOver = or(isNotNull(smsMessages.sentAt), isNotNull(smsMessages.failedAt))
    await db.delete(smsMessages).where(and(isOver, before(ROWS_KEPT)))
    await db
      .update(smsMessages)
      .set({ text: '' })
      .where(and(isOver, before(WORDS_KEPT), ne(smsMessages.text, '')))
    return 0
  },
}
