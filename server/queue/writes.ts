import { and, eq, ne, sql } from 'drizzle-orm'
import { consultationChanged } from '#contract/consultations.ts'
import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/queue.ts'
import { SNOOZE_MINUTES } from '#contract/queue.ts'
import type { Region } from '#contract/regions.ts'
import { rosterChanged } from '#contract/roster.ts'
import { addHours, addMinutes } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import { record } from '../identity/audit.ts'
import { noteHandOver } from '../clinical/writes.ts'
import { vetJoinedLetter } from '../consultations/emails.ts'
import { moveOwner, moveVet } from '../consultations/presence-writes.ts'
import { mayOpen, ownerOf, roomOf } from '../consultations/reads.ts'
import { followUpVet } from '../consultations/question-reads.ts'
import { closeQuestion, takeFollowUp } from '../consultations/question-writes.ts'
import { isOpenOf, isVet, isWaiting } from '../db/kinds.ts'
import { onDutyIn } from '../consultations/region-reads.ts'
import { firstTaken } from '../consultations/room-reads.ts'
import { postFromVetChat, tellChange, tellWaiting, VET_LEFT } from '../consultations/writes.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { doctorName, fullName } from '../db/names.ts'
import { clinicCaseOfNobody } from '../escalation/reads.ts'
import { consultations, users } from '../db/schema.ts'
import { mail } from '../mail/outbox.ts'
import { STAFF_ROOM } from '../live/connections.ts'

type VetCtx = Ctx<readonly ['vet']>

/** Only an untaken row changes, so only one of two simultaneous vets gets it. Taking a case puts a vet on duty. */
export const takeConsultation: Handler<typeof calls.takeConsultation> = async (ctx, { id }) => {
  const { userId } = ctx.actor
  await mayOpen(ctx, id)
  const took = await transaction(ctx, async (ctx) => {
    const vet = await lockVet(ctx, userId)
    if (!vet?.registration) return fail('CONSULT_VET_UNREGISTERED')
    if (!vet.isNamed) return fail('CONSULT_VET_NAMELESS')
    const at = ctx.now()
    const [row] = await ctx.db
      .update(consultations)
      .set({ vetId: userId, vetStart: at })
      .where(and(eq(consultations.id, id), isWaiting, ne(consultations.userId, userId)))
      .returning({ owner: consultations.userId, wantsMail: consultations.mailWhenTaken })
    const question = row ? undefined : await takeFollowUp(ctx, id, userId)
    if (!row && !question) return undefined
    await ctx.db
      .update(users)
      .set({ onDutySince: vet.onDutySince ?? at, lastSeenAt: at })
      .where(eq(users.id, userId))
    if (!vet.onDutySince) await tellWaiting(ctx, vet.region)
    if (!row) {
      await record(ctx, userId, 'took the question', ['consultation', id])
      tellChange(ctx, id, question!.owner)
      return 'question'
    }
    await postFromVetChat(ctx, id, `${vet.name} joined`)
    await record(ctx, userId, 'took', ['consultation', id])
    if (row.wantsMail) await mailJoined(ctx, id, vet.name)
    tellChange(ctx, id, row.owner, [userId])
    return 'case'
  })
  // This locks the vet's other cases, which come before this one in the order of locks.
  if (took === 'case') await moveVet(ctx, userId, id)
  if (!took) await explainTaken(ctx, id)
  return { consultation: await roomOf(ctx, id) }
}

const JOINED_MAIL_HOURS = 1

async function mailJoined(ctx: VetCtx, id: number, vet: string) {
  const owner = await ownerOf(ctx, id)
  if (!owner) return
  await mail(ctx, owner.region, owner.email, 'vet joined', vetJoinedLetter(owner, vet), {
    // Once for each vet, however often they hand the case back and take it again.
    key: `joined ${id} ${ctx.actor.userId}`,
    until: addHours(ctx.now(), JOINED_MAIL_HOURS),
  })
}

/** Tells why a vet couldn't take a case. A retry by the vet who has it succeeds. */
async function explainTaken({ db, actor }: VetCtx, id: number) {
  const [row] = await db
    .select({
      ...columnsOf(consultations, 'userId', 'end', 'askedAgainAt'),
      vetId: followUpVet,
      vet: doctorName<string | null>(users),
    })
    .from(consultations)
    .leftJoin(users, eq(users.id, followUpVet))
    .where(eq(consultations.id, id))
  if (!row) fail('NOT_FOUND')
  if (row.end !== null && row.askedAgainAt === null) fail('CONSULT_NOT_WAITING')
  if (row.userId === actor.userId) fail('CONSULT_OWN')
  if (row.vetId === actor.userId) return
  // It was handed back just now, so we answer as if the other vet had been first.
  if (row.vet === null) fail('CHANGED_UNDER_YOU')
  fail('CONSULT_TAKEN', { values: { vet: row.vet } })
}

export const handBackConsultation: Handler<typeof calls.handBackConsultation> = (ctx, { id, note }) =>
  moveCase(ctx, id, note, null)

export const handOverConsultation: Handler<typeof calls.handOverConsultation> = (ctx, { id, vet_id, note }) =>
  moveCase(ctx, id, note, vet_id)

/** Moves a case to a colleague on duty, or back to its place in the queue, with its messages and notes. */
function moveCase(ctx: VetCtx, id: number, note: string, to: number | null) {
  const { userId } = ctx.actor
  return transaction(ctx, async (ctx) => {
    const next = to === null ? null : ((await lockVet(ctx, to)) ?? fail('VET_NOT_ON_DUTY'))
    if (next && (!next.onDutySince || !next.registration || to === userId)) fail('VET_NOT_ON_DUTY')
    const at = ctx.now()
    const mine = and(eq(consultations.id, id), isOpenOf(userId))
    const [held] = await ctx.db
      .select({ owner: consultations.userId, region: consultations.region, vet: doctorName(users) })
      .from(consultations)
      .innerJoin(users, eq(users.id, consultations.vetId))
      .where(mine)
      .for('no key update', { of: consultations })
    if (!held) return fail('NOT_FOUND')
    if (next && held.owner === to) fail('CONSULT_OWN')
    if (next && next.region !== held.region) fail('VET_NOT_ON_DUTY')
    await ctx.db
      .update(consultations)
      .set({
        ...(next ? { vetId: to, vetStart: at } : { vetId: null, vetStart: null }),
        firstTakenAt: firstTaken,
        snoozedUntil: null,
        vetHere: false,
      })
      .where(mine)
    await noteHandOver(ctx, id, userId, note)
    await postFromVetChat(
      ctx,
      id,
      next
        ? `${held.vet} had to leave. ${next.name} has taken over and will read everything you wrote.`
        : VET_LEFT,
    )
    const details = { to }
    await record(ctx, userId, 'handed over', ['consultation', id], { details })
    tellChange(ctx, id, held.owner, to === null ? [userId] : [userId, to])
    return {}
  })
}

/** A page reports that it has a consult open. Other people's consults don't change. */
export const lookAt: Handler<typeof calls.lookAt> = async (ctx, { consultation, here }) => {
  const { actor } = ctx
  if (actor.kind === 'vet') await moveVet(ctx, actor.userId, here ? consultation : null)
  else if (consultation !== null) {
    await mayOpen(ctx, consultation)
    await moveOwner(ctx, consultation, here)
  }
  return {}
}

/** Puts a consult aside until its owner writes, for half an hour at most. */
export const snoozeConsultation: Handler<typeof calls.snoozeConsultation> = async (ctx, { id, on }) => {
  const until = addMinutes(ctx.now(), SNOOZE_MINUTES)
  const changed = await ctx.db
    .update(consultations)
    .set({ snoozedUntil: on ? until : null })
    .where(and(eq(consultations.id, id), isOpenOf(ctx.actor.userId)))
    .returning({ id: consultations.id })
  if (changed.length === 0) fail('NOT_FOUND')
  ctx.tell(STAFF_ROOM, consultationChanged, { consultation: id, vets: [ctx.actor.userId] })
  return {}
}

export const settleFollowUp: Handler<typeof calls.settleFollowUp> = async (ctx, { id }) => {
  await closeQuestion(ctx, id, ctx.actor.userId)
  return {}
}

export const setDuty: Handler<typeof calls.setDuty> = (ctx, { on }) =>
  transaction(ctx, async (ctx) => {
    const { userId } = ctx.actor
    const vet = await lockVet(ctx, userId)
    if (!vet) return fail('UNAUTHORIZED')
    if (!on) await mayLeave(ctx, userId, vet.region)
    const at = ctx.now()
    const since = on ? (vet.onDutySince ?? at) : null
    await ctx.db.update(users).set({ onDutySince: since, lastSeenAt: at }).where(eq(users.id, userId))
    if (on !== (vet.onDutySince !== null)) {
      await tellWaiting(ctx, vet.region)
      ctx.tell(STAFF_ROOM, rosterChanged, {})
    }
    return { since }
  })

/**
 * Refused with an open case, because only this vet could write the note for handing it over, and to the last vet on duty
 * while nobody has a clinic's case.
 */
async function mayLeave(world: Pick<World, 'db'>, vetId: number, region: Region) {
  if ((await world.db.$count(consultations, isOpenOf(vetId))) > 0) fail('DUTY_CASES_OPEN')
  const colleagues = await world.db.$count(users, and(onDutyIn(region), ne(users.id, vetId)))
  const waits = colleagues === 0 && (await clinicCaseOfNobody(world, region))
  if (waits) fail('DUTY_CLINIC_WAITS', { values: waits })
}

/** Locks the vet, so their duty can't change meanwhile. */
async function lockVet({ db }: Pick<World, 'db'>, id: number) {
  const [vet] = await db
    .select({
      ...columnsOf(users, 'registration', 'region', 'onDutySince'),
      name: doctorName(users),
      isNamed: sql<boolean>`${fullName(users)} <> ''`,
    })
    .from(users)
    .where(and(eq(users.id, id), isVet))
    .for('no key update')
  return vet
}
