import { randomUUID } from 'node:crypto'
import { and, asc, eq, gt, gte, inArray, isNull, notInArray, or, sql } from 'drizzle-orm'
import { accountChanged } from '#contract/accounts.ts'
import { fail } from '#contract/errors.ts'
import { isActive } from '#contract/memberships.ts'
import { CATS_AND_DOGS, PETS_PER_MEMBERSHIP } from '#contract/pets.ts'
import { REGIONS, type Region } from '#contract/regions.ts'
import { idsOf } from '../db/ids-of.ts'
import { transaction, type World } from '../context.ts'
import { pawcarePets, pets, subscriptionPets, subscriptions } from '../db/schema.ts'
import type { Letter } from '../mail/mail-template.ts'
import { mail } from '../mail/outbox.ts'
import { mayMail } from '../mail/unconfirmed.ts'
import type { Provided } from '../providers/payments.ts'
import { personRoom } from '../live/connections.ts'
import {
  cancelledLetter,
  type Disputable,
  endedLetter,
  paymentFailedLetter,
  restartedLetter,
  type ToldOne,
} from './emails.ts'
import {
  activeMembershipsOf,
  disputedOf,
  membershipAt,
  petsApart,
  subscriptionOf,
  subscriptionsOf,
} from './reads.ts'
import { asProvided, graceEnd, isPartners, nextPrice } from './rules.ts'

export interface Place {
  subscriptionId: number
  place: number
  pawcareOut: boolean
}

/**
 * The first free place in the oldest of these memberships that has one. The caller has locked the owner. The provider may
 * end a membership without that lock, so it waits for ours, or we leave out the membership that it ended.
 */
export async function placeWithRoom({ db, now }: Pick<World, 'db' | 'now'>, memberships: { id: number }[]) {
  if (memberships.length === 0) return null
  const ids = idsOf(memberships)
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
    .where(and(inArray(subscriptions.id, ids), isNull(subscriptions.endedAt)))
    .orderBy(asc(subscriptions.id))
    .for('share', { of: subscriptions })
  for (const id of new Set(rows.map((row) => row.id))) {
    const own = rows.filter((row) => row.id === id)
    const taken = new Set(own.map((row) => row.taken))
    for (let place = 1; place <= PETS_PER_MEMBERSHIP; place++)
      if (!taken.has(place)) return { subscriptionId: id, place, pawcareOut: own[0]!.pawcareOut }
  }
  return null
}

/** Creates a membership after its first payment. */
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
 * Copies the provider's current state to our row; false if there is no row. Events may come twice and in any order, so
 * they only make us look. We write what we found only if nobody has written in between.
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
    const mailed = before.deletedAt === null ? letterOf(row, after) : undefined
    // An ended membership has no pets any more.
    const told = mailed && {
      ...row,
      firstName: before.firstName,
      price: nextPrice({ ...row, ...after }),
      pets: await petsApart(world, row),
      disputed: await disputedOf(world, row.id),
    }
    if (after.endedAt !== null) await leaveMembership(world, row.id, after.endedAt)
    else if (row.endedAt !== null) await rejoinMembership(world, row.id, row.endedAt)
    if (mailed && told && (await mayMail(world, before))) {
      const [template, letter] = mailed
      await mail(world, row.region, before.email, template, letter(told))
    }
    world.tell(personRoom(row.userId), accountChanged, { what: ['me', 'pets'] })
    return true
  })

/** Picks the mail for a change, whatever caused it. */
function letterOf(
  row: Before['row'],
  { endedAt, end, currentPeriodEnd, pastDueSince }: ReturnType<typeof asProvided>,
): [template: string, letter: (told: ToldOne & Disputable) => Letter] | undefined {
  if (row.endedAt !== null) return undefined
  if (endedAt !== null)
    // The end that they were told of needs no second mail.
    return row.end === null || endedAt < row.end
      ? ['membership ended', (told) => endedLetter(told, endedAt)]
      : undefined
  if (row.end === null && end !== null) return ['membership cancelled', (told) => cancelledLetter(told, end)]
  if (row.end !== null && end === null)
    return ['membership restarted', (told) => restartedLetter(told, currentPeriodEnd)]
  if (row.pastDueSince === null && pastDueSince !== null)
    return ['payment failed', (told) => paymentFailedLetter(told, graceEnd(pastDueSince))]
  return undefined
}

/** Ends a membership's places and cover at the same moment. */
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

/** Restores the pets of a membership that was restarted at the provider after it had ended here. */
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

/** The membership with this id, or else the active one. A partner's can't be changed. */
async function ownMembership(world: World, userId: number, id: number | null | undefined) {
  const one = id
    ? await subscriptionOf(world, userId, id)
    : ((await activeMembershipsOf(world, userId)).at(-1) ?? fail('SUBSCRIPTION_UPDATE_FAILED'))
  if (isPartners(one) || one.stripe_subscription === null) return fail('SUBSCRIPTION_MANAGED_BY_PARTNER')
  if (one.ended_at !== null || !isActive(one, world.now())) fail('SUBSCRIPTION_UPDATE_FAILED')
  return { ...one, stripe: one.stripe_subscription }
}

/** Charges a failed payment to the new card straight away instead of waiting for the provider's retry. */
export async function payArrears(world: World, userId: number) {
  for (const { grace_end, stripe_subscription: stripe } of await activeMembershipsOf(world, userId))
    if (grace_end !== null && stripe !== null)
      try {
        await world.payments.payAgain(stripe, `arrears-${randomUUID()}`)
        await followProvider(world, stripe)
      } catch (err) {
        // The card is on file, so the provider's retry can use it.
        world.log.warn({ event: 'payment not retried', user: userId, err })
      }
}

async function endWithPeriod(world: World, stripe: string) {
  await world.payments.cancelAtPeriodEnd(stripe, `cancel-${randomUUID()}`)
  await followProvider(world, stripe)
}

/** Ends a membership with its period, or straight away if that period is unpaid. A second call changes nothing. */
export async function cancelMembership(world: World, userId: number, id: number | null | undefined) {
  const one = await ownMembership(world, userId, id)
  if (one.end === null) {
    if (one.grace_end === null) await endWithPeriod(world, one.stripe)
    else {
      await world.payments.letGo(one.stripe, `end-${randomUUID()}`)
      await followProvider(world, one.stripe)
      // A payment that just succeeded bought the period, so the membership runs to its end.
      if ((await subscriptionOf(world, userId, one.id)).end === null) await endWithPeriod(world, one.stripe)
    }
  }
  return subscriptionOf(world, userId, one.id)
}

/** Takes a cancellation back while the membership still runs. */
export async function restartMembership(world: World, userId: number, id: number | null | undefined) {
  const one = await ownMembership(world, userId, id)
  if (one.end !== null) {
    if ((await disputedOf(world, one.id)) > 0) fail('SUBSCRIPTION_DISPUTED')
    await world.payments.restart(one.stripe, `restart-${randomUUID()}`)
    await followProvider(world, one.stripe)
  }
  const after = await subscriptionOf(world, userId, one.id)
  // It ended in between.
  return after.ended_at === null ? after : fail('SUBSCRIPTION_UPDATE_FAILED')
}

/** Ends all of a person's memberships now. After a failure, another call finishes the rest. */
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

/** Puts a pet in a membership. Cats and dogs start their PawCare waiting time unless the owner opted out. */
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

/** Frees a pet's place because it moves to another membership; its PawCare dates stay. */
export async function freePlace({ db, now }: Pick<World, 'db' | 'now'>, petId: number) {
  await db
    .update(subscriptionPets)
    .set({ freeAt: now() })
    .where(and(eq(subscriptionPets.petId, petId), isNull(subscriptionPets.freeAt)))
}

export async function leavePawCare({ db }: Pick<World, 'db'>, petId: number, at: Date) {
  await db
    .update(pawcarePets)
    .set({ optOut: at })
    .where(and(eq(pawcarePets.petId, petId), isNull(pawcarePets.optOut)))
}

/**
 * Finds a place in the membership that the partner insurer pays for, and opens another membership if all are full.
 * The caller has locked the owner.
 */
export async function insurerPlace(
  ctx: Pick<World, 'db' | 'now'>,
  { userId, region, policy }: { userId: number; region: Region; policy: string },
): Promise<Place> {
  const insured = (await subscriptionsOf(ctx, userId)).filter(
    (one) => one.source === 'insurer' && isActive(one, ctx.now()),
  )
  const free = await placeWithRoom(ctx, insured)
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

/** Ends a pet's insurer place and cover, and the membership with its last pet, even if that was put away before. */
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
    .returning({ id: subscriptionPets.id })
  if (left) await leavePawCare({ db }, petId, now())
  const stoodIn = db
    .select({ id: subscriptionPets.subscriptionId })
    .from(subscriptionPets)
    .where(eq(subscriptionPets.petId, petId))
  await db
    .update(subscriptions)
    .set({ status: 'canceled', end: now(), endedAt: now() })
    .where(
      and(
        inArray(subscriptions.id, stoodIn),
        eq(subscriptions.source, 'insurer'),
        isNull(subscriptions.endedAt),
        sql`not exists (select from ${subscriptionPets} where ${subscriptionPets.subscriptionId} = ${subscriptions.id} and ${subscriptionPets.freeAt} is null)`,
      ),
    )
}

/** Frees the place and ends cover with the paid period, or straight away if that is over or there is none. */
export async function leavePlace({ db, now }: Pick<World, 'db' | 'now'>, petId: number) {
  const at = now()
  const [left] = await db
    .update(subscriptionPets)
    .set({
      // The current period of an unpaid membership is the one that isn't paid.
      freeAt: sql`(select greatest(
          case when ${subscriptions.pastDueSince} is null then coalesce(${subscriptions.end}, ${subscriptions.currentPeriodEnd}) end,
          ${at.toISOString()}::timestamptz)
        from ${subscriptions} where ${subscriptions.id} = ${subscriptionPets.subscriptionId})`,
    })
    .where(and(eq(subscriptionPets.petId, petId), isNull(subscriptionPets.freeAt)))
    .returning({ freeAt: subscriptionPets.freeAt })
  await leavePawCare({ db }, petId, left?.freeAt ?? at)
}

/** A pet that returns before its place is free keeps it, and its cover. Returns whether it did. */
export async function keepPlace({ db, now }: Pick<World, 'db' | 'now'>, petId: number) {
  const kept = await db
    .update(subscriptionPets)
    .set({ freeAt: null })
    .where(and(eq(subscriptionPets.petId, petId), gt(subscriptionPets.freeAt, now())))
    .returning({ id: subscriptionPets.id })
  if (kept.length === 0) return false
  await db
    .update(pawcarePets)
    .set({ optOut: null })
    .where(and(eq(pawcarePets.petId, petId), gt(pawcarePets.optOut, now())))
  return true
}

/** A pet that returns later takes a free place. If its owner had opted it out on that membership, it stays out. */
export async function takePlaceAgain(
  ctx: Pick<World, 'db' | 'now'>,
  place: Place,
  { id, speciesId, putAwayAt }: { id: number; speciesId: number; putAwayAt: Date | null },
) {
  const since = putAwayAt!
  const [left] = await ctx.db
    .select({ id: subscriptionPets.id })
    .from(subscriptionPets)
    .where(
      and(
        eq(subscriptionPets.petId, id),
        eq(subscriptionPets.subscriptionId, place.subscriptionId),
        gte(subscriptionPets.freeAt, since),
      ),
    )
    .limit(1)
  const wasCovered = await ctx.db.$count(
    pawcarePets,
    and(eq(pawcarePets.petId, id), gte(pawcarePets.optOut, since)),
  )
  const isOut = left !== undefined && wasCovered === 0
  await takePlace(ctx, { ...place, pawcareOut: place.pawcareOut || isOut }, id, speciesId)
}
