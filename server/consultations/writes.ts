import { and, desc, eq, gt, inArray, isNull, ne, sql } from 'drizzle-orm'
import { accountChanged } from '#contract/accounts.ts'
import type { Parsed } from '#contract/call.ts'
import type * as calls from '#contract/consultations.ts'
import { messageSaid } from '#contract/chat.ts'
import { consultationChanged, SAME_WITHIN_SECONDS } from '#contract/consultations.ts'
import { fail } from '#contract/errors.ts'
import { isActive } from '#contract/memberships.ts'
import { isOpen, REGIONS } from '#contract/regions.ts'
import { record } from '../audit.ts'
import { recordConsent } from '../consent.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import {
  attachments,
  consultations,
  messages,
  notes,
  ratings,
  readMarks,
  summaries,
  users,
} from '../db/schema.ts'
import { subscriptionsOf } from '../memberships/reads.ts'
import { petOf } from '../pets/reads.ts'
import { personRoom, STAFF_ROOM } from '../serve.ts'
import { mayOpen, type Opener, roomOf } from './reads.ts'
import { attachmentKey, consultationRoom } from './rules.ts'

/** A guest's consultations, and what was said in them, go with the guest into the account. */
export async function moveConsultations({ db }: Pick<World, 'db'>, from: number, to: number) {
  await db.update(consultations).set({ userId: to }).where(eq(consultations.userId, from))
  await db.update(messages).set({ userId: to }).where(eq(messages.userId, from))
  await db.update(attachments).set({ userId: to }).where(eq(attachments.userId, from))
}

/** Erases what was said and written in a person's consultations. That they were held stays, for the figures. */
export async function forgetConsultationsOf({ db, files }: Pick<World, 'db' | 'files'>, userId: number) {
  const mine = eq(consultations.userId, userId)
  const theirs = db.select({ id: consultations.id }).from(consultations).where(mine)
  const sent = await db
    .select({ name: attachments.name })
    .from(attachments)
    .where(inArray(attachments.consultationId, theirs))
  for (const { name } of sent) await files.remove(attachmentKey(name))
  await db.delete(messages).where(inArray(messages.consultationId, theirs))
  await db.delete(attachments).where(inArray(attachments.consultationId, theirs))
  await db.delete(readMarks).where(inArray(readMarks.consultationId, theirs))
  await db.delete(notes).where(inArray(notes.consultationId, theirs))
  await db.delete(summaries).where(inArray(summaries.consultationId, theirs))
  await db.delete(ratings).where(inArray(ratings.consultationId, theirs))
  const nobody = JSON.stringify({ name: '', phone: '', email: '', pet: '', speciesId: null })
  await db
    .update(consultations)
    .set({
      petIssue: '',
      outcome: '',
      caller: sql`case when ${consultations.caller} is not null then ${nobody}::jsonb end`,
    })
    .where(mine)
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
    // Two presses at once wait for each other here, so that the second finds the first. So does who deletes the account.
    const [owner] = await db
      .select({ canConsult: users.canConsult })
      .from(users)
      .where(and(eq(users.id, userId), isNull(users.deletedAt)))
      .for('update')
    if (!owner) return fail('UNAUTHORIZED')
    const memberships = await subscriptionsOf(ctx, userId)
    if (!owner.canConsult || !memberships.some((one) => isActive(one, now))) fail('CONSULT_NEEDS_MEMBERSHIP')
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
    tellChange(ctx, started!.id, userId)
    return { consultation: started! }
  })
}

/* The life of one in the line. */

/** Opened by staff, it is written down who looked. A vet who opens what another vet closed says why. */
export async function getConsultation(ctx: Opener, { id, why }: Parsed<typeof calls.getConsultation>) {
  const { vetId, end } = await mayOpen(ctx, id)
  const { actor } = ctx
  if (actor.kind === 'vet' || actor.kind === 'admin') {
    const anothers = actor.kind === 'vet' && end !== null && vetId !== actor.userId
    if (anothers && !why) fail('CONSULT_SAY_WHY')
    await record(ctx, {
      userId: actor.userId,
      action: 'opened',
      subject: 'consultation',
      subjectId: id,
      ...(why && { reason: why }),
    })
  }
  return { consultation: await roomOf(ctx, id) }
}

type VetCtx = Ctx<readonly ['vet']>

/** Of two vets at once one gets it: the row is changed only while nobody has it. */
export async function takeConsultation(ctx: VetCtx, { id }: Parsed<typeof calls.takeConsultation>) {
  const { userId } = ctx.actor
  const vet = await vetOf(ctx, userId)
  if (!vet?.registration) return fail('CONSULT_VET_UNREGISTERED')
  const took = await transaction(ctx, async (ctx) => {
    const at = ctx.now()
    const [row] = await ctx.db
      .update(consultations)
      .set({ vetId: userId, vetStart: at })
      .where(
        and(
          eq(consultations.id, id),
          isNull(consultations.vetId),
          isNull(consultations.end),
          ne(consultations.userId, userId),
        ),
      )
      .returning({ owner: consultations.userId })
    if (!row) return false
    await houseSays(ctx, id, `${nameOf(vet)} joined`)
    await record(ctx, { userId, action: 'took', subject: 'consultation', subjectId: id })
    tellChange(ctx, id, row.owner)
    return true
  })
  if (!took) await sayWhyNot(ctx, id)
  return { consultation: await roomOf(ctx, id) }
}

/** Whoever has it already took it by an earlier try. */
async function sayWhyNot({ db, actor }: VetCtx, id: number) {
  const [row] = await db
    .select({ userId: consultations.userId, vetId: consultations.vetId, end: consultations.end })
    .from(consultations)
    .where(eq(consultations.id, id))
  if (!row) fail('NOT_FOUND')
  if (row.end !== null) fail('CONSULT_NOT_WAITING')
  if (row.userId === actor.userId) fail('CONSULT_OWN')
  if (row.vetId === actor.userId) return
  fail('CONSULT_TAKEN', { values: { vet: nameOf((await vetOf({ db }, row.vetId!))!) } })
}

export const handBackConsultation = (ctx: VetCtx, { id, note }: Parsed<typeof calls.handBackConsultation>) =>
  passOn(ctx, id, note, null)

export const handOverConsultation = (
  ctx: VetCtx,
  { id, vet_id, note }: Parsed<typeof calls.handOverConsultation>,
) => passOn(ctx, id, note, vet_id)

/** To a colleague on duty, or back to its place in the line; what was said and noted goes along. */
function passOn(ctx: VetCtx, id: number, note: string, to: number | null) {
  const { userId } = ctx.actor
  return transaction(ctx, async (ctx) => {
    const next = to === null ? null : await vetOf(ctx, to)
    if (next !== null && (!next?.onDutySince || !next.registration || to === userId)) fail('VET_NOT_ON_DUTY')
    const at = ctx.now()
    const [row] = await ctx.db
      .update(consultations)
      .set(next ? { vetId: to, vetStart: at } : { vetId: null, vetStart: null })
      .where(and(eq(consultations.id, id), eq(consultations.vetId, userId), isNull(consultations.end)))
      .returning({ owner: consultations.userId })
    if (!row) return fail('NOT_FOUND')
    if (next && row.owner === to) fail('CONSULT_OWN')
    await ctx.db.insert(notes).values({ consultationId: id, vetId: userId, body: note, at })
    await houseSays(
      ctx,
      id,
      next ? `${nameOf(next)} takes over` : 'Your vet had to leave. The next one reads everything you wrote.',
    )
    const details = { to }
    await record(ctx, { userId, action: 'passed on', subject: 'consultation', subjectId: id, details })
    tellChange(ctx, id, row.owner)
    if (to !== null) ctx.tell(personRoom(to), consultationChanged, { consultation: id })
    return {}
  })
}

/** Before a vet has joined an owner can always leave. Again it changes nothing. */
export async function cancelConsultation(
  ctx: Ctx<readonly ['owner', 'guest']>,
  { id }: Parsed<typeof calls.cancelConsultation>,
) {
  const { userId: owner } = await mayOpen(ctx, id)
  return transaction(ctx, async (ctx) => {
    const at = ctx.now()
    const cancelled = await ctx.db
      .update(consultations)
      .set({ end: at, cancelledAt: at })
      .where(and(eq(consultations.id, id), isNull(consultations.vetId), isNull(consultations.end)))
      .returning({ id: consultations.id })
    if (cancelled.length === 0) {
      const [row] = await ctx.db
        .select({ cancelledAt: consultations.cancelledAt })
        .from(consultations)
        .where(eq(consultations.id, id))
      return row!.cancelledAt === null ? fail('CONSULT_NOT_WAITING') : {}
    }
    tellChange(ctx, id, owner)
    return {}
  })
}

/** A line of the house in the conversation, numbered among the others. */
async function houseSays(ctx: Pick<World, 'db' | 'now' | 'tell'>, id: number, body: string) {
  const at = ctx.now()
  const [row] = await ctx.db
    .update(consultations)
    .set({ lastSeq: sql`${consultations.lastSeq} + 1` })
    .where(eq(consultations.id, id))
    .returning({ seq: consultations.lastSeq })
  const { seq } = row!
  const clientId = `house-${seq}`
  await ctx.db.insert(messages).values({ consultationId: id, seq, clientId, userId: null, body, at })
  const message = { seq, client_id: clientId, user_id: null, body, at: at.toISOString() }
  ctx.tell(consultationRoom(id), messageSaid, { consultation: id, message })
}

/** Its room, the line and its owner's pages look again. */
function tellChange(ctx: Pick<World, 'tell'>, id: number, owner: number | null) {
  for (const room of [consultationRoom(id), STAFF_ROOM])
    ctx.tell(room, consultationChanged, { consultation: id })
  if (owner !== null) ctx.tell(personRoom(owner), accountChanged, { what: ['consultations'] })
}

type Vet = NonNullable<Awaited<ReturnType<typeof vetOf>>>
const nameOf = ({ firstName, lastName }: Vet) => `Dr ${firstName} ${lastName}`.trim()

async function vetOf({ db }: Pick<World, 'db'>, id: number) {
  const [vet] = await db
    .select({
      firstName: users.firstName,
      lastName: users.lastName,
      registration: users.registration,
      onDutySince: users.onDutySince,
    })
    .from(users)
    .where(and(eq(users.id, id), eq(users.type, 2), isNull(users.deletedAt)))
  return vet
}
