import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import type { Parsed } from '#contract/call.ts'
import type * as calls from '#contract/consultations.ts'
import { SAME_WITHIN_SECONDS } from '#contract/consultations.ts'
import { fail } from '#contract/errors.ts'
import { isActive } from '#contract/memberships.ts'
import { isOpen, REGIONS } from '#contract/regions.ts'
import { recordConsent } from '../consent.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { attachments, consultations, messages, users } from '../db/schema.ts'
import { subscriptionsOf } from '../memberships/reads.ts'
import { petOf } from '../pets/reads.ts'

/** A guest's consultations, and what was said in them, go with the guest into the account. */
export async function moveConsultations({ db }: Pick<World, 'db'>, from: number, to: number) {
  await db.update(consultations).set({ userId: to }).where(eq(consultations.userId, from))
  await db.update(messages).set({ userId: to }).where(eq(messages.userId, from))
  await db.update(attachments).set({ userId: to }).where(eq(attachments.userId, from))
}

/** What somebody who is no longer a vet had open goes back to the line, with its history and its place. */
export async function handBackConsultations({ db }: Pick<World, 'db'>, vetId: number) {
  await db
    .update(consultations)
    .set({ vetId: null, vetStart: null })
    .where(and(eq(consultations.vetId, vetId), isNull(consultations.end)))
}

/** A member enters the line. The same question again within a minute is the same consultation. */
export async function startConsultation(
  ctx: Ctx<readonly ['owner']>,
  { pet_id, pet_issue, type, agreed, terms }: Parsed<typeof calls.startConsultation>,
) {
  if (agreed === false) fail('CONSULT_TERMS_NOT_AGREED')
  const { userId, region } = ctx.actor
  const { hours } = REGIONS[region]
  if (hours && !isOpen(region, ctx.now())) fail('CONSULT_CLOSED_HOURS', { values: { hours: hours.says } })
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    const now = ctx.now()
    // Two presses at once wait for each other here, so that the second finds the first.
    const [owner] = await db
      .select({ canConsult: users.canConsult })
      .from(users)
      .where(eq(users.id, userId))
      .for('update')
    const memberships = await subscriptionsOf(ctx, userId)
    if (!owner!.canConsult || !memberships.some((one) => isActive(one, now))) fail('CONSULT_NEEDS_MEMBERSHIP')
    const pet = await petOf(ctx, userId, pet_id)
    const [same] = await db
      .select({ id: consultations.id })
      .from(consultations)
      .where(
        and(
          eq(consultations.userId, userId),
          eq(consultations.petId, pet.id),
          eq(consultations.type, type),
          eq(consultations.petIssue, pet_issue),
          isNull(consultations.end),
          gt(consultations.start, new Date(now.getTime() - SAME_WITHIN_SECONDS * 1000)),
        ),
      )
      .orderBy(desc(consultations.id))
      .limit(1)
    if (same) return { consultation: same }
    const [started] = await db
      .insert(consultations)
      .values({ type, region, userId, petId: pet.id, petIssue: pet_issue, start: now })
      .returning({ id: consultations.id })
    await recordConsent(ctx, userId, 'startConsultation', { agreed, terms })
    return { consultation: started! }
  })
}
