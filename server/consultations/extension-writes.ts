import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { fail } from '#contract/errors.ts'
import type { World } from '../context.ts'
import { consultations } from '../db/schema.ts'
import { tellChange } from './writes.ts'

/** Lets the owner of an ended consult write and reopen it until this time. */
export async function extendFollowUp(ctx: Pick<World, 'db' | 'tell'>, id: number, until: Date) {
  const [extended] = await ctx.db
    .update(consultations)
    .set({ extendedUntil: until })
    .where(
      and(
        eq(consultations.id, id),
        isNotNull(consultations.end),
        isNotNull(consultations.vetId),
        isNull(consultations.cancelledAt),
      ),
    )
    .returning({ userId: consultations.userId })
  if (!extended) return fail('CONSULT_NOT_ENDED')
  tellChange(ctx, id, extended.userId)
}
