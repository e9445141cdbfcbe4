import { and, eq, gt, isNotNull, isNull, ne, not, notExists, or, sql } from 'drizzle-orm'
import { fail } from '#contract/errors.ts'
import { MINUTE } from '#contract/time.ts'
import type { World } from '../context.ts'
import { consultations, messages } from '../db/schema.ts'
import { followUpVet, isHeld } from './question-reads.ts'
import { lockConsultations, tellChange } from './writes.ts'

type Writer = Pick<World, 'db' | 'now' | 'tell'>

/** A vet often answers in several messages; they go into one mail. */
export const ANSWER_GATHERED_MS = MINUTE

/**
 * After the end, the owner's message is a question for a vet, and a vet's message answers it. Before the end, the
 * owner's message brings back a case that its vet had put aside. The message is already stored; a repeat changes nothing.
 */
export async function followUp(
  ctx: Writer,
  id: number,
  { seq, userId, at }: { seq: number; userId: number; at: Date },
) {
  const ended = and(eq(consultations.id, id), isNotNull(consultations.end))
  const answered = ctx.db
    .select({ seq: messages.seq })
    .from(messages)
    .where(
      and(
        eq(messages.consultationId, id),
        gt(messages.seq, seq),
        isNotNull(messages.userId),
        ne(messages.userId, userId),
      ),
    )
  const asked = await ctx.db
    .update(consultations)
    .set({ askedAgainAt: at, questionRead: null, questionMailDueAt: at })
    .where(
      and(ended, eq(consultations.userId, userId), isNull(consultations.askedAgainAt), notExists(answered)),
    )
    .returning({ id: consultations.id })
  const settled = await ctx.db
    .update(consultations)
    .set({
      askedAgainAt: null,
      questionMailDueAt: null,
      // A mail that is already planned includes this answer too.
      answerMailDueAt: sql`coalesce(${consultations.answerMailDueAt},
        ${new Date(at.getTime() + ANSWER_GATHERED_MS).toISOString()}::timestamptz)`,
    })
    .where(and(ended, ne(consultations.userId, userId), isNotNull(consultations.askedAgainAt)))
    .returning({ id: consultations.id })
  const woken = await ctx.db
    .update(consultations)
    .set({ snoozedUntil: null })
    .where(
      and(eq(consultations.id, id), eq(consultations.userId, userId), isNotNull(consultations.snoozedUntil)),
    )
    .returning({ id: consultations.id })
  if (asked.length + settled.length + woken.length > 0) tellChange(ctx, id, null)
}

/**
 * Gives a vet a question that any vet may answer; undefined if one vet has it to themselves. That depends on their duty
 * too, which is in another table. So it locks the row before reading it, and needs a transaction.
 */
export async function takeFollowUp(ctx: Writer, id: number, vetId: number) {
  const [asked] = await ctx.db
    .select({ id: consultations.id })
    .from(consultations)
    .where(and(eq(consultations.id, id), isNotNull(consultations.askedAgainAt)))
    .for('no key update')
  if (!asked) return undefined
  const [row] = await ctx.db
    .update(consultations)
    .set({ followUpVetId: vetId, followUpTakenAt: ctx.now() })
    .where(
      and(
        eq(consultations.id, id),
        isNotNull(consultations.askedAgainAt),
        ne(consultations.userId, vetId),
        not(isHeld(ctx.now())),
      ),
    )
    .returning({ owner: consultations.userId })
  return row
}

/** Closes a question that needs no answer, such as a thank-you. */
export async function closeQuestion(ctx: Writer, id: number, vetId: number) {
  const [row] = await ctx.db
    .update(consultations)
    .set({ askedAgainAt: null, questionMailDueAt: null })
    .where(
      and(
        eq(consultations.id, id),
        isNotNull(consultations.askedAgainAt),
        or(eq(followUpVet, vetId), eq(consultations.vetId, vetId)),
      ),
    )
    .returning({ owner: consultations.userId })
  if (!row) return fail('NOT_FOUND')
  tellChange(ctx, id, row.owner)
}

/** Nobody would read the answers to a person who has deleted their account. */
export async function closeQuestionsOf(ctx: Writer, userId: number) {
  const asked = and(eq(consultations.userId, userId), isNotNull(consultations.askedAgainAt))
  await lockConsultations(ctx, asked)
  const closed = await ctx.db
    .update(consultations)
    .set({ askedAgainAt: null, questionMailDueAt: null })
    .where(asked)
    .returning({ id: consultations.id })
  for (const { id } of closed) tellChange(ctx, id, null)
}
