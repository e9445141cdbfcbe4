import { eq } from 'drizzle-orm'
import type { World } from '../context.ts'
import { purchases } from '../db/schema.ts'

/** A guest's receipts go with the guest into the account. */
export async function movePurchases({ db }: Pick<World, 'db'>, from: number, to: number) {
  await db.update(purchases).set({ userId: to }).where(eq(purchases.userId, from))
}
