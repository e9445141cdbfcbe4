import { randomUUID } from 'node:crypto'
import { and, asc, eq, gt, inArray, isNull, notInArray, or, sql } from 'drizzle-orm'
import { accountChanged } from '#contract/accounts.ts'
import { fail } from '#contract/errors.ts'
import { isActive } from '#contract/memberships.ts'
import { CATS_AND_DOGS, PETS_PER_MEMBERSHIP } from '#contract/pets.ts'
import { REGIONS, type Region } from '#contract/regions.ts'
import { transaction, type World } from '../context.ts'
import { pawcarePets, pets, subscriptionPets, subscriptions } from '../db/schema.ts'
import { siteOfRegion } from '../env.ts'
import type { Letter } from '../mail/mail-template.ts'
import { mail } from '../mail/outbox.ts'
import type { Provided } from '../providers/payments.ts'
import { personRoom } from '../http/serve.ts'
import { cancelledLetter, endedLetter, paymentFailedLetter, restartedLetter } from './emails.ts'
import { activeMembershipsOf, membershipAt, subscriptionOf, subscriptionsOf } from './reads.ts'
import { asProvided, graceEnd, isPartners, nextPrice } from './rules.ts'

export interface Place {
  subscriptionId: number
  place: number
  pawcareOut: boolean
}

/** The first free place in the oldest of these memberships that has one. The caller holds the owner's row. */
export async function placeWithRoom(
  { db, now }: Pick<World, 'db' | 'now'>,
  subscriptionIds: number[],
): Promise<Place | null> {
  if (subscriptionIds.length === 0) return null
  const rows = await db
    .select({ id: subscriptions.id, pawcareOut: subscriptions.pawcareOut, taken: subscriptionPets.place })
    .from(subscriptions)
    .leftJoin(
      subscriptionPets,
      and(
        eq(subscriptionPets.subscriptionId, subscriptions.id),
        or(isNull(subscriptionPets.freeAt), gt(subscriptionPets.freeAt, now())),
      ),
    )
    .where(inArray(subscriptions.id, subscriptionIds))
    .orderBy(asc(subscriptions.id))
  for (const id of new Set(rows.map((row) => row.id))) {
    const own = rows.filter((row) => row.id === id)
    const taken = new Set(own.map((row) => row.taken))
    for (let place = 1; place <= PETS_PER_MEMBERSHIP; place++)
      if (!taken.has(place)) return { subscriptionId: id, place, pawcareOut: own[0]!.pawcareOut }
  }
  return null
}

/** A membership begins with its first payment. */
export async function addMembership(
  { db, now }: Pick<World, 'db' | 'now'>,
  provided: Provided,
  sold: Pick<typeof subscriptions.$inferInsert, 'userId' | 'plan' | 'region' | 'price' | 'currency'> &
    Partial<Pick<typeof subscriptions.$inferInsert, 'pawcareOut' | 'discount'>>,
): Promise<number> {
  const [row] = await db
    .insert(subscriptions)
    .values({
      ...sold,
      ...asProvided(provided, { pastDueSince: null, endedAt: null }, now()),
      stripeSubscription: provided.id,
      recurringStart: provided.currentPeriodStart,
      createdAt: now(),
    })
    .returning({ id: subscriptions.id })
  return row!.id
}

type Before = NonNullable<Awaited<ReturnType<typeof membershipAt>>>
const TRIES = 20

/**
 * Makes a membership's row what the provider has at this moment; false where no row is about it. Events may come doubled and in
 * any order: each only makes us look, and what was looked up is written only where nobody has written since.
 */
export async function followProvider(world: World, stripeSubscription: string): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await membershipAt(world, stripeSubscription)
    if (!before) return false
    const provided = await world.payments.subscription(stripeSubscription)
    if (!provided) {
      world.log.error({ event: 'membership unknown to the provider', membership: before.row.id })
      return true
    }
    if (await writeProvided(world, before, provided)) return true
  }
  throw new Error('A membership kept changing while it was looked up')
}

const writeProvided = (world: World, before: Before, provided: Provided): Promise<boolean> =>
  transaction(world, async (world) => {
    const { row, version } = before
    const after = asProvided(provided, row, world.now())
    const written = await world.db
      .update(subscriptions)
      .set(after)
      .where(and(eq(subscriptions.id, row.id), sql`${subscriptions}.xmin::text = ${version}`))
      .returning({ id: subscriptions.id })
    if (written.length === 0) return false
    if (after.endedAt !== null) await leaveMembership(world, row.id, after.endedAt)
    else if (row.endedAt !== null) await rejoinMembership(world, row.id, row.endedAt)
    const [template, letter] = letterOf(world, before, after) ?? []
    if (template && letter && before.deletedAt === null)
      await mail(world, siteOfRegion(world, row.region), before.email, template, letter)
    world.tell(personRoom(row.userId), accountChanged, { what: ['me', 'pets'] })
    return true
  })

/** What the member is told of a change, however it came about. */
function letterOf(
  world: World,
  { row, firstName }: Before,
  after: ReturnType<typeof asProvided>,
): [template: string, letter: Letter] | undefined {
  const site = siteOfRegion(world, row.region)
  const told = { ...row, firstName, price: nextPrice({ ...row, ...after }) }
  if (row.endedAt !== null) return undefined
  if (after.endedAt !== null)
    return row.end === null ? ['membership ended', endedLetter(site, told, after.endedAt)] : undefined
  if (row.end === null && after.end !== null)
    return ['membership cancelled', cancelledLetter(site, told, after.end)]
  if (row.end !== null && after.end === null)
    return ['membership restarted', restartedLetter(site, told, after.currentPeriodEnd)]
  if (row.pastDueSince === null && after.pastDueSince !== null)
    return ['payment failed', paymentFailedLetter(site, told, graceEnd(after.pastDueSince))]
  return undefined
}

/** With a membership end its pets' places and their cover, at the same moment. */
export async function leaveMembership({ db }: Pick<World, 'db'>, subscriptionId: number, at: Date) {
  const left = await db
    .update(subscriptionPets)
    .set({ freeAt: at })
    .where(
      and(
        eq(subscriptionPets.subscriptionId, subscriptionId),
        or(isNull(subscriptionPets.freeAt), gt(subscriptionPets.freeAt, at)),
      ),
    )
    .returning({ petId: subscriptionPets.petId })
  const petIds = left.map(({ petId }) => petId)
  await db
    .update(pawcarePets)
    .set({ optOut: sql`greatest(${pawcarePets.optIn}, ${at.toISOString()}::timestamptz)` })
    .where(
      and(inArray(pawcarePets.petId, petIds), or(isNull(pawcarePets.optOut), gt(pawcarePets.optOut, at))),
    )
}

/** One that was taken back at the provider after it had ended here: the pets that left at its end stand in it again. */
async function rejoinMembership({ db }: Pick<World, 'db'>, subscriptionId: number, endedAt: Date) {
  const standing = db
    .select({ petId: subscriptionPets.petId })
    .from(subscriptionPets)
    .where(isNull(subscriptionPets.freeAt))
  const back = await db
    .update(subscriptionPets)
    .set({ freeAt: null })
    .where(
      and(
        eq(subscriptionPets.subscriptionId, subscriptionId),
        eq(subscriptionPets.freeAt, endedAt),
        notInArray(subscriptionPets.petId, standing),
        sql`not exists (select from ${pets} where ${pets.id} = ${subscriptionPets.petId} and ${pets.putAwayAt} is not null)`,
      ),
    )
    .returning({ petId: subscriptionPets.petId })
  const petIds = back.map(({ petId }) => petId)
  await db
    .update(pawcarePets)
    .set({ optOut: null })
    .where(and(inArray(pawcarePets.petId, petIds), eq(pawcarePets.optOut, endedAt)))
}

/** The membership a person means: the one that is named, or the active one. A partner's is not theirs to change. */
async function ownMembership(world: World, userId: number, id: number | null | undefined) {
  const one = id
    ? await subscriptionOf(world, userId, id)
    : ((await activeMembershipsOf(world, userId)).at(-1) ?? fail('SUBSCRIPTION_UPDATE_FAILED'))
  if (isPartners(one) || one.stripe_subscription === null) return fail('SUBSCRIPTION_MANAGED_BY_PARTNER')
  if (one.ended_at !== null || !isActive(one, world.now())) fail('SUBSCRIPTION_UPDATE_FAILED')
  return { ...one, stripe: one.stripe_subscription }
}

/** A payment that failed is asked for again from the new card, so that nobody waits for the provider's next try. */
export async function payArrears(world: World, userId: number) {
  for (const { grace_end, stripe_subscription: stripe } of await activeMembershipsOf(world, userId))
    if (grace_end !== null && stripe !== null)
      try {
        await world.payments.payAgain(stripe, `arrears-${randomUUID()}`)
        await followProvider(world, stripe)
      } catch (err) {
        // The card is on file, and the provider tries again of itself.
        world.log.warn({ event: 'payment not asked for again', user: userId, err })
      }
}

async function endWithPeriod(world: World, stripe: string) {
  await world.payments.cancelAtPeriodEnd(stripe, `cancel-${randomUUID()}`)
  await followProvider(world, stripe)
}

/** Ends a membership at its period's end; one whose period is not paid for ends at once. Again it changes nothing. */
export async function cancelMembership(world: World, userId: number, id: number | null | undefined) {
  const one = await ownMembership(world, userId, id)
  if (one.end === null) {
    if (one.grace_end === null) await endWithPeriod(world, one.stripe)
    else {
      await world.payments.letGo(one.stripe, `end-${randomUUID()}`)
      await followProvider(world, one.stripe)
      // A try that succeeded in that very moment paid for the period, so it runs to its end.
      if ((await subscriptionOf(world, userId, one.id)).end === null) await endWithPeriod(world, one.stripe)
    }
  }
  return subscriptionOf(world, userId, one.id)
}

/** Takes a cancellation back while the membership still runs. */
export async function restartMembership(world: World, userId: number, id: number | null | undefined) {
  const one = await ownMembership(world, userId, id)
  if (one.end !== null) {
    await world.payments.restart(one.stripe, `restart-${randomUUID()}`)
    await followProvider(world, one.stripe)
  }
  const after = await subscriptionOf(world, userId, one.id)
  // Its last moment came in between.
  return after.ended_at === null ? after : fail('SUBSCRIPTION_UPDATE_FAILED')
}

/** Ends all of a person's memberships now; what a failure left undone is done when it is called again. */
export async function endAllMemberships(world: World, userId: number) {
  for (const { id, stripe_subscription: stripe, ended_at } of await subscriptionsOf(world, userId)) {
    if (ended_at !== null) continue
    if (stripe !== null && (await world.payments.subscription(stripe))?.endedAt === null)
      await world.payments.endNow(stripe, `end-${id}`)
    await transaction(world, async ({ db, now }) => {
      const at = now()
      await db
        .update(subscriptions)
        .set({ status: 'canceled', end: at, endedAt: at, pastDueSince: null })
        .where(eq(subscriptions.id, id))
      await leaveMembership({ db }, id, at)
    })
  }
}

/** The pet stands in the membership now; a cat or a dog begins its wait for PawCare unless the owner left that out. */
export async function takePlace(
  { db, now }: Pick<World, 'db' | 'now'>,
  { subscriptionId, place, pawcareOut }: Place,
  petId: number,
  speciesId: number,
) {
  await db.insert(subscriptionPets).values({ subscriptionId, place, petId, addedAt: now() })
  if (!pawcareOut && CATS_AND_DOGS.includes(speciesId))
    await db.insert(pawcarePets).values({ petId, optIn: now() }).onConflictDoNothing()
}

/** A pet that moves to another membership: its place is free now, and what PawCare counts goes on. */
export async function freePlace({ db, now }: Pick<World, 'db' | 'now'>, petId: number) {
  await db
    .update(subscriptionPets)
    .set({ freeAt: now() })
    .where(and(eq(subscriptionPets.petId, petId), isNull(subscriptionPets.freeAt)))
}

/** Ends a pet's cover now. */
export async function leavePawCare({ db, now }: Pick<World, 'db' | 'now'>, petId: number) {
  await db
    .update(pawcarePets)
    .set({ optOut: now() })
    .where(and(eq(pawcarePets.petId, petId), isNull(pawcarePets.optOut)))
}

/**
 * A place in the membership that the partner insurer pays for; a further one is opened where there is none with room.
 * The caller holds the owner's row.
 */
export async function insurerPlace(
  ctx: Pick<World, 'db' | 'now'>,
  { userId, region, policy }: { userId: number; region: Region; policy: string },
): Promise<Place> {
  const insured = (await subscriptionsOf(ctx, userId)).filter(
    (one) => one.source === 'insurer' && isActive(one, ctx.now()),
  )
  const free = await placeWithRoom(
    ctx,
    insured.map(({ id }) => id),
  )
  if (free) return free
  const [opened] = await ctx.db
    .insert(subscriptions)
    .values({
      userId,
      region,
      plan: 'annual',
      price: 0,
      currency: REGIONS[region].currency,
      status: 'active',
      source: 'insurer',
      subsId: policy,
      recurringStart: ctx.now(),
      createdAt: ctx.now(),
    })
    .returning({ id: subscriptions.id })
  return { subscriptionId: opened!.id, place: 1, pawcareOut: false }
}

/** The insurer's place of a pet is over, its cover too, and with the last of them the membership that they stood in. */
export async function endInsurerPlace({ db, now }: Pick<World, 'db' | 'now'>, petId: number) {
  const insurers = db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(eq(subscriptions.source, 'insurer'))
  const [left] = await db
    .update(subscriptionPets)
    .set({ freeAt: now() })
    .where(
      and(
        eq(subscriptionPets.petId, petId),
        isNull(subscriptionPets.freeAt),
        inArray(subscriptionPets.subscriptionId, insurers),
      ),
    )
    .returning({ subscriptionId: subscriptionPets.subscriptionId })
  if (!left) return
  await leavePawCare({ db, now }, petId)
  await db
    .update(subscriptions)
    .set({ status: 'canceled', end: now(), endedAt: now() })
    .where(
      and(
        eq(subscriptions.id, left.subscriptionId),
        sql`not exists (select from ${subscriptionPets} where ${subscriptionPets.subscriptionId} = ${subscriptions.id} and ${subscriptionPets.freeAt} is null)`,
      ),
    )
}

/** The place is free, and cover ends, when the period that was paid for ends; at once where there is none. */
export async function leavePlace({ db, now }: Pick<World, 'db' | 'now'>, petId: number) {
  const at = now()
  const [left] = await db
    .update(subscriptionPets)
    .set({
      freeAt: sql`(select greatest(coalesce(${subscriptions.end}, ${subscriptions.currentPeriodEnd}), ${at.toISOString()}::timestamptz)
        from ${subscriptions} where ${subscriptions.id} = ${subscriptionPets.subscriptionId})`,
    })
    .where(and(eq(subscriptionPets.petId, petId), isNull(subscriptionPets.freeAt)))
    .returning({ freeAt: subscriptionPets.freeAt })
  await db
    .update(pawcarePets)
    .set({ optOut: left?.freeAt ?? at })
    .where(and(eq(pawcarePets.petId, petId), isNull(pawcarePets.optOut)))
}
