import { and, asc, eq, isNull, notExists } from 'drizzle-orm'
import type { World } from '../context.ts'
import { pets, subscriptionPets } from '../db/schema.ts'

/** A person's pets without a membership place, oldest first. */
export const petsWithoutPlace = ({ db }: Pick<World, 'db'>, ownerId: number, most: number) =>
  db
    .select({ id: pets.id, name: pets.name, speciesId: pets.speciesId })
    .from(pets)
    .where(
      and(
        eq(pets.ownerId, ownerId),
        isNull(pets.putAwayAt),
        notExists(
          db
            .select({ id: subscriptionPets.id })
            .from(subscriptionPets)
            .where(and(eq(subscriptionPets.petId, pets.id), isNull(subscriptionPets.freeAt))),
        ),
      ),
    )
    .orderBy(asc(pets.id))
    .limit(most)
