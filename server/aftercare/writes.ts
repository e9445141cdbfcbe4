import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type * as calls from '#contract/aftercare.ts'
import { type CheckInAnswer, CONSULT_TYPES } from '#contract/consultations.ts'
import { fail } from '#contract/errors.ts'
import type { Handler } from '../http/serve.ts'
import { recordOnce } from '../identity/audit.ts'
import { fileAddress } from '../chat/rules.ts'
import { mailClinic } from '../clinical/writes.ts'
import { recordConsent } from '../identity/consent.ts'
import { mayOpen, mayRead } from '../consultations/reads.ts'
import { followUpEnds } from '../consultations/rules.ts'
import { noteShare } from '../consultations/clinic-writes.ts'
import {
  enterQueue,
  postFromVetChat,
  refuseOneTooMany,
  refuseWhileClosed,
  tellChange,
} from '../consultations/writes.ts'
import { isStaff, transaction, type World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { clinics, consultations, pets, summaries, users } from '../db/schema.ts'
import { take } from '../identity/limits.ts'
import { hashOf } from '../identity/secrets.ts'
import { petOf } from '../pets/reads.ts'
import { lockPerson, openSession } from '../identity/session.ts'
import { writable } from './reads.ts'
import { planName } from './rules.ts'

const SAYS: Record<CheckInAnswer, string> = {
  better: 'is better',
  same: 'is about the same',
  worse: 'is worse',
}

/** Accepts the owner's answer to the follow-up. A repeated answer is posted once. */
export const checkIn: Handler<typeof calls.checkIn> = async (ctx, { id, answer }) => {
  await mayOpen(ctx, id)
  return transaction(ctx, async (ctx) => {
    const [row] = await ctx.db
      .select({
        asked: isNotNull(consultations.followUpAt).mapWith(Boolean),
        before: consultations.checkIn,
        owner: consultations.userId,
        firstName: users.firstName,
        pet: pets.name,
        died: sql<boolean>`${pets.putAwayWhy} is not distinct from 'died'`,
      })
      .from(consultations)
      .innerJoin(users, eq(users.id, consultations.userId))
      .innerJoin(pets, eq(pets.id, consultations.petId))
      .where(eq(consultations.id, id))
      .for('no key update', { of: consultations })
    if (!row?.asked || row.died) return fail('CHECK_IN_CLOSED')
    if (row.before === answer) return {}
    await take(ctx, 'checkIns', String(id))
    await ctx.db
      .update(consultations)
      .set({ checkIn: answer, checkInAt: ctx.now() })
      .where(eq(consultations.id, id))
    await postFromVetChat(ctx, id, `${row.firstName || 'The owner'} says that ${row.pet} ${SAYS[answer]}`)
    tellChange(ctx, id, row.owner)
    return {}
  })
}

/**
 * Reopens a consult in the queue, free of charge, during the follow-up time. A repeated call returns the same consult.
 * A paid consult can be reopened once, or one payment would buy consults for ever. Members start new ones for free.
 */
export const reopenConsultation: Handler<typeof calls.reopenConsultation> = async (ctx, { id, query }) => {
  const { userId } = await mayOpen(ctx, id)
  if (userId === null) return fail('REOPEN_NOT_ENDED')
  const consultation = await transaction(ctx, async (ctx) => {
    // The lock makes an account deletion, or a second press, wait here.
    await lockPerson(ctx, userId)
    const [known] = await ctx.db
      .select({ id: consultations.id })
      .from(consultations)
      .where(eq(consultations.goesOnFrom, id))
    return known ?? reopen(ctx, id, userId, query)
  })
  const { kind, sessionId } = ctx.actor
  // A repeated call returns the same session.
  const session = { agent: ctx.agent, id: hashOf(`session reopened from ${sessionId}`) }
  const token = kind === 'guest' ? await openSession(ctx, { consultationId: consultation.id }, session) : null
  return { consultation, token }
}

async function reopen(ctx: Pick<World, 'db' | 'now' | 'tell'>, id: number, userId: number, petIssue: string) {
  const [earlier] = await ctx.db.select().from(consultations).where(eq(consultations.id, id))
  const { type, region, petId, vetId, goesOnFrom } = earlier!
  if (goesOnFrom !== null) fail('REOPEN_ONCE')
  const until = followUpEnds(earlier!)
  if (until === null || vetId === null || petId === null || type === CONSULT_TYPES.phone)
    return fail('REOPEN_NOT_ENDED')
  if (until <= ctx.now()) fail('REOPEN_TOO_LATE')
  refuseWhileClosed(ctx, region)
  await petOf(ctx, userId, petId)
  await refuseOneTooMany(ctx, userId)
  const fresh = await enterQueue(ctx, { type, region, userId, petId, petIssue, goesOnFrom: id })
  await postFromVetChat(ctx, id, 'This continues in a new consult.')
  await postFromVetChat(ctx, fresh, 'This continues an earlier consult. The vet can see the notes from it.')
  tellChange(ctx, id, userId)
  return { id: fresh }
}

/**
 * Stores the choice with its time. After the owner takes the consult back, a clinic keeps the mail it has and sees
 * nothing more. A consult that has ended is mailed straight away.
 */
export const chooseClinic: Handler<typeof calls.chooseClinic> = async (
  ctx,
  { id, clinic, agreed, pictures, terms },
) => {
  await mayOpen(ctx, id)
  return transaction(ctx, async (ctx) => {
    const [row] = await ctx.db
      .select({
        ...columnsOf(consultations, 'type', 'region', 'clinicId', 'end'),
        owner: consultations.userId,
        sharedAt: consultations.clinicSharedAt,
        picturesAt: consultations.clinicPicturesAt,
        notifiedAt: consultations.clinicNotifiedAt,
      })
      .from(consultations)
      .where(eq(consultations.id, id))
      .for('no key update')
    const { type, region, owner, clinicId, sharedAt, picturesAt, notifiedAt, end } = row!
    const has = sharedAt && clinicId
    const withPictures = clinic !== null && (pictures ?? (clinic === has && picturesAt !== null))
    if (clinic !== null && !agreed) fail('CLINIC_NOT_AGREED')
    if (clinic === has && withPictures === (picturesAt !== null)) return {}
    if (type === CONSULT_TYPES.phone || owner === null) return fail('CLINIC_HAS_IT')
    const at = ctx.now()
    if (clinic === null) {
      await ctx.db
        .update(consultations)
        .set({ clinicSharedAt: null, clinicPicturesAt: null, ...(notifiedAt === null && { clinicId: null }) })
        .where(eq(consultations.id, id))
      await noteShare(ctx, id, 'taken back', { clinic: has! }, owner)
    } else {
      if (has !== null && has !== clinic && notifiedAt !== null) fail('CLINIC_HAS_IT')
      const theirs = and(eq(clinics.id, clinic), eq(clinics.region, region), writable)
      if ((await ctx.db.$count(clinics, theirs)) === 0) fail('NOT_FOUND')
      // Sharing is recorded and may send a mail, so it's limited. Taking back isn't.
      if (clinic !== has || withPictures) await take(ctx, 'clinicShares', String(id))
      await recordConsent(ctx, owner, 'chooseClinic', { agreed, terms })
      await ctx.db
        .update(consultations)
        .set({
          clinicId: clinic,
          clinicSharedAt: at,
          clinicPicturesAt: withPictures ? at : null,
          ...(clinic !== clinicId && {
            clinicNotifiedAt: null,
            clinicAcceptedAt: null,
            clinicAcceptedBy: null,
            clinicMailDueAt: null,
          }),
        })
        .where(eq(consultations.id, id))
      await noteShare(ctx, id, 'shared', { clinic, pictures: withPictures }, owner)
      const hasMail = clinic === clinicId && notifiedAt !== null
      if (end !== null && !hasMail) await mailClinic(ctx, id)
    }
    tellChange(ctx, id, owner)
    return {}
  })
}

/** Records which staff opened the plan. A vet who didn't end the consult has already given a reason. */
export const getPlanFile: Handler<typeof calls.getPlanFile> = async (ctx, { id }) => {
  await mayRead(ctx, id)
  const [written] = await ctx.db
    .select({ at: summaries.at })
    .from(summaries)
    .where(eq(summaries.consultationId, id))
  if (!written) return fail('ADVICE_NOT_YET')
  const { actor } = ctx
  if (isStaff(actor)) await recordOnce(ctx, actor.userId, 'opened the plan', ['consultation', id])
  return { url: fileAddress(planName(id, written.at)) }
}
