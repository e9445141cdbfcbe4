import { setImmediate } from 'node:timers/promises'
import { and, eq, sql } from 'drizzle-orm'
import type { Output, Parsed } from '#contract/call.ts'
import { failAt } from '#contract/errors.ts'
import type * as calls from '#contract/phone.ts'
import { type Decision, DECISIONS } from '#contract/phone.ts'
import { REGIONS } from '#contract/regions.ts'
import type { Handler } from '../http/serve.ts'
import { writeAdvice } from '../clinical/writes.ts'
import { contactsFrom } from '../clinics/rules.ts'
import { addPhoneConsultation } from '../consultations/writes.ts'
import { markClinicNotified } from '../consultations/clinic-writes.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { SPECIES } from '../db/breeds.ts'
import { violates } from '../db/errors.ts'
import { clinics, phoneConsults, phoneDrafts } from '../db/schema.ts'
import { caseOf } from '../escalation/reads.ts'
import { limitCalls, startEscalation } from '../escalation/writes.ts'
import { inJson, Streamed } from '../http/streamed.ts'
import { record } from '../identity/audit.ts'
import { take } from '../identity/limits.ts'
import { notedPhone } from '../identity/phone-number.ts'
import { mail } from '../mail/outbox.ts'
import { morningAfter } from '../portal/rules.ts'
import { phoneLetter } from './emails.ts'
import { drafted, draftRead, exportPages, isVetOf, recordableClinics, recordedAs } from './reads.ts'
import { EXPORT_HEAD, exportLine } from './rules.ts'

type StaffCtx = Ctx<readonly ['vet', 'admin']>
type Sent = Parsed<typeof calls.recordPhoneConsultation>

/** One draft per person. Another key starts a new draft; the same key adds what was sent. */
export const savePhoneDraft: Handler<typeof calls.savePhoneDraft> = async (ctx, { key, ...sent }) => {
  const at = ctx.now()
  const isSame = sql`${phoneDrafts.key} = excluded.key`
  const [draft] = await ctx.db
    .insert(phoneDrafts)
    .values({ userId: ctx.actor.userId, key, fields: sent, startedAt: at, savedAt: at })
    .onConflictDoUpdate({
      target: phoneDrafts.userId,
      set: {
        key,
        fields: sql`case when ${isSame} then ${phoneDrafts.fields} || excluded.fields else excluded.fields end`,
        startedAt: sql`case when ${isSame} then ${phoneDrafts.startedAt} else excluded.started_at end`,
        savedAt: at,
      },
    })
    .returning(drafted)
  return { ...draft!, read: await draftRead(ctx, draft!.fields) }
}

export const dropPhoneDraft: Handler<typeof calls.dropPhoneDraft> = async ({ db, actor }) => {
  await db.delete(phoneDrafts).where(eq(phoneDrafts.userId, actor.userId))
  return {}
}

/** Stores the consult, tells the clinic and drops the draft, all or nothing. A repeat finds what the first one stored. */
export async function recordPhoneConsultation(ctx: StaffCtx, sent: Sent) {
  const before = await recordedAs(ctx, sent)
  if (before) return before
  await take(ctx, 'phoneConsults', String(ctx.actor.userId))
  if (sent.decision === 'contact') await limitCalls(ctx, ctx.actor.userId)
  try {
    return await transaction(ctx, (ctx) => recordIn(ctx, sent))
  } catch (error) {
    const known = violates(error, 'phone_consults_key') && (await recordedAs(ctx, sent))
    if (known) return known
    throw error
  }
}

async function recordIn(ctx: StaffCtx, sent: Sent) {
  const { actor } = ctx
  const at = ctx.now()
  // A deletion waits for this consult, and then finds it.
  const [found] = await recordableClinics(ctx, sent.clinic).for('share', { of: clinics })
  if (!found) return failAt('clinic', 'PHONE_CLINIC_GONE')
  const { clinic, hears } = found
  const vetId = actor.kind === 'vet' ? actor.userId : sent.vet
  if (!vetId || !(await isVetOf(ctx, vetId, clinic.region))) return failAt('vet', 'PHONE_VET_MISSING')
  if (sent.species != null && !SPECIES.some(({ id }) => id === sent.species))
    return failAt('species', 'INVALID_INPUT')
  const { region } = clinic
  const [draft] = await ctx.db
    .delete(phoneDrafts)
    .where(and(eq(phoneDrafts.userId, actor.userId), eq(phoneDrafts.key, sent.key)))
    .returning({ startedAt: phoneDrafts.startedAt })
  const start = draft?.startedAt ?? at
  const caller = {
    name: sent.caller,
    phone: notedPhone(sent.phone ?? '', region, 'phone'),
    email: '',
    pet: sent.pet,
    speciesId: sent.species ?? null,
    sex: sent.sex ?? null,
    age: sent.age ?? '',
  }
  const id = await addPhoneConsultation(ctx, {
    region,
    clinicId: clinic.id,
    vetId,
    caller,
    petIssue: sent.query,
    outcome: DECISIONS[sent.decision],
    start,
  })
  await ctx.db.insert(phoneConsults).values({
    consultationId: id,
    key: sent.key,
    recordedBy: actor.userId,
    urgency: sent.urgency,
    decision: sent.decision,
    contacts: contactsFrom(clinic, at),
    recordedAt: at,
  })
  if (sent.advice)
    await writeAdvice(ctx, id, vetId, { summary: sent.advice, plan: '', watchFor: '', goIf: '' })
  await record(ctx, actor.userId, 'recorded a phone consult', ['consultation', id])
  if (sent.decision === 'contact') await startEscalation(ctx, id, clinic, actor.userId)
  if (hears) await tellClinic(ctx, id, clinic, { decision: sent.decision, start })
  return (await recordedAs(ctx, sent))!
}

/** A clinic that prefers it gets one mail in the morning. */
async function tellClinic(
  ctx: Pick<World, 'db' | 'env' | 'now' | 'wake'>,
  id: number,
  clinic: typeof clinics.$inferSelect,
  { decision, start }: { decision: Decision; start: Date },
) {
  const { email, notify, region } = clinic
  const dueAt = email !== '' && notify === 'in the morning' ? morningAfter(region, ctx.now()) : null
  await markClinicNotified(ctx, id, dueAt)
  if (email === '' || dueAt) return
  const { said, in_portal } = await caseOf(ctx, id)
  const { timeZone } = REGIONS[region]
  const when = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone })
  const recorded = { ...said, in_portal, decision, when: when.format(start) }
  await mail(ctx, region, email, 'phone consult', phoneLetter(recorded))
}

/** The answer is sent in pieces while it's being read, so that a long one doesn't fill memory or block others. */
export const reportPhoneConsultations: Handler<typeof calls.reportPhoneConsultations> = async (
  ctx,
  { from, to },
) => {
  await record(ctx, ctx.actor.userId, 'exported phone consults', ['export', `${from} to ${to}`])
  return new Streamed<Output<typeof calls.reportPhoneConsultations>>(reportPieces(ctx, from, to))
}

/** After this many rows, other people's calls get a turn. */
const WRITTEN_AT_ONCE = 100

async function* reportPieces(ctx: Pick<World, 'db'>, from: string, to: string) {
  let consultCount = 0
  yield `{"csv":"${inJson(EXPORT_HEAD)}`
  for await (const rows of exportPages(ctx, from, to)) {
    consultCount += rows.length
    for (let from = 0; from < rows.length; from += WRITTEN_AT_ONCE) {
      yield inJson(
        rows
          .slice(from, from + WRITTEN_AT_ONCE)
          .map(exportLine)
          .join(''),
      )
      await setImmediate()
    }
  }
  yield `","consultCount":${consultCount}}`
}
