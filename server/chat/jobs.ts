import { and, eq, gt, lt, notExists } from 'drizzle-orm'
import { addDays, addHours } from '#contract/time.ts'
import { attachments, messages } from '../db/schema.ts'
import type { Job } from '../jobs/clock.ts'
import { discard } from './writes.ts'

/** An earlier run has looked at older files. */
const LOOKED_BACK_DAYS = 7

/** Deletes files whose message was erased, or was never stored because the server died first. */
const sweepAttachments: Job = {
  name: 'sweep attachments',
  lane: 'files',
  everyMinutes: 10,
  async run(world) {
    const { db, now } = world
    const said = db.select().from(messages).where(eq(messages.attachmentId, attachments.id))
    const old = await db
      .select({ name: attachments.name })
      .from(attachments)
      .where(
        and(
          gt(attachments.createdAt, addDays(now(), -LOOKED_BACK_DAYS)),
          lt(attachments.createdAt, addHours(now(), -1)),
          notExists(said),
        ),
      )
      .limit(20)
    for (const one of old) await discard(world, one)
    return old.length
  },
}

export const chatJobs = [sweepAttachments]
