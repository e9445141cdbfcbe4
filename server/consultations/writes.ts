import { and, eq, isNull } from 'drizzle-orm'
import type { World } from '../context.ts'
import { attachments, consultations, messages } from '../db/schema.ts'

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
