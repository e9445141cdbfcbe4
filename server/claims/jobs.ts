import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Job } from '../jobs/clock.ts'
import { claims, mails } from '../db/schema.ts'

/** Marks a claim as sent once its mail to the insurer has gone out. */
const followClaims: Job = {
  name: 'follow claims',
  everyMinutes: 1,
  async run({ db }) {
    const left = db
      .select({ one: sql`1` })
      .from(mails)
      .where(and(eq(mails.key, sql`'claim ' || ${claims.id}`), isNotNull(mails.sentAt)))
    await db
      .update(claims)
      .set({ state: 'sent' })
      .where(and(eq(claims.state, 'received'), sql`exists ${left}`))
    return 0
  },
}

export const claimJobs = [followClaims]
