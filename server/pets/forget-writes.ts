import { and, eq, inArray, notExists, notInArray, or, sql } from 'drizzle-orm'
import { idsOf } from '../db/ids-of.ts'
import type { World } from '../context.ts'
import { careItems, consultations, petFacts, pets, petWeights, uploads } from '../db/schema.ts'

/** Deletes a former owner's pictures, and the details of pets that no vet saw, except these, or of all. */
export async function forgetPetsOf(
  { db, now }: Pick<World, 'db' | 'now'>,
  ownerId: number,
  which: 'all' | { neverSeenBut: number[] },
) {
  const mine = eq(pets.ownerId, ownerId)
  const shown = db.select({ id: pets.uploadId }).from(pets).where(mine)
  const theirs = or(eq(uploads.userId, ownerId), inArray(uploads.id, shown))
  // The sweep deletes pictures that no pet uses.
  await db
    .update(uploads)
    .set({ namedAt: null })
    .where(and(eq(uploads.type, 'image'), theirs))
  await db.update(pets).set({ uploadId: null }).where(mine)
  const seen = db.select({ id: consultations.id }).from(consultations).where(eq(consultations.petId, pets.id))
  const nothing = { breedId: null, sex: null, dob: null, desexed: null, microchip: '', policyId: null }
  const at = now().toISOString()
  const putAwayAt = sql`coalesce(${pets.putAwayAt}, ${at}::timestamptz)`
  const putAwayWhy = sql`coalesce(${pets.putAwayWhy}, 'moved')`
  const forgotten = await db
    .update(pets)
    .set({ name: 'Forgotten', ...nothing, putAwayAt, putAwayWhy })
    .where(
      and(mine, which === 'all' ? undefined : and(notExists(seen), notInArray(pets.id, which.neverSeenBut))),
    )
    .returning({ id: pets.id })
  const ids = idsOf(forgotten)
  for (const table of [careItems, petWeights, petFacts])
    await db.delete(table).where(inArray(table.petId, ids))
}
