import { randomInt } from 'node:crypto'
import { ne } from 'drizzle-orm'
import type { World } from '../context.ts'
import { smsMessages } from '../db/schema.ts'
import type { Job } from '../jobs/clock.ts'
import { SmsRefused, type Texter } from '../providers/sms.ts'
import { sending, sweeping } from './sending-jobs.ts'

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

const FIRST_PAUSE = 5
const LONGEST_PAUSE = 60
const NO_WORDS = { text: '' }

/** The provider recognises a repeat by its id. An SMS is given up if it was refused for good or is too late. */
export const sendSms = (texter: Texter): Job =>
  sending({
    what: 'sms',
    job: { name: 'send SMS', lane: 'sms' },
    table: smsMessages,
    claimSeconds: 60,
    send: (_, row) => texter(row),
    isForGood: (error) => error instanceof SmsRefused,
    pause: (attempts) => Math.min(LONGEST_PAUSE, FIRST_PAUSE * attempts),
    // It contains a link and a number.
    erased: ({ env }) => (env.smsUrl === undefined ? {} : NO_WORDS),
  })

export const sweepSms = sweeping('SMS', smsMessages, NO_WORDS, ne(smsMessages.text, ''))
