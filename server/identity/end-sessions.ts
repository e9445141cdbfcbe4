import { and, eq, inArray, isNull, ne, or, type SQL } from 'drizzle-orm'
import { sessionEnded } from '#contract/accounts.ts'
import type { World } from '../context.ts'
import { consultations, sessions } from '../db/schema.ts'
import { sessionRoom } from '../live/connections.ts'

export type SessionWorld = Pick<World, 'db' | 'now' | 'tell' | 'hangUp'>

/** Ends sessions and their live connections, and returns how many ended. */
export async function endSessions(ctx: SessionWorld, which: SQL) {
  const ended = await ctx.db
    .update(sessions)
    .set({ endedAt: ctx.now() })
    .where(and(which, isNull(sessions.endedAt)))
    .returning({ id: sessions.id })
  for (const { id } of ended) {
    ctx.tell(sessionRoom(id), sessionEnded, {})
    ctx.hangUp(sessionRoom(id))
  }
  return ended.length
}

/** Ends a person's sessions except `spare`, including those that a mailed link or a purchase opened on their consults. */
export function endSessionsOf(ctx: SessionWorld, userId: number, spare = '') {
  const theirs = ctx.db
    .select({ id: consultations.id })
    .from(consultations)
    .where(eq(consultations.userId, userId))
  const which = or(eq(sessions.userId, userId), inArray(sessions.consultationId, theirs))
  return endSessions(ctx, and(which, ne(sessions.id, spare))!)
}
