import { and, eq, inArray, isNull, lt } from 'drizzle-orm'
import { PICTURE_WIDTHS } from '#contract/pets.ts'
import type { Job } from '../clock.ts'
import { transaction } from '../context.ts'
import { uploads } from '../db/schema.ts'
import { pictureKeys } from './rules.ts'

const KEPT_UNNAMED = 24 * 3_600_000

/** A picture that no pet named within a day goes again, its row last, so that a crash in between is made good. */
const sweepPictures: Job = {
  name: 'sweep pictures',
  everyMinutes: 10,
  run: (world) =>
    transaction(world, async ({ db, now, files }) => {
      const old = await db
        .select({ id: uploads.id, name: uploads.name })
        .from(uploads)
        .where(
          and(
            eq(uploads.type, 'image'),
            isNull(uploads.namedAt),
            lt(uploads.createdAt, new Date(now().getTime() - KEPT_UNNAMED)),
          ),
        )
        .limit(20)
        .for('update', { skipLocked: true })
      for (const { name } of old)
        await Promise.all(pictureKeys(name, PICTURE_WIDTHS).map((key) => files.remove(key)))
      if (old.length > 0)
        await db.delete(uploads).where(
          inArray(
            uploads.id,
            old.map(({ id }) => id),
          ),
        )
      return old.length
    }),
}

export const petJobs = [sweepPictures]
