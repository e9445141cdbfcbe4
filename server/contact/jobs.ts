import { asc, eq, inArray, lt } from 'drizzle-orm'
import { BACK_HOURS } from '#contract/contact.ts'
import { isOpen, REGION_IDS, type Region } from '#contract/regions.ts'
import { addHours } from '#contract/time.ts'
import { waitForNew } from '../consultations/room-reads.ts'
import { transaction, type World } from '../context.ts'
import { backAsks } from '../db/schema.ts'
import type { Job } from '../jobs/clock.ts'
import { mail } from '../mail/outbox.ts'
import { vetBackLetter } from './emails.ts'

/** We mail people in the order in which they asked, a few a minute, so that they don't all come to one vet at the same time. */
const A_MINUTE = 20
const BACK_MAIL_HOURS = 1

const tellOfVet: Job = {
  name: 'tell that a vet is back',
  lane: 'database',
  everyMinutes: 1,
  async run(world) {
    const before = addHours(world.now(), -BACK_HOURS)
    await world.db.delete(backAsks).where(lt(backAsks.askedAt, before))
    for (const region of REGION_IDS) await tellRegion(world, region)
    // Another run straight away would tell everybody within a second.
  },
}

async function tellRegion(world: World, region: Region) {
  if (!isOpen(region, world.now())) return
  const [waits] = await world.db.select().from(backAsks).where(eq(backAsks.region, region)).limit(1)
  if (!waits || !(await waitForNew(world, region)).minutes) return
  await transaction(world, async (world) => {
    const due = await world.db
      .select({ email: backAsks.email })
      .from(backAsks)
      .where(eq(backAsks.region, region))
      .orderBy(asc(backAsks.askedAt))
      .limit(A_MINUTE)
      .for('update', { skipLocked: true })
    const until = addHours(world.now(), BACK_MAIL_HOURS)
    for (const { email } of due) await mail(world, region, email, 'vet back', vetBackLetter, { until })
    const told = due.map(({ email }) => email)
    if (told.length > 0) await world.db.delete(backAsks).where(inArray(backAsks.email, told))
  })
}

export const contactJobs = [tellOfVet]
