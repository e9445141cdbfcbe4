import { asc, eq, inArray, and, isNull } from 'drizzle-orm'
import { CATS_AND_DOGS, PETS_PER_MEMBERSHIP } from '#contract/pets.ts'
import type { World } from '../context.ts'
import { pawcarePets, subscriptionPets, subscriptions } from '../db/schema.ts'

export interface Place {
  subscriptionId: number
  place: number
  pawcareOut: boolean
}

/** The first free place in the oldest of these memberships that has one. The caller holds the owner's row. */
export async function placeWithRoom(
  { db }: Pick<World, 'db'>,
  subscriptionIds: number[],
): Promise<Place | null> {
  if (subscriptionIds.length === 0) return null
  const rows = await db
    .select({ id: subscriptions.id, pawcareOut: subscriptions.pawcareOut, taken: subscriptionPets.place })
    .from(subscriptions)
    .leftJoin(
      subscriptionPets,
      and(eq(subscriptionPets.subscriptionId, subscriptions.id), isNull(subscriptionPets.freeAt)),
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

/** The pet stands in the membership now; a cat or a dog begins its wait for PawCare unless the owner left that out. */
export async function takePlace(
  { db, now }: Pick<World, 'db' | 'now'>,
  { subscriptionId, place, pawcareOut }: Place,
  petId: number,
  speciesId: number,
) {
  await db.insert(subscriptionPets).values({ subscriptionId, place, petId, addedAt: now() })
  if (!pawcareOut && CATS_AND_DOGS.includes(speciesId))
    await db.insert(pawcarePets).values({ petId, optIn: now() })
}

/** Ends a pet's cover now. */
export async function leavePawCare({ db, now }: Pick<World, 'db' | 'now'>, petId: number) {
  await db
    .update(pawcarePets)
    .set({ optOut: now() })
    .where(and(eq(pawcarePets.petId, petId), isNull(pawcarePets.optOut)))
}
