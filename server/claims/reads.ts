import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Claim, Incident } from '#contract/claims.ts'
import { localDay } from '#contract/regions.ts'
import type { Ctx, World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { claims, pawcarePets, pets, subscriptionPets, subscriptions, users } from '../db/schema.ts'
import { iso } from '../http/wire.ts'
import { usedIn } from './rules.ts'

/** Loads what decides an owner's claims. Includes pets that were put away, since one may have died of the incident. */
export async function casesOf({ db }: Pick<World, 'db'>, ownerId: number, petId?: number) {
  const own = await db
    .select({ pet: pets, region: users.region })
    .from(pets)
    .innerJoin(users, eq(users.id, pets.ownerId))
    .where(and(eq(pets.ownerId, ownerId), petId === undefined ? undefined : eq(pets.id, petId)))
    .orderBy(pets.id)
  const ids = own.map(({ pet }) => pet.id)
  const places = await db
    .select({
      ...columnsOf(subscriptionPets, 'petId', 'addedAt', 'freeAt'),
      subscriptionId: subscriptions.id,
      ...columnsOf(subscriptions, 'end', 'recurringStart', 'currency', 'region'),
    })
    .from(subscriptionPets)
    .innerJoin(subscriptions, eq(subscriptions.id, subscriptionPets.subscriptionId))
    .where(inArray(subscriptionPets.petId, ids))
    .orderBy(desc(subscriptionPets.id))
  const registrations = await db.select().from(pawcarePets).where(inArray(pawcarePets.petId, ids))
  const made = await db.select().from(claims).where(inArray(claims.petId, ids)).orderBy(desc(claims.id))
  return own.map(({ pet, region }) => ({
    ...pet,
    region,
    places: places.filter((one) => one.petId === pet.id),
    registrations: registrations.filter((one) => one.petId === pet.id),
    claims: made.filter((one) => one.petId === pet.id),
  }))
}

type OwnersPet = Awaited<ReturnType<typeof casesOf>>[number]

export const asClaim = (pet: Pick<OwnersPet, 'id' | 'name'>, row: OwnersPet['claims'][number]): Claim => ({
  id: row.id,
  pet: { id: pet.id, name: pet.name },
  incident: row.incident as Incident,
  happened_on: row.happenedOn,
  amount: row.amount,
  currency: row.currency,
  would_pay: row.wouldPay,
  state: row.state,
  decision: row.decision,
  at: iso(row.createdAt),
})

export async function listClaims(ctx: Ctx<readonly ['owner']>) {
  const own = await casesOf(ctx, ctx.actor.userId)
  const today = localDay(ctx.actor.region, ctx.now())
  return {
    claims: own
      .flatMap((pet) => pet.claims.map((row) => asClaim(pet, row)))
      .toSorted((one, other) => other.id - one.id),
    sent_from_here: ctx.env.insurerEmail !== undefined,
    used: own
      .filter(({ places }) => places.length > 0)
      .map((pet) => ({ pet_id: pet.id, ...usedIn(pet, pet.places[0]!.recurringStart, today) })),
  }
}
