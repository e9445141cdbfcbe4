import { and, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { HOUR } from '#contract/time.ts'
import type { Job } from '../jobs/clock.ts'
import { claims, mails, uploads } from '../db/schema.ts'
import { forgetUpload } from '../documents/uploads.ts'
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

const KEPT_UNNAMED = HOUR

/** Deletes invoices whose claim was erased, or was never stored because the server died first. */
const sweepInvoices: Job = {
  name: 'sweep invoices',
  lane: 'files',
  everyMinutes: 10,
  async run(world) {
    const old = await world.db
      .select({ id: uploads.id, name: uploads.name })
      .from(uploads)
      .where(
        and(
          eq(uploads.type, 'invoice'),
          isNull(uploads.namedAt),
          lt(uploads.createdAt, new Date(world.now().getTime() - KEPT_UNNAMED)),
        ),
      )
      .limit(20)
    for (const { id, name } of old) {
      for (const key of invoiceKeys(name)) await world.files.remove(key)
      await forgetUpload(world, id)
    }
    return old.length
  },
}

export const claimJobs = [followClaims, sweepInvoices]
