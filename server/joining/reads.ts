import { and, asc, eq, isNull, notExists } from 'drizzle-orm'
import type { World } from '../context.ts'
import { pets, subscriptionPets, users } from '../db/schema.ts'

type Db = Pick<World, 'db'>

/** Whether an account still exists. */
export async function isHere({ db }: Db, userId: number): Promise<boolean> {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
  return row !== undefined
}

/** A person's pets without a membership place, oldest first. */
export const petsWithoutPlace = ({ db }: Db, ownerId: number, most: number) =>
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
