import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type * as calls from '#contract/clinical.ts'
import { missingIn, OUTCOMES } from '#contract/clinical.ts'
import { consultationChanged } from '#contract/consultations.ts'
import { fail } from '#contract/errors.ts'
import type { Handler } from '../http/serve.ts'
import { claimParts } from '../accounts/claim-writes.ts'
import { record } from '../identity/audit.ts'
import { mayRead, ownerOf } from '../consultations/reads.ts'
import { markClinicNotified } from '../consultations/clinic-writes.ts'
import { closeConsultation, look, tellChange } from '../consultations/writes.ts'
import { transaction, type World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { doctorName } from '../db/names.ts'
import { clinicalNotes, consultations, notes, ownReplies, summaries, users } from '../db/schema.ts'
import { take } from '../identity/limits.ts'
import { lockPerson } from '../identity/session.ts'
import { STAFF_ROOM } from '../live/connections.ts'
import { mail } from '../mail/outbox.ts'
import { morningAfter } from '../portal/rules.ts'
import { type Advice, adviceLetter, clinicLetter } from './emails.ts'
import { listReplies, noteOf, recordOf, sharedClinicOf } from './reads.ts'

export const getRecord: Handler<typeof calls.getRecord> = async (ctx, { id, why }) => {
  await look(ctx, id, 'read the record', why)
  return recordOf(ctx, id)
}

async function lockCase({ db }: Pick<World, 'db'>, id: number) {
  const [row] = await db
    .select(columnsOf(consultations, 'userId', 'vetId', 'end', 'petIssue'))
    .from(consultations)
    .where(eq(consultations.id, id))
    .for('no key update')
  return row ?? fail('NOT_FOUND')
}

/** Only the vet who has the case can save, and only over the version they saw. */
export const saveNote: Handler<typeof calls.saveNote> = (ctx, { id, version, ...sent }) =>
  transaction(ctx, async (ctx) => {
    const { vetId, end } = await lockCase(ctx, id)
    if (vetId !== ctx.actor.userId) fail('CONSULT_NOT_YOURS_TO_ANSWER')
    if (end !== null) fail('NOTE_SIGNED')
    const { watch_for: watchFor, go_if: goIf, ...same } = sent
    const parts = { ...same, watchFor, goIf }
    const savedAt = ctx.now()
    const [saved] =
      version === 0
        ? await ctx.db
            .insert(clinicalNotes)
            .values({ consultationId: id, ...parts, savedAt })
            .onConflictDoNothing()
            .returning({ version: clinicalNotes.version })
        : await ctx.db
            .update(clinicalNotes)
            .set({ ...parts, savedAt, version: sql`${clinicalNotes.version} + 1` })
            .where(
              and(
                eq(clinicalNotes.consultationId, id),
                eq(clinicalNotes.version, version),
                isNull(clinicalNotes.signedAt),
              ),
            )
            .returning({ version: clinicalNotes.version })
    if (saved) return { version: saved.version, saved_at: savedAt }
    // This may be a repeat, because the first answer got lost.
    const now = await noteOf(ctx, id)
    const isSame = Object.entries(sent).every(
      ([name, value]) => value === undefined || now[name as keyof typeof now] === value,
    )
    if (isSame && now.version === version + 1 && now.saved_at !== null)
      return { version: now.version, saved_at: now.saved_at }
    return fail('NOTE_CHANGED_ELSEWHERE')
  })

/** A signed note never changes; its vet's additions appear below with name and time. */
export const addToNote: Handler<typeof calls.addToNote> = (ctx, { id, body }) =>
  transaction(ctx, async (ctx) => {
    const { userId } = ctx.actor
    const { end, vetId } = await lockCase(ctx, id)
    if (vetId !== userId) fail('CONSULT_NOT_YOURS_TO_ANSWER')
    if (end === null) fail('NOTE_NOT_SIGNED')
    await ctx.db
      .insert(notes)
      .values({ kind: 'addition', consultationId: id, vetId: userId, body, at: ctx.now() })
    await record(ctx, userId, 'added to the note', ['consultation', id])
    tellChange(ctx, id, null)
    return noteOf(ctx, id)
  })

/** Any vet who may read the case can leave a note for its vets. */
export const addPrivateNote: Handler<typeof calls.addPrivateNote> = async (ctx, { id, body }) => {
  await mayRead(ctx, id)
  const { userId: vetId } = ctx.actor
  return transaction(ctx, async (ctx) => {
    const [last] = await ctx.db
      .select({ kind: notes.kind, vetId: notes.vetId, body: notes.body })
      .from(notes)
      .where(eq(notes.consultationId, id))
      .orderBy(desc(notes.id))
      .limit(1)
    // This may be a repeat, because the first answer got lost.
    if (last?.kind === 'private' && last.vetId === vetId && last.body === body) return noteOf(ctx, id)
    await ctx.db.insert(notes).values({ kind: 'private', consultationId: id, vetId, body, at: ctx.now() })
    ctx.tell(STAFF_ROOM, consultationChanged, { consultation: id, vets: [] })
    return noteOf(ctx, id)
  })
}

export async function noteHandOver(
  { db, now }: Pick<World, 'db' | 'now'>,
  id: number,
  vetId: number,
  body: string,
) {
  await db.insert(notes).values({ kind: 'hand_over', consultationId: id, vetId, body, at: now() })
}

/** Signs, ends, posts and mails in one transaction. A repeat by the same vet gets the same answer. */
export const endConsultation: Handler<typeof calls.endConsultation> = (ctx, { id, version }) =>
  transaction(ctx, async (ctx) => {
    const { userId } = ctx.actor
    const held = await lockCase(ctx, id)
    if (held.vetId !== userId) fail('CONSULT_NOT_YOURS_TO_ANSWER')
    const [note] = await ctx.db.select().from(clinicalNotes).where(eq(clinicalNotes.consultationId, id))
    if (held.end !== null) {
      if (note?.signedBy !== userId || note.version !== version) fail('NOTE_SIGNED')
      return { emailed: emailsOf(await addresseesOf(ctx, id)) }
    }
    if ((note?.version ?? 0) !== version) fail('NOTE_CHANGED_ELSEWHERE')
    const missing = missingIn(note ?? { summary: '', outcome: null })
    if (!note?.outcome || missing.length > 0)
      return fail('NOTE_UNFINISHED', { values: { missing: missing.join(', ') } })
    const at = ctx.now()
    await ctx.db
      .update(clinicalNotes)
      .set({ signedAt: at, signedBy: userId })
      .where(eq(clinicalNotes.consultationId, id))
    const { summary, plan, watchFor, goIf } = note
    const advice = { summary, plan, watchFor, goIf }
    await writeAdvice(ctx, id, userId, advice)
    const name = await nameOf(ctx, userId)
    await closeConsultation(ctx, id, { id: userId, name }, OUTCOMES[note.outcome])
    return { emailed: await mailAdvice(ctx, id, name, held.petIssue, advice) }
  })

/** The vet who has or had the case, or an admin, sends new advice. The signed note doesn't change. */
export const sendSummary: Handler<typeof calls.sendSummary> = (
  ctx,
  { consultationId: id, summary, plan, watchFor, goIf },
) =>
  transaction(ctx, async (ctx) => {
    const { actor } = ctx
    const { vetId, userId, petIssue } = await lockCase(ctx, id)
    if (vetId === null || (actor.kind === 'vet' && vetId !== actor.userId))
      return fail('CONSULT_NOT_YOURS_TO_ANSWER')
    await take(ctx, 'adviceSent', String(id))
    const [before] = await ctx.db.select().from(summaries).where(eq(summaries.consultationId, id))
    const advice = {
      summary,
      plan: plan ?? before?.plan ?? '',
      watchFor: watchFor ?? before?.watchFor ?? '',
      goIf: goIf ?? before?.goIf ?? '',
    }
    await writeAdvice(ctx, id, vetId, advice)
    await record(ctx, actor.userId, 'sent the advice', ['consultation', id])
    tellChange(ctx, id, userId)
    return { emailed: await mailAdvice(ctx, id, await nameOf(ctx, vetId), petIssue, advice) }
  })

type Letterbox = Pick<World, 'db' | 'env' | 'secrets' | 'now' | 'wake'>

/** What the vet advised; later advice replaces it. */
export async function writeAdvice(
  { db, now }: Pick<World, 'db' | 'now'>,
  id: number,
  vetId: number,
  advice: Advice,
) {
  const written = { ...advice, vetId, at: now() }
  await db
    .insert(summaries)
    .values({ consultationId: id, ...written })
    .onConflictDoUpdate({ target: summaries.consultationId, set: written })
}

/** The owner, and the clinic that they chose and agreed to. */
async function addresseesOf(ctx: Letterbox, id: number) {
  const owner = await ownerOf(ctx, id)
  return { owner, clinic: owner && (await sharedClinicOf(ctx, id)) }
}

type Addressees = Awaited<ReturnType<typeof addresseesOf>>

const emailsOf = ({ owner, clinic }: Addressees) => [owner, clinic].flatMap((one) => one?.email ?? [])

async function mailAdvice(ctx: Letterbox, id: number, vet: string, issue: string, advice: Advice) {
  const addressees = await addresseesOf(ctx, id)
  const { owner, clinic } = addressees
  if (owner) {
    const { parts } = owner.isGuest ? await claimParts(ctx, owner.userId) : { parts: [] }
    await mail(
      ctx,
      owner.region,
      owner.email,
      'advice',
      adviceLetter(owner, vet, advice, clinic?.clinic, parts),
    )
    if (clinic) await mailToClinic(ctx, id, { owner, clinic }, vet, issue, advice)
  }
  return emailsOf(addressees)
}

async function mailToClinic(
  ctx: Letterbox,
  id: number,
  { owner, clinic }: { owner: Addressees['owner'] & {}; clinic: Addressees['clinic'] & {} },
  vet: string,
  issue: string,
  advice: Advice,
) {
  const dueAt = clinic.notify === 'in the morning' ? morningAfter(owner.region, ctx.now()) : null
  await markClinicNotified(ctx, id, dueAt)
  if (dueAt) return
  const letter = clinicLetter(owner, vet, issue, advice, clinic.hasPortal)
  await mail(ctx, owner.region, clinic.email, 'clinic summary', letter)
}

/** Mails the advice to a clinic that the owner chose only after the end. */
export async function mailClinic(ctx: Letterbox, id: number) {
  const { owner, clinic } = await addresseesOf(ctx, id)
  const [found] = await ctx.db
    .select({
      advice: summaries,
      issue: consultations.petIssue,
      vet: doctorName(users),
    })
    .from(summaries)
    .innerJoin(consultations, eq(consultations.id, summaries.consultationId))
    .innerJoin(users, eq(users.id, summaries.vetId))
    .where(eq(summaries.consultationId, id))
  if (!owner || !clinic || !found) return
  const { vet, issue, advice } = found
  await mailToClinic(ctx, id, { owner, clinic }, vet, issue, advice)
}

async function nameOf({ db }: Pick<World, 'db'>, vetId: number) {
  const [vet] = await db
    .select({ name: doctorName(users) })
    .from(users)
    .where(eq(users.id, vetId))
  return vet!.name
}

const MOST_REPLIES = 100

/** Locks the vet, so that parallel additions count each other. */
export const saveReply: Handler<typeof calls.saveReply> = (ctx, { id, ...words }) =>
  transaction(ctx, async (ctx) => {
    const { db, actor } = ctx
    await lockPerson(ctx, actor.userId)
    if (id !== undefined) {
      const changed = await db
        .update(ownReplies)
        .set(words)
        .where(and(eq(ownReplies.id, id), eq(ownReplies.vetId, actor.userId)))
        .returning({ id: ownReplies.id })
      if (changed.length === 0) fail('REPLY_REMOVED')
      return listReplies(ctx)
    }
    if ((await db.$count(ownReplies, eq(ownReplies.vetId, actor.userId))) >= MOST_REPLIES)
      fail('REPLIES_FULL')
    await db.insert(ownReplies).values({ vetId: actor.userId, ...words })
    return listReplies(ctx)
  })

export const removeReply: Handler<typeof calls.removeReply> = async (ctx, { id }) => {
  await ctx.db.delete(ownReplies).where(and(eq(ownReplies.id, id), eq(ownReplies.vetId, ctx.actor.userId)))
  return listReplies(ctx)
}

export async function forgetNotes({ db }: Pick<World, 'db'>, which: SQL | undefined) {
  const theirs = db.select({ id: consultations.id }).from(consultations).where(which)
  for (const table of [clinicalNotes, notes, summaries])
    await db.delete(table).where(inArray(table.consultationId, theirs))
}
