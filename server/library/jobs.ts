import { and, eq, lt, notExists, sql } from 'drizzle-orm'
import { DAY } from '#contract/time.ts'
import type { Job } from '../jobs/clock.ts'
import { libraryFiles, resources } from '../db/schema.ts'

/** Pages and phones may still show a replaced file for a while. */
const KEPT_UNNAMED = DAY

/** Deletes library files that were replaced, or whose resource was deleted or never saved. The row goes last, so a crash is repaired. */
const sweepLibrary: Job = {
  name: 'sweep library files',
  lane: 'files',
  everyMinutes: 60,
  async run({ db, now, files }) {
    const address = sql`'/media/library/' || ${libraryFiles.name}`
    const gone = await db
      .select({ name: libraryFiles.name })
      .from(libraryFiles)
      .where(
        and(
          lt(libraryFiles.storedAt, new Date(now().getTime() - KEPT_UNNAMED)),
          notExists(
            db
              .select({ id: resources.id })
              .from(resources)
              .where(
                sql`${resources.deletedAt} is null
                  and ${address} in (${resources.file}, ${resources.featuredImage}, ${resources.featuredImage2})`,
              ),
          ),
        ),
      )
      .limit(20)
    for (const { name } of gone) {
      await files.remove(`library/${name}`)
      await db.delete(libraryFiles).where(eq(libraryFiles.name, name))
    }
    return gone.length
  },
}

export const libraryJobs = [sweepLibrary]
