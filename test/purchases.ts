import { randomUUID } from 'node:crypto'
import { purchases } from '#server/db/schema.ts'
import type { TestWorld } from './world.ts'

export async function purchaseOf(
  { db, now }: Pick<TestWorld, 'db' | 'now'>,
  values: Partial<typeof purchases.$inferInsert> = {},
) {
  const key = randomUUID()
  const [row] = await db
    .insert(purchases)
    .values({
      kind: 'consult',
      region: 'za',
      amount: 450_00,
      currency: 'zar',
      email: `${key}@example.com`,
      tokenHash: key,
      idempotencyKey: key,
      payloadHash: key,
      order: {},
      createdAt: now(),
      ...values,
    })
    .returning()
  return row!
}
