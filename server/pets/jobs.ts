import {
  and,
  asc,
  eq,
  exists,
  gt,
  inArray,
  isNull,
  lte,
  notExists,
  notInArray,
  sql,
  type SQL,
} from 'drizzle-orm'
import { columnsOf } from '../db/columns-of.ts'
import { idsOf } from '../db/ids-of.ts'
import { CARE_ITEMS } from '#contract/care.ts'
import { daysAfter, localDay, type Region, REGION_IDS } from '#contract/regions.ts'
import { addDays, DAY } from '#contract/time.ts'
import type { Job } from '../jobs/clock.ts'
import { transaction, type World } from '../context.ts'
import { careItems, pets, users } from '../db/schema.ts'
import { sweepUploads } from '../documents/uploads.ts'
import { mail } from '../mail/outbox.ts'
import { restingRows, rowByRow } from '../jobs/retry-by-row.ts'
import { careLetter } from './emails.ts'
import { isMembersPet } from './reads.ts'
import { pictureKeys } from './rules.ts'
import { startCare } from './care-writes.ts'

const BATCH = 50

/** Checking a pet takes about 12 µs, so with many of them, a run checks some and the next run continues after those. */
const LOOKED_AT = 50_000
const lookedUpTo = new WeakMap<World['env'], number>()

/** Gives members' pets missing care dates: for pets that came in another way, and items that start at an age. */
const planCare: Job = {
  name: 'plan care',
  lane: 'database',
  everyMinutes: 5,
  async run(world) {
    let last = lookedUpTo.get(world.env) ?? 0
    const upTo = last + LOOKED_AT
    do last = await planBatch(world, last, upTo)
    while (last > 0 && !world.stopping())
    const [behind] = await world.db.select({ id: pets.id }).from(pets).where(gt(pets.id, upTo)).limit(1)
    lookedUpTo.set(world.env, behind ? upTo : 0)
  },
}

/** Returns the last pet's id; 0 if there was none. */
const planBatch = (world: World, after: number, upTo: number) =>
  transaction(world, async (world) => {
    const open = sql`(select count(distinct item) from care_items where pet_id = ${pets.id} and done_on is null)`
    const batch = await world.db
      .select({ id: pets.id })
      .from(pets)
      .where(
        and(
          gt(pets.id, after),
          lte(pets.id, upTo),
          isNull(pets.putAwayAt),
          isMembersPet(world.now()),
          sql`${open} < ${CARE_ITEMS.length}`,
        ),
      )
      .orderBy(asc(pets.id))
      .limit(BATCH)
      .for('update', { skipLocked: true })
    await rowByRow(world, 'plan care', batch, ({ id }) => transaction(world, (world) => startCare(world, id)))
    return batch.at(-1)?.id ?? 0
  })

const REMIND_DAYS_BEFORE = 7

const REMIND = 'send care reminders'
/** One mail a day per owner, with everything due within a week. */
const remindOfCare: Job = {
  name: REMIND,
  lane: 'database',
  everyMinutes: 10,
  async run(world) {
    let sent = 0
    for (const region of REGION_IDS) sent += await transaction(world, (world) => remindBatch(world, region))
    return sent
  },
}

async function remindBatch(world: World, region: Region) {
  const { db, now } = world
  const at = now()
  const today = localDay(region, at)
  const due = and(
    isNull(careItems.doneOn),
    isNull(careItems.remindedAt),
    lte(careItems.dueOn, daysAfter(today, REMIND_DAYS_BEFORE)),
    isNull(pets.putAwayAt),
    isMembersPet(at),
  )
  const itemsWhere = (which: SQL | undefined) =>
    db
      .select({ id: careItems.id })
      .from(careItems)
      .innerJoin(pets, eq(pets.id, careItems.petId))
      .where(and(eq(pets.ownerId, users.id), which))
  const owners = await db
    .select({ id: users.id, email: users.email, firstName: users.firstName })
    .from(users)
    .where(
      and(
        eq(users.region, region),
        isNull(users.deletedAt),
        notInArray(users.id, restingRows(world, REMIND)),
        sql`coalesce(${users.notifications}->>'care', 'true') <> 'false'`,
        exists(itemsWhere(due)),
        notExists(itemsWhere(gt(careItems.remindedAt, addDays(at, -1)))),
      ),
    )
    .orderBy(asc(users.id))
    .limit(BATCH)
    .for('update', { skipLocked: true })
  return rowByRow(world, REMIND, owners, (owner) =>
    transaction(world, async (world) => {
      const { db } = world
      const items = await db
        .select({
          ...columnsOf(careItems, 'id', 'item', 'dueOn'),
          pet: pets.name,
          ...columnsOf(pets, 'speciesId', 'dob'),
        })
        .from(careItems)
        .innerJoin(pets, eq(pets.id, careItems.petId))
        .where(and(eq(pets.ownerId, owner.id), due))
        .orderBy(asc(careItems.dueOn), asc(pets.id))
      // Another instance was faster.
      if (items.length === 0) return
      const ids = idsOf(items)
      await db.update(careItems).set({ remindedAt: at }).where(inArray(careItems.id, ids))
      await mail(world, region, owner.email, 'care reminder', careLetter(region, owner.firstName, items))
    }),
  )
}

const sweepPictures = sweepUploads({
  name: 'sweep pictures',
  type: 'image',
  keptUnnamed: DAY,
  keysOf: pictureKeys,
})

export const petJobs = [sweepPictures, planCare, remindOfCare]
