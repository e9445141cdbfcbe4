import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { ShareStep } from '#contract/aftercare.ts'
import { transaction, type World } from '../context.ts'
import { consultations } from '../db/schema.ts'
import { record } from '../identity/audit.ts'
import { isClinicMailDue } from './reads.ts'
import { lockConsultations, tellChange } from './writes.ts'

/** Notes for the owner what was shared with a clinic, or what the clinic did with it. */
export const noteShare = (
  ctx: Pick<World, 'db' | 'now'>,
  id: number,
  action: ShareStep,
  details: { clinic: number; pictures?: boolean; by?: string },
  userId: number | null = null,
) => record(ctx, userId, action, ['clinic share', id], { details })

/** Records when the clinic first learned of the consult, and when we'll mail it, if not straight away. */
export async function markClinicNotified(ctx: Pick<World, 'db' | 'now'>, id: number, mailDueAt: Date | null) {
  const [told] = await ctx.db
    .update(consultations)
    .set({ clinicNotifiedAt: ctx.now(), clinicMailDueAt: mailDueAt })
    .where(
      and(
        eq(consultations.id, id),
        isNotNull(consultations.clinicId),
        isNull(consultations.clinicNotifiedAt),
      ),
    )
    .returning({ clinic: consultations.clinicId })
  if (told) await noteShare(ctx, id, 'told', { clinic: told.clinic! })
}

/** Records that the clinic has the case, at the time of its first confirmation. */
export const acceptForClinic = (
  ctx: Pick<World, 'db' | 'now' | 'tell' | 'hangUp' | 'wake'>,
  id: number,
  { personId, name }: { personId: number | null; name: string },
) =>
  transaction(ctx, async (ctx) => {
    const [accepted] = await ctx.db
      .update(consultations)
      .set({ clinicAcceptedAt: ctx.now(), clinicAcceptedBy: personId })
      .where(
        and(
          eq(consultations.id, id),
          isNotNull(consultations.clinicNotifiedAt),
          isNull(consultations.clinicAcceptedAt),
        ),
      )
      .returning({ owner: consultations.userId, clinic: consultations.clinicId })
    if (!accepted) return
    await noteShare(ctx, id, 'accepted', { clinic: accepted.clinic!, by: name })
    tellChange(ctx, id, accepted.owner)
  })

/** Takes all consults that we must mail a clinic about now, so that one mail has them all. */
export async function takeDueClinicMails(world: Pick<World, 'db' | 'now'>, clinicId: number) {
  const due = and(eq(consultations.clinicId, clinicId), isClinicMailDue(world))
  await lockConsultations(world, due)
  return world.db
    .update(consultations)
    .set({ clinicMailDueAt: null })
    .where(due)
    .returning({ id: consultations.id })
}
