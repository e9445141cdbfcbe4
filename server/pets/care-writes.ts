import { and, eq, gte, isNull, ne, sql } from 'drizzle-orm'
import { accountChanged } from '#contract/accounts.ts'
import type { CareItem } from '#contract/care.ts'
import { fail, failAt } from '#contract/errors.ts'
import type * as calls from '#contract/pets.ts'
import { daysAfter, localDay } from '#contract/regions.ts'
import type { Handler } from '../http/serve.ts'
import { transaction, type World } from '../context.ts'
import { careItems, pets, users } from '../db/schema.ts'
import { personRoom } from '../live/connections.ts'
import { petOf } from './reads.ts'
import { careAfter, isNear, missingCare } from './rules.ts'

type Place = Pick<World, 'db' | 'now'>

/** Gives a pet its missing care dates. */
export async function startCare({ db, now }: Place, petId: number) {
  const [pet] = await db
    .select({
      speciesId: pets.speciesId,
      dob: pets.dob,
      region: users.region,
      open: sql<CareItem[]>`array(select item from care_items where pet_id = ${pets.id} and done_on is null)`,
    })
    .from(pets)
    .innerJoin(users, eq(users.id, pets.ownerId))
    .where(eq(pets.id, petId))
  const missing = pet ? missingCare(pet, pet.open, localDay(pet.region, now())) : []
  if (missing.length === 0) return
  await db
    .insert(careItems)
    .values(missing.map((one) => ({ ...one, petId })))
    .onConflictDoNothing()
}

/** Marking an item done makes its next date; undoing it removes that date. */
export const tickCare: Handler<typeof calls.tickCare> = async (ctx, { id, done_on, due_on }) => {
  const { userId, region } = ctx.actor
  const today = localDay(region, ctx.now())
  if (done_on && !isNear(done_on, today)) failAt('done_on', 'INVALID_INPUT')
  if (done_on && done_on > today) failAt('done_on', 'CARE_DATE_WRONG')
  if (due_on && !isNear(due_on, today)) failAt('due_on', 'INVALID_INPUT')
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    // With the lock, a pet's dates change one at a time.
    const [found] = await db
      .select({ petId: pets.id, speciesId: pets.speciesId, dob: pets.dob, care: careItems })
      .from(careItems)
      .innerJoin(pets, eq(pets.id, careItems.petId))
      .where(and(eq(careItems.id, id), eq(pets.ownerId, userId), isNull(pets.putAwayAt)))
      .for('no key update', { of: pets })
    if (!found) return fail('NOT_FOUND')
    const { petId, care } = found
    const others = and(
      eq(careItems.petId, petId),
      eq(careItems.item, care.item),
      isNull(careItems.doneOn),
      ne(careItems.id, id),
    )
    const next = done_on ? (due_on ?? careAfter(care.item, found, done_on)) : null
    if (done_on !== undefined) {
      await db.delete(careItems).where(others)
      await finishCare(ctx, care, done_on, next)
    }
    const isOpen = (done_on === undefined ? care.doneOn : done_on) === null
    if (isOpen && due_on && due_on !== care.dueOn)
      await db
        .update(careItems)
        .set({ dueOn: await freeDay(ctx, petId, care.item, due_on), remindedAt: null })
        .where(eq(careItems.id, id))
    ctx.tell(personRoom(userId), accountChanged, { what: ['pets'] })
    return petOf(ctx, userId, petId)
  })
}

async function finishCare(
  ctx: Pick<World, 'db'>,
  { id, petId, item }: typeof careItems.$inferSelect,
  doneOn: string | null,
  next: string | null,
) {
  await ctx.db.update(careItems).set({ doneOn }).where(eq(careItems.id, id))
  if (next !== null)
    await ctx.db.insert(careItems).values({ petId, item, dueOn: await freeDay(ctx, petId, item, next) })
}

/** A weight ticks the plan's weighing, unless it's older than the last that did. The caller has locked the pet. */
export async function tickWeighing(ctx: Pick<World, 'db' | 'tell'>, petId: number, day: string) {
  const weighing = and(eq(careItems.petId, petId), eq(careItems.item, 'weight'))
  const [found] = await ctx.db
    .select({ care: careItems, ownerId: pets.ownerId, speciesId: pets.speciesId, dob: pets.dob })
    .from(careItems)
    .innerJoin(pets, eq(pets.id, careItems.petId))
    .where(and(weighing, isNull(careItems.doneOn)))
  const next = found ? careAfter('weight', found, day) : null
  if (!found || next === null || next < found.care.dueOn) return
  const [later] = await ctx.db
    .select({ id: careItems.id })
    .from(careItems)
    .where(and(weighing, gte(careItems.doneOn, day)))
  if (later) return
  await finishCare(ctx, found.care, day, next)
  ctx.tell(personRoom(found.ownerId), accountChanged, { what: ['pets'] })
}

/** An item has one entry per day, so if that day is taken we use the day after. */
async function freeDay(
  { db }: Pick<World, 'db'>,
  petId: number,
  item: CareItem,
  day: string,
): Promise<string> {
  const rows = await db
    .select({ dueOn: careItems.dueOn })
    .from(careItems)
    .where(and(eq(careItems.petId, petId), eq(careItems.item, item), gte(careItems.dueOn, day)))
  const taken = new Set(rows.map(({ dueOn }) => dueOn))
  let free = day
  while (taken.has(free)) free = daysAfter(free, 1)
  return free
}
