import { and, eq, isNull, sql } from 'drizzle-orm'
import type { World } from '../context.ts'
import { pets, users } from '../db/schema.ts'

type Db = Pick<World, 'db'>

/** An account that hasn't been deleted. */
export async function accountAt({ db }: Db, userId: number) {
  const [account] = await db
    .select({ id: users.id, publicId: users.publicId })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
  return account
}

/** The person's existing pet of that name and species. */
export async function petNamed({ db }: Db, ownerId: number, name: string, speciesId: number) {
  const [pet] = await db
    .select({ id: pets.id })
    .from(pets)
    .where(
      and(
        eq(pets.ownerId, ownerId),
        eq(sql`lower(${pets.name})`, name.toLowerCase()),
        eq(pets.speciesId, speciesId),
        isNull(pets.putAwayAt),
      ),
    )
    .limit(1)
  return pet?.id
}
