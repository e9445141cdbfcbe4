import { and, asc, count, desc, eq, ilike, isNull, or, sql } from 'drizzle-orm'
import type { Parsed } from '#contract/call.ts'
import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/phone.ts'
import type { PhoneDraft } from '#contract/phone.ts'
import { type Region, REGION_IDS } from '#contract/regions.ts'
import { idsOf } from '../db/ids-of.ts'
import type { Handler } from '../http/serve.ts'
import { hasPortal } from '../clinics/reads.ts'
import { contactsFrom, contactToday } from '../clinics/rules.ts'
import { asConsultation, selectConsultations } from '../consultations/reads.ts'
import { betweenDays } from '../db/between-days.ts'
import { isPhone, isVet } from '../db/kinds.ts'
import type { Ctx, World } from '../context.ts'
import { literally } from '../db/like.ts'
import { speciesNamed } from '../db/breeds.ts'
import { columnsOf } from '../db/columns-of.ts'
import { doctorName } from '../db/names.ts'
import { clinics, consultations, phoneConsults, phoneDrafts, species, users } from '../db/schema.ts'
import { phoneToRead } from '../identity/phone-number.ts'
import { liveRules } from '../urgency/live-reads.ts'
import { whyInShort } from '../urgency/reads.ts'

type StaffCtx = Ctx<readonly ['vet', 'admin']>

/** Clinics that a phone consult can be recorded for: a vet's are those of their region, an admin's are all. */
export const recordableClinics = ({ db, actor }: Pick<StaffCtx, 'db' | 'actor'>, id?: number) =>
  db
    .select({
      clinic: clinics,
      /** By mail or in its portal. Without either it hears nothing from us. */
      hears: sql<boolean>`${clinics.email} <> '' or ${hasPortal({ db })}`,
    })
    .from(clinics)
    .where(
      and(
        isNull(clinics.deletedAt),
        actor.kind === 'vet' ? eq(clinics.region, actor.region) : undefined,
        id === undefined ? undefined : eq(clinics.id, id),
      ),
    )
    .orderBy(asc(sql`lower(${clinics.clinic})`), asc(clinics.id))

export const listPhoneClinics: Handler<typeof calls.listPhoneClinics> = async (ctx) => {
  const rows = await recordableClinics(ctx)
  const at = ctx.now()
  return rows.map(({ clinic: row, hears }) => {
    const { id, clinic, address, comments, region } = row
    const readable = <T extends { contact: string }>(one: T) => ({
      ...one,
      contact: phoneToRead(one.contact, region),
    })
    return {
      id,
      clinic,
      address,
      comments,
      telephone: phoneToRead(row.telephone, region),
      notify: hears ? row.notify : 'never',
      today: readable(contactToday(row, at)),
      chain: contactsFrom(row, at).map(readable),
      minutes: row.escalationMinutes,
    }
  })
}

export const drafted = {
  ...columnsOf(phoneDrafts, 'key', 'fields'),
  started_at: phoneDrafts.startedAt,
  saved_at: phoneDrafts.savedAt,
}

export const getPhoneDraft: Handler<typeof calls.getPhoneDraft> = async (ctx) => {
  const [draft] = await ctx.db
    .select(drafted)
    .from(phoneDrafts)
    .where(eq(phoneDrafts.userId, ctx.actor.userId))
  return draft ? { ...draft, read: await draftRead(ctx, draft.fields) } : null
}

/** The rules read a caller's words like an owner's. */
export async function draftRead(ctx: StaffCtx, { query, species, clinic }: PhoneDraft) {
  if (!query) return null
  const [its] = clinic
    ? await ctx.db.select({ region: clinics.region }).from(clinics).where(eq(clinics.id, clinic))
    : []
  const { reader } = await liveRules(ctx)
  const found = reader({
    species: speciesNamed(species),
    region: its?.region ?? ctx.actor.region,
    text: query,
  })
  return { level: found.level, why: whyInShort(found) }
}

/** The answer for what this person recorded with this form. If the form was changed since, it's refused. */
export async function recordedAs(
  { db, actor }: StaffCtx,
  sent: Parsed<typeof calls.recordPhoneConsultation>,
) {
  const [row] = await db
    .select({
      id: consultations.id,
      told: {
        clinic: consultations.clinicId,
        caller: sql<string>`${consultations.caller}->>'name'`,
        pet: sql<string>`${consultations.caller}->>'pet'`,
        query: consultations.petIssue,
        urgency: phoneConsults.urgency,
        decision: phoneConsults.decision,
      },
      clinic: clinics.clinic,
      email: clinics.email,
      mailedAt:
        sql<Date | null>`coalesce(${consultations.clinicMailDueAt}, ${consultations.clinicNotifiedAt})`.mapWith(
          consultations.clinicMailDueAt,
        ),
    })
    .from(phoneConsults)
    .innerJoin(consultations, eq(consultations.id, phoneConsults.consultationId))
    .innerJoin(clinics, eq(clinics.id, consultations.clinicId))
    .where(and(eq(phoneConsults.recordedBy, actor.userId), eq(phoneConsults.key, sent.key)))
  if (!row) return
  const { id, told, clinic, email, mailedAt } = row
  for (const [part, value] of Object.entries(told))
    if (value !== sent[part as keyof typeof told]) fail('PHONE_RECORDED_BEFORE', { values: { id } })
  return { consultation: { id }, clinic, mailed_at: email === '' ? null : mailedAt }
}

export const isVetOf = async ({ db }: Pick<World, 'db'>, id: number, region: Region) =>
  (await db.$count(users, and(eq(users.id, id), isVet, eq(users.region, region)))) > 0

/** By the calendar of each consult's own region. */
function between(from: string | undefined, to: string | undefined) {
  if (from === undefined && to === undefined) return undefined
  return or(
    ...REGION_IDS.map((region) =>
      and(eq(consultations.region, region), betweenDays(consultations.start, region, from, to)),
    ),
  )
}

const PAGE = 50
const DIGITS = /^\d{1,9}$/

/** A number is a consult's; anything else is a part of the clinic's, the caller's or the pet's name. */
function found(q: string | undefined) {
  if (!q) return undefined
  if (DIGITS.test(q)) return eq(consultations.id, Number(q))
  const part = `%${literally(q)}%`
  return or(
    ilike(clinics.clinic, part),
    sql`${consultations.caller}->>'name' ilike ${part}`,
    sql`${consultations.caller}->>'pet' ilike ${part}`,
  )
}

export const listPhoneConsultations: Handler<typeof calls.listPhoneConsultations> = async (
  { db },
  { page = 1, q, clinic, from, to },
) => {
  const which = and(
    isPhone,
    clinic === undefined ? undefined : eq(consultations.clinicId, clinic),
    between(from, to),
    found(q),
  )
  const places = db
    .select({ id: consultations.id })
    .from(consultations)
    .innerJoin(clinics, eq(clinics.id, consultations.clinicId))
    .where(which)
    .orderBy(desc(consultations.start), desc(consultations.id))
    .limit(PAGE)
    .offset((page - 1) * PAGE)
  const [[counted], ids] = await Promise.all([
    db
      .select({ total: count() })
      .from(consultations)
      .innerJoin(clinics, eq(clinics.id, consultations.clinicId))
      .where(which),
    places,
  ])
  const rows = await phoneRows({ db }, idsOf(ids))
  const byId = new Map(rows.map((row) => [row.id, row]))
  const { total } = counted!
  return {
    consultations: ids.flatMap(({ id }) => byId.get(id) ?? []),
    page,
    pages: Math.max(1, Math.ceil(total / PAGE)),
    total,
  }
}

/** A list says how a call ended. To read what was said and advised, staff must open it with a reason. */
const UNTOLD = { pet_issue: '', query: '', summary: null }

async function phoneRows({ db }: Pick<World, 'db'>, ids: number[]) {
  if (ids.length === 0) return []
  const whose = sql`${consultations.id} = any(${sql.param(ids)}::int[])`
  const rows = await selectConsultations(
    { db },
    { clinic: columnsOf(clinics, 'id', 'clinic'), ...columnsOf(phoneConsults, 'urgency', 'decision') },
  )
    .innerJoin(clinics, eq(clinics.id, consultations.clinicId))
    .leftJoin(phoneConsults, eq(phoneConsults.consultationId, consultations.id))
    .where(whose)
  return rows.map(({ clinic, urgency, decision, ...found }) => {
    const { caller, region } = found.row
    return {
      ...asConsultation(found, true),
      ...UNTOLD,
      clinic,
      urgency,
      decision,
      caller: { name: caller?.name ?? '', phone: phoneToRead(caller?.phone ?? '', region) },
    }
  })
}

/** How many rows an export reads at a time. */
const EXPORT_PAGE = 1000

const exportPage = (
  { db }: Pick<World, 'db'>,
  from: string,
  to: string,
  after: { start: Date; id: number } | undefined,
) =>
  db
    .select({
      ...columnsOf(consultations, 'id', 'start', 'region', 'caller', 'petIssue', 'outcome'),
      clinic: clinics.clinic,
      species: species.name,
      urgency: phoneConsults.urgency,
      vet: doctorName<string | null>(users),
      notifiedAt: consultations.clinicNotifiedAt,
      acceptedAt: consultations.clinicAcceptedAt,
    })
    .from(consultations)
    .innerJoin(clinics, eq(clinics.id, consultations.clinicId))
    .leftJoin(users, eq(users.id, consultations.vetId))
    .leftJoin(species, sql`${species.id} = (${consultations.caller}->>'speciesId')::int`)
    .leftJoin(phoneConsults, eq(phoneConsults.consultationId, consultations.id))
    .where(
      and(
        isPhone,
        between(from, to),
        after &&
          sql`(${consultations.start}, ${consultations.id}) > (${after.start.toISOString()}::timestamptz, ${after.id}::int)`,
      ),
    )
    .orderBy(asc(consultations.start), asc(consultations.id))
    .limit(EXPORT_PAGE)

export type ExportRow = Awaited<ReturnType<typeof exportPage>>[number]

/** The phone consults of these days, oldest first, a page at a time, so that a long export is never in memory as a whole. */
export async function* exportPages(ctx: Pick<World, 'db'>, from: string, to: string) {
  let after: ExportRow | undefined
  for (;;) {
    const rows = await exportPage(ctx, from, to, after)
    if (rows.length > 0) yield rows
    if (rows.length < EXPORT_PAGE) return
    after = rows.at(-1)
  }
}
