import { and, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import { HERE_MS, someoneMoved } from '#contract/queue.ts'
import type { World } from '../context.ts'
import { isOpenOf } from '../db/kinds.ts'
import { consultations } from '../db/schema.ts'
import { tryTake } from '../identity/limits.ts'
import { consultationRoom, STAFF_ROOM } from '../live/connections.ts'
import { lockConsultations } from './writes.ts'

/** A vet is with one owner at a time. Their other owners are told that the vet will be back. */
export async function moveVet(ctx: Pick<World, 'db' | 'tell'>, vetId: number, to: number | null) {
  const isThis = to === null ? sql`false` : sql`(${consultations.id} = ${to}::int)`
  const changing = lockConsultations(ctx, and(isOpenOf(vetId), ne(consultations.vetHere, isThis)))
  const moved = await ctx.db
    .update(consultations)
    .set({ vetHere: isThis })
    .where(and(inArray(consultations.id, changing), eq(consultations.vetId, vetId)))
    .returning({ id: consultations.id })
  if (moved.length === 0) return
  const others = await ctx.db.select({ id: consultations.id }).from(consultations).where(isOpenOf(vetId))
  for (const { id } of others) ctx.tell(consultationRoom(id), someoneMoved, { consultation: id })
}

/**
 * The owner opened or closed the page of a consult. We push only a change, and to every vet's page only as often as a person
 * comes and goes. A change that we don't push isn't stored either: an owner who has left is noticed after a while anyway.
 */
export async function moveOwner(ctx: Pick<World, 'db' | 'now' | 'tell'>, id: number, here: boolean) {
  const before = new Date(ctx.now().getTime() - HERE_MS).toISOString()
  const [changed] = await ctx.db
    .select({ id: consultations.id })
    .from(consultations)
    .where(
      and(
        eq(consultations.id, id),
        here
          ? or(isNull(consultations.ownerSeenAt), sql`${consultations.ownerSeenAt} < ${before}::timestamptz`)
          : sql`${consultations.ownerSeenAt} is not null`,
      ),
    )
  if (changed && (await tryTake(ctx, 'comingAndGoing', String(id))) > 0) return
  await ctx.db
    .update(consultations)
    .set({ ownerSeenAt: here ? ctx.now() : null })
    .where(eq(consultations.id, id))
  if (!changed) return
  for (const room of [consultationRoom(id), STAFF_ROOM]) ctx.tell(room, someoneMoved, { consultation: id })
}
