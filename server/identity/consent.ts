import type { World } from '../context.ts'
import { consents } from '../db/schema.ts'

interface Given {
  agreed?: boolean | undefined
  terms?: string | undefined
}

/** Records what a person agreed to, in which version, or that their client asked for itself. */
export const recordConsent = (ctx: Pick<World, 'db' | 'now'>, userId: number, call: string, given: Given) =>
  recordConsents(ctx, call, [{ userId, ...given }])

export async function recordConsents(
  { db, now }: Pick<World, 'db' | 'now'>,
  call: string,
  given: (Given & { userId: number })[],
) {
  const at = now()
  await db.insert(consents).values(
    given.map(({ userId, agreed, terms }) => ({
      userId,
      call,
      terms: terms ?? '',
      ticked: agreed === true,
      at,
    })),
  )
}
