import { eq } from 'drizzle-orm'
import { CONSULT_TYPES } from '#contract/consultations.ts'
import type { World } from '../context.ts'
import { consultations } from '../db/schema.ts'
import { tellChange } from './writes.ts'

/** Stores a phone consultation, which is over by the time it is recorded. */
export async function addPhoneConsultation(
  ctx: Pick<World, 'db' | 'now' | 'tell'>,
  consult: Pick<
    typeof consultations.$inferInsert,
    'region' | 'clinicId' | 'vetId' | 'caller' | 'petIssue' | 'outcome' | 'start'
  >,
): Promise<number> {
  const [row] = await ctx.db
    .insert(consultations)
    .values({ ...consult, type: CONSULT_TYPES.phone, vetStart: consult.start, end: ctx.now() })
    .returning({ id: consultations.id })
  tellChange(ctx, row!.id, null)
  return row!.id
}

/** Changes the outcome of a phone consult after it was recorded. */
export const noteOutcome = ({ db }: Pick<World, 'db'>, id: number, outcome: string) =>
  db.update(consultations).set({ outcome }).where(eq(consultations.id, id))
