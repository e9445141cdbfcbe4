import { eq } from 'drizzle-orm'
import type { World } from '../context.ts'
import { pets } from '../db/schema.ts'

/** A guest's pets go with the guest into the account. */
export async function movePets({ db }: Pick<World, 'db'>, from: number, to: number) {
  await db.update(pets).set({ ownerId: to }).where(eq(pets.ownerId, from))
}
