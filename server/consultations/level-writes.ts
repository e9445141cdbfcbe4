import { and, desc, eq, isNotNull, isNull, ne, or } from 'drizzle-orm'
import type * as calls from '#contract/consultations.ts'
import { fail } from '#contract/errors.ts'
import type { Handler } from '../http/serve.ts'
import { transaction, type World } from '../context.ts'
import { consultations, levelChanges } from '../db/schema.ts'
import { tryTake } from '../identity/limits.ts'
import { urgencyOf } from '../urgency/reads.ts'
import { mayOpen, roomOf } from './reads.ts'
import { tellChange } from './writes.ts'

/**
 * Changes only the level that the vet saw, so the second of two vets is told to look again. A repeated press counts once.
 * Owners aren't told, except that a waiting consult raised to an emergency shows them a clinic.
 */
export const changeLevel: Handler<typeof calls.changeLevel> = async (ctx, { id, from, to, reason }) => {
  const { userId } = ctx.actor
  await mayOpen(ctx, id)
  await transaction(ctx, async (ctx) => {
    const [row] = await ctx.db
      .select({ urgency: consultations.urgency, end: consultations.end, owner: consultations.userId })
      .from(consultations)
      .where(eq(consultations.id, id))
      .for('no key update')
    if (!row) return fail('NOT_FOUND')
    if (row.end !== null) return fail('CONSULT_ENDED')
    if (row.urgency === to) {
      if (from === to) return
      const [last] = await ctx.db
        .select({ vetId: levelChanges.vetId, reason: levelChanges.reason })
        .from(levelChanges)
        .where(eq(levelChanges.consultationId, id))
        .orderBy(desc(levelChanges.id))
        .limit(1)
      if (last?.vetId === userId && last.reason === reason) return
    }
    if (row.urgency !== from || from === to) return fail('LEVEL_CHANGED', { values: { level: row.urgency } })
    await ctx.db
      .update(consultations)
      .set({ urgency: to })
      .where(and(eq(consultations.id, id), isNull(consultations.end)))
    await ctx.db
      .insert(levelChanges)
      .values({ consultationId: id, from, to, reason, vetId: userId, at: ctx.now() })
    tellChange(ctx, id, row.owner)
  })
  return { consultation: await roomOf(ctx, id) }
}

/**
 * What an owner writes while no vet reads along raises the consult if it names an emergency, and never lowers it. After
 * the end it raises only the question: the consult keeps the level that it was sorted at.
 */
export async function readAdded(
  ctx: Pick<World, 'db' | 'now' | 'tell'>,
  id: number,
  { userId, body }: { userId: number; body: string },
) {
  const canRise = and(
    eq(consultations.id, id),
    eq(consultations.userId, userId),
    or(
      and(isNull(consultations.end), ne(consultations.urgency, 'emergency')),
      and(isNotNull(consultations.askedAgainAt), isNull(consultations.questionRead)),
    ),
  )
  const [row] = await ctx.db.select().from(consultations).where(canRise)
  if (!row?.petId || (await tryTake(ctx, 'addedRead', String(id))) > 0) return
  const { petId, region, end } = row
  const signs = end === null ? row.urgencyRead?.signs : []
  const { urgency, urgencyRead } = await urgencyOf(ctx, { petId, petIssue: body, region }, signs)
  if (urgency !== 'emergency') return
  const raised = await ctx.db
    .update(consultations)
    .set(
      end === null
        ? { urgency, urgencyRead: { ...urgencyRead, raisedAt: ctx.now().toISOString() } }
        : { questionRead: urgencyRead },
    )
    .where(canRise)
    .returning()
  if (raised.length > 0) tellChange(ctx, id, row.userId)
}
