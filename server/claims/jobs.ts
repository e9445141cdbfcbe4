import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { HOUR } from '#contract/time.ts'
import type { Job } from '../jobs/clock.ts'
import { claims, mails } from '../db/schema.ts'
import { sweepUploads } from '../documents/uploads.ts'
import { CLAIM, invoiceKeys } from './rules.ts'

/** Marks a claim as sent once its mail to the insurer has been sent. */
const followClaims: Job = {
  name: 'follow claims',
  lane: 'database',
  everyMinutes: 1,
  async run({ db }) {
    const left = db
      .select({ one: sql`1` })
      .from(mails)
      .where(and(eq(mails.key, sql`${CLAIM} || ${claims.id}`), isNotNull(mails.sentAt)))
    await db
      .update(claims)
      .set({ state: 'sent' })
      .where(and(eq(claims.state, 'received'), sql`exists ${left}`))
  },
}

const sweepInvoices = sweepUploads({
  name: 'sweep invoices',
  type: 'invoice',
  keptUnnamed: HOUR,
  keysOf: invoiceKeys,
})

export const claimJobs = [followClaims, sweepInvoices]
