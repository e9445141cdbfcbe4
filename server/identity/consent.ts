import type { World } from '../context.ts'
import { consents } from '../db/schema.ts'

/** Records what a person agreed to and in which version, or that only their client agreed. */
export async function recordConsent(
  { db, now }: Pick<World, 'db' | 'now'>,
  userId: number,
  call: string,
  { agreed, terms }: { agreed?: boolean | undefined; terms?: string | undefined },
) {
  await db.insert(consents).values({ userId, call, terms: terms ?? '', ticked: agreed === true, at: now() })
}
