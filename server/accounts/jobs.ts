import { asc, eq, lt, notInArray } from 'drizzle-orm'
import { RESET_CODE_MINUTES } from '#contract/accounts.ts'
import { addDays, addMinutes } from '#contract/time.ts'
import type { Job } from '../jobs/clock.ts'
import type { World } from '../context.ts'
import { codeRequests, sessions, tries } from '../db/schema.ts'
import { mail } from '../mail/outbox.ts'
import { mayMailAlias } from '../mail/unconfirmed.ts'
import { resetCodeLetter } from './emails.ts'
import { accountOf } from './reads.ts'
import { mailGuest } from './claim-writes.ts'
import { newTypedCode, replaceCode } from '../identity/codes.ts'
import { lockedRowsJob } from '../jobs/retry-by-row.ts'

/** Mails a code to each account whose email requested one. A guest gets the link that makes an account. */
const mailResetCodes = lockedRowsJob({
  name: 'mail reset codes',
  due: ({ db }, resting) =>
    db
      .select()
      .from(codeRequests)
      .where(notInArray(codeRequests.id, resting))
      .orderBy(asc(codeRequests.id))
      .limit(20)
      .for('update', { skipLocked: true }),
  async handle(world, { id, email, at }) {
    await mailResetCode(world, email, at)
    await world.db.delete(codeRequests).where(eq(codeRequests.id, id))
  },
})

async function mailResetCode(world: World, email: string, at: Date) {
  const account = await accountOf(world, email)
  if (!account) return mailGuest(world, email)
  if (account.isDemo && !world.env.demo) return
  if (!account.isConfirmed && !(await mayMailAlias(world, email))) return
  const code = newTypedCode()
  const until = addMinutes(at, RESET_CODE_MINUTES)
  await replaceCode(world, account.id, 'reset', code, until)
  await mail(world, account.region, email, 'reset code', resetCodeLetter(account.firstName, code), { until })
}

const KEEP_EXPIRED_DAYS = 30

/** Deletes closed limit windows, and sessions a month after they expired. */
const sweep: Job = {
  name: 'sweep sessions and tries',
  lane: 'database',
  everyMinutes: 60,
  async run({ db, now }) {
    const at = now()
    await db.delete(tries).where(lt(tries.closesAt, at))
    await db.delete(sessions).where(lt(sessions.expiresAt, addDays(at, -KEEP_EXPIRED_DAYS)))
  },
}

export const accountJobs = [mailResetCodes, sweep]
