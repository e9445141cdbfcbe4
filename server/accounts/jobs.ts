import { asc, inArray, lt } from 'drizzle-orm'
import { RESET_CODE_MINUTES } from '#contract/accounts.ts'
import type { Job } from '../clock.ts'
import { transaction, type World } from '../context.ts'
import { codeRequests, sessions, tries } from '../db/schema.ts'
import { mail } from '../mail.ts'
import { resetCodeLetter } from './emails.ts'
import { accountOf } from './reads.ts'
import { newTypedCode, replaceCode } from '../codes.ts'
import { siteOfRegion } from '../env.ts'

/** Mails a code to each known email that one was asked for. */
const mailResetCodes: Job = {
  name: 'mail reset codes',
  run: (world) =>
    transaction(world, async (world) => {
      const { db } = world
      const asked = await db
        .select()
        .from(codeRequests)
        .orderBy(asc(codeRequests.id))
        .limit(20)
        .for('update', { skipLocked: true })
      for (const { email, at } of asked) await mailResetCode(world, email, at)
      const done = asked.map(({ id }) => id)
      if (done.length > 0) await db.delete(codeRequests).where(inArray(codeRequests.id, done))
      return done.length
    }),
}

async function mailResetCode(world: World, email: string, at: Date) {
  const account = await accountOf(world, email)
  if (!account) return
  const code = newTypedCode()
  await replaceCode(world, account.id, 'reset', code, new Date(at.getTime() + RESET_CODE_MINUTES * 60_000))
  const site = siteOfRegion(world, account.region)
  await mail(world, site, email, 'reset code', resetCodeLetter(site, account.firstName, code))
}

const KEEP_ENDED_DAYS = 30

/** Windows that closed, and sessions that have been over for a month. */
const sweep: Job = {
  name: 'sweep sessions and tries',
  everyMinutes: 60,
  async run({ db, now }) {
    const at = now()
    await db.delete(tries).where(lt(tries.closesAt, at))
    await db
      .delete(sessions)
      .where(lt(sessions.expiresAt, new Date(at.getTime() - KEEP_ENDED_DAYS * 86_400_000)))
    return 0
  },
}

export const accountJobs = [mailResetCodes, sweep]
