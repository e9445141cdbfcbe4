import {
  and,
  asc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  notExists,
  notInArray,
  notLike,
  sql,
} from 'drizzle-orm'
import { idsOf } from '../db/ids-of.ts'
import { RECORDS_KEPT_YEARS } from '#contract/profile.ts'
import { addDays, addMonths } from '#contract/time.ts'
import { isPhone } from '../db/kinds.ts'
import type { Job } from '../jobs/clock.ts'
import { openClaimsOf } from '../claims/reads.ts'
import { forgetNotes } from '../clinical/writes.ts'
import { forgetConsultations } from '../consultations/writes.ts'
import { transaction } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { consultations, customers, mails, users } from '../db/schema.ts'
import { membership } from '../joining/writes.ts'
import { endMembershipsOf } from '../payments/writes.ts'
import { endUnfinished } from '../purchases/writes.ts'
import { lockedRowsJob, rowsJob } from '../jobs/retry-by-row.ts'
import { GONE_ADDRESSES, goneAddress } from './rules.ts'
import { erase } from './writes.ts'

/** Erases people who left, once their last consultation needn't be kept by law and the insurer has decided their claims. */
const forget = lockedRowsJob({
  name: 'erase people who left',
  everyMinutes: 60,
  due(world, resting) {
    const { db, now } = world
    const keptSince = addMonths(now(), -RECORDS_KEPT_YEARS * 12).toISOString()
    return db
      .select({
        ...columnsOf(users, 'id', 'email', 'emailConfirmedAt', 'createdAt', 'deletedAt'),
        isGuest: users.guest,
      })
      .from(users)
      .where(
        and(
          isNotNull(users.deletedAt),
          notLike(users.email, GONE_ADDRESSES),
          notInArray(users.id, resting),
          notExists(openClaimsOf(world, users.id)),
          notExists(
            db
              .select({ id: consultations.id })
              .from(consultations)
              .where(
                and(
                  eq(consultations.userId, users.id),
                  sql`coalesce(${consultations.end}, ${consultations.start}) > ${keptSince}::timestamptz`,
                ),
              ),
          ),
        ),
      )
      .orderBy(asc(users.id))
      .limit(5)
      .for('update', { skipLocked: true })
  },
  handle: erase,
})

/** Erases what the consults of callers without an account say, after the same time. */
const forgetCallers: Job = {
  name: 'forget callers',
  lane: 'database',
  everyMinutes: 60,
  run: (world) =>
    transaction(world, async (world) => {
      const due = await world.db
        .select({ id: consultations.id })
        .from(consultations)
        .where(
          and(
            isPhone,
            isNull(consultations.userId),
            lt(consultations.start, addMonths(world.now(), -RECORDS_KEPT_YEARS * 12)),
            ne(consultations.petIssue, ''),
          ),
        )
        .limit(100)
        .for('update', { skipLocked: true })
      const theirs = inArray(consultations.id, idsOf(due))
      await forgetNotes(world, theirs)
      await forgetConsultations(world, theirs)
      return due.length
    }),
}

/** The mail that confirmed the deletion was the last that needed the person's address. */
const forgetLastMail: Job = {
  name: 'forget last mails',
  lane: 'database',
  everyMinutes: 60,
  async run({ db, now }) {
    await db
      .update(mails)
      .set({ to: goneAddress(0), text: '', html: '' })
      .where(
        and(
          eq(mails.template, 'account deleted'),
          ne(mails.to, goneAddress(0)),
          lt(mails.sentAt, addDays(now(), -1)),
        ),
      )
  },
}

/** Ends what was bought at the moment of leaving, and deletes the person at the provider. Retries until the provider answers. */
const leaveProvider = rowsJob({
  name: 'delete payment customers',
  lane: 'payments',
  everyMinutes: 10,
  due: ({ db }, resting) =>
    db
      .select({ id: users.id })
      .from(users)
      .innerJoin(customers, eq(customers.userId, users.id))
      .where(and(isNotNull(users.deletedAt), eq(users.guest, false), notInArray(users.id, resting)))
      .orderBy(asc(users.id))
      .limit(20),
  async handle(world, { id }) {
    await endUnfinished(world, membership, id)
    await endMembershipsOf(world, id)
  },
})

export const profileJobs = [forget, forgetCallers, forgetLastMail, leaveProvider]
