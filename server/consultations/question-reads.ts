import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { FOLLOW_UP_MINUTES } from '#contract/queue.ts'
import type { World } from '../context.ts'
import { doctorName } from '../db/names.ts'
import { consultations, users } from '../db/schema.ts'
import { nextOnRoster, countOnDuty } from './room-reads.ts'
import { flagOf } from '../urgency/reads.ts'

type Reader = Pick<World, 'db' | 'now'>

/** The vet who answers follow-ups: the one who took the question, else the vet who ended the consult. */
export const followUpVet = sql<number>`coalesce(${consultations.followUpVetId}, ${consultations.vetId})`

/** Its vet has the question to themselves from when it's asked. An emergency goes to everyone until a vet takes it. */
const heldFrom = sql`case
  when ${consultations.questionRead} is null then greatest(${consultations.askedAgainAt}, ${consultations.followUpTakenAt})
  when ${consultations.followUpTakenAt} > ${consultations.askedAgainAt} then ${consultations.followUpTakenAt}
  else '-infinity' end`

/** Whether that vet still has the question to themselves: on duty, and for the first minutes. */
export const isHeld = (now: Date) => sql<boolean>`(
  ${heldFrom}
    > ${now.toISOString()}::timestamptz - ${FOLLOW_UP_MINUTES} * interval '1 minute'
  and exists (select from ${users} holder where holder.id = ${followUpVet}
    and holder.on_duty_since is not null and holder.deleted_at is null))`

/** Who has the question, for the owner who waits for its answer. */
export async function questionOf(
  ctx: Reader,
  {
    id,
    region,
    askedAgainAt,
    questionRead: read,
  }: Pick<typeof consultations.$inferSelect, 'id' | 'region' | 'askedAgainAt' | 'questionRead'>,
) {
  const [[held], onDuty] = await Promise.all([
    ctx.db
      .select({ vet_id: users.id, vet_name: doctorName(users) })
      .from(consultations)
      .innerJoin(users, eq(users.id, followUpVet))
      .where(and(eq(consultations.id, id), isHeld(ctx.now()))),
    countOnDuty(ctx, region),
  ])
  return {
    at: askedAgainAt!,
    ...(held ?? { vet_id: null, vet_name: null }),
    nobody: onDuty === 0,
    next: onDuty === 0 ? await nextOnRoster(ctx, region) : null,
    flag: read && (await flagOf(ctx, 'emergency', read)),
  }
}

/** Whether a colleague may read the case because any vet may answer its question. */
export async function isEveryones({ db, now }: Reader, id: number): Promise<boolean> {
  const [row] = await db
    .select({ held: isHeld(now()) })
    .from(consultations)
    .where(
      and(eq(consultations.id, id), isNotNull(consultations.askedAgainAt), isNull(consultations.cancelledAt)),
    )
  return row?.held === false
}
