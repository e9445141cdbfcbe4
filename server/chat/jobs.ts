import { and, eq, gt, lt, notExists } from 'drizzle-orm'
import { addDays, addHours } from '#contract/time.ts'
import { attachmentKey } from '../consultations/rules.ts'
import { attachments, messages } from '../db/schema.ts'
import type { Job } from '../jobs/clock.ts'

/** An earlier run has looked at older files. */
const LOOKED_BACK_DAYS = 7

/** Deletes files whose message was erased, or was never stored because the server died first. The row is deleted last. */
const sweepAttachments: Job = {
  name: 'sweep attachments',
  lane: 'files',
  everyMinutes: 10,
  async run({ db, files, now }) {
    const said = db.select().from(messages).where(eq(messages.attachmentId, attachments.id))
    const old = await db
      .select({ id: attachments.id, name: attachments.name })
      .from(attachments)
      .where(
        and(
          gt(attachments.createdAt, addDays(now(), -LOOKED_BACK_DAYS)),
          lt(attachments.createdAt, addHours(now(), -1)),
          notExists(said),
        ),
      )
      .limit(20)
    for (const { id, name } of old) {
      await files.remove(attachmentKey(name))
      await db.delete(attachments).where(eq(attachments.id, id))
    }
    return old.length
  },
}

export const chatJobs = [sweepAttachments]
