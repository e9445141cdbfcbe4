import { and, eq, exists, isNull, ne, notExists, notInArray, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { World } from '../context.ts'
import { careItems, petFacts, pets, petWeights } from '../db/schema.ts'
import { petNamed } from './reads.ts'

/** A guest's pet that is one of the account's: both have the same name and species. */
export interface SamePet {
  pet: number
  as: number
}

/** Moves a guest's pets to the account that the guest becomes, and answers those that the account has already. */
export async function movePets({ db }: Pick<World, 'db'>, from: number, to: number): Promise<SamePet[]> {
  const same: SamePet[] = []
  for (const { id, name, speciesId } of await db.select().from(pets).where(eq(pets.ownerId, from))) {
    const as = await petNamed({ db }, to, name, speciesId)
    if (as) same.push({ pet: id, as })
    else await db.update(pets).set({ ownerId: to }).where(eq(pets.id, id))
  }
  return same
}

/** Makes one pet of two. What the account didn't know of it comes from the guest's. Its consults have moved before. */
export async function unitePet({ db, now }: Pick<World, 'db' | 'now'>, { pet, as }: SamePet) {
  const [guests, own] = await Promise.all(
    [pet, as].map(async (id) => (await db.select().from(pets).where(eq(pets.id, id)))[0]!),
  )
  const { dob, dobApproximate } = own!.dob === null ? guests! : own!
  await db
    .update(pets)
    .set({
      breedId: own!.breedId ?? guests!.breedId,
      sex: own!.sex ?? guests!.sex,
      dob,
      dobApproximate,
      desexed: own!.desexed ?? guests!.desexed,
      uploadId: own!.uploadId ?? guests!.uploadId,
    })
    .where(eq(pets.id, as))

  const weighed = db.select({ on: petWeights.on }).from(petWeights).where(eq(petWeights.petId, as))
  await db
    .update(petWeights)
    .set({ petId: as })
    .where(and(eq(petWeights.petId, pet), notInArray(petWeights.on, weighed)))

  const known = alias(petFacts, 'known')
  const facts = (petId: number, ...more: SQL[]) =>
    db
      .select({ id: known.id })
      .from(known)
      .where(and(eq(known.petId, petId), isNull(known.endedAt), eq(known.kind, petFacts.kind), ...more))
  // "None" and a fact of the same kind contradict each other, and then the fact counts.
  const isNone = and(eq(petFacts.petId, as), isNull(petFacts.endedAt), eq(petFacts.name, ''))
  await db
    .update(petFacts)
    .set({ endedAt: now() })
    .where(and(isNone, exists(facts(pet, ne(known.name, '')))))
  await db
    .update(petFacts)
    .set({ petId: as })
    .where(and(eq(petFacts.petId, pet), notExists(facts(as, sql`${petFacts.name} in ('', ${known.name})`))))
  for (const table of [careItems, petWeights, petFacts]) await db.delete(table).where(eq(table.petId, pet))
  await db.delete(pets).where(eq(pets.id, pet))
}
