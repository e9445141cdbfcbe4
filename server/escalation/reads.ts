import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, notInArray, or, sql } from 'drizzle-orm'
import type { Parsed } from '#contract/call.ts'
import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/escalation.ts'
import { type ContactCall, OPEN_STATES, type StepKind } from '#contract/escalation.ts'
import type { Region } from '#contract/regions.ts'
import { addHours, HOUR } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import { hasPortal } from '../clinics/reads.ts'
import type { Contact } from '../db/schema/escalation.ts'
import { mayRead } from '../consultations/reads.ts'
import { ofTheirRegion } from '../consultations/region-reads.ts'
import type { Ctx, World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { doctorName, staffName } from '../db/names.ts'
import { isDue } from '../db/due.ts'
import {
  clinics,
  consultations,
  escalations,
  escalationSteps,
  mails,
  phoneConsults,
  smsMessages,
  species,
  summaries,
  users,
} from '../db/schema.ts'
import { phoneToRead } from '../identity/phone-number.ts'
import { callIn, contactsNow, isOpen, linkEnds, nameOf, placeNow } from './rules.ts'

type StaffCtx = Ctx<readonly ['vet', 'admin']>

/** With this key, each call is mailed and sent by SMS only once. */
export const keyOfCall = (id: number, step: number) => `escalation ${id} ${step}`

export type EscalationRow = typeof escalations.$inferSelect

const stepsOf = ({ db }: Pick<World, 'db'>, id: number) =>
  db
    .select()
    .from(escalationSteps)
    .where(eq(escalationSteps.consultationId, id))
    .orderBy(asc(escalationSteps.step))

/** Whether the contact's time to answer is up. A clinic gives an hour at most. */
export const isTimeUp = ({ now }: Pick<World, 'now'>) =>
  and(eq(escalations.state, 'calling'), isDue(escalations.dueAt, now(), HOUR))

/** Cases whose contact's time is up, without rows that wait after a failure. */
export const dueEscalations = (world: Pick<World, 'db' | 'now'>, resting: number[]) =>
  world.db
    .select({ id: escalations.consultationId })
    .from(escalations)
    .where(and(isTimeUp(world), notInArray(escalations.consultationId, resting)))
    .orderBy(asc(escalations.dueAt))
    .limit(50)

/** What every contact that we call reads about the case. */
export async function caseOf({ db }: Pick<World, 'db'>, id: number) {
  const [row] = await db
    .select({
      ...columnsOf(consultations, 'region', 'caller'),
      clinic: columnsOf(clinics, 'id', 'clinic'),
      kind: species.name,
      recorded_at: phoneConsults.recordedAt,
      in_portal: sql<boolean>`${consultations.clinicNotifiedAt} is not null
        and ${clinics.deletedAt} is null and ${hasPortal({ db })}`,
      accepted_at: consultations.clinicAcceptedAt,
      said: {
        problem: consultations.petIssue,
        advice: sql<string>`coalesce(${summaries.summary}, '')`,
        urgency: phoneConsults.urgency,
        vet_name: sql<string>`coalesce(${doctorName(users)}, '')`,
      },
    })
    .from(consultations)
    .innerJoin(phoneConsults, eq(phoneConsults.consultationId, consultations.id))
    .innerJoin(clinics, eq(clinics.id, consultations.clinicId))
    .leftJoin(users, eq(users.id, consultations.vetId))
    .leftJoin(summaries, eq(summaries.consultationId, consultations.id))
    .leftJoin(species, sql`${species.id} = (${consultations.caller}->>'speciesId')::int`)
    .where(eq(consultations.id, id))
  if (!row) return fail('NOT_FOUND')
  const { caller, kind, said, ...rest } = row
  const sex = caller?.sex ? { 1: 'male', 2: 'female' }[caller.sex] : ''
  return {
    ...rest,
    species_id: caller?.speciesId ?? null,
    said: {
      ...said,
      pet: caller?.pet ?? '',
      about: [kind?.toLowerCase(), sex, caller?.age].filter(Boolean).join(', '),
      caller: caller?.name ?? '',
      phone: phoneToRead(caller?.phone ?? '', rest.region),
    },
  }
}

/** The steps of these cases as people read them, in order. */
export async function stepsShown({ db }: Pick<World, 'db'>, ids: number[]) {
  if (ids.length === 0) return []
  const rows = await db
    .select({
      consultation: escalationSteps.consultationId,
      ...columnsOf(escalationSteps, 'step', 'kind', 'at', 'place'),
      contacts: escalations.contacts,
      region: consultations.region,
      by: staffName<string | null>(users),
    })
    .from(escalationSteps)
    .innerJoin(escalations, eq(escalations.consultationId, escalationSteps.consultationId))
    .innerJoin(consultations, eq(consultations.id, escalationSteps.consultationId))
    .leftJoin(users, eq(users.id, escalationSteps.userId))
    .where(inArray(escalationSteps.consultationId, ids))
    .orderBy(asc(escalationSteps.consultationId), asc(escalationSteps.step))
  return rows.map(({ place, contacts, region, ...step }) => {
    const one = place === null ? undefined : contacts[place]
    return {
      ...step,
      name: one ? nameOf(one) : null,
      contact: one ? phoneToRead(one.contact, region) : null,
    }
  })
}

const VET_HOURS = 12
const lately = ({ now }: Pick<World, 'now'>) => addHours(now(), -VET_HOURS)

/** A case that this vet may follow and move: any in their region. */
export async function followed(ctx: StaffCtx, id: number): Promise<EscalationRow> {
  const [row] = await ctx.db
    .select({ escalation: escalations })
    .from(escalations)
    .innerJoin(consultations, eq(consultations.id, escalations.consultationId))
    .where(and(eq(escalations.consultationId, id), ofTheirRegion(ctx.actor)))
  return row?.escalation ?? fail('NOT_FOUND')
}

const isRecordedBy = async ({ db, actor }: StaffCtx, id: number) =>
  (await db.$count(
    phoneConsults,
    and(eq(phoneConsults.consultationId, id), eq(phoneConsults.recordedBy, actor.userId)),
  )) > 0

/** Whom a vet would call again about a case: the clinic may have another contact now, or another number. */
export async function calledAgain({ db, now }: Pick<World, 'db' | 'now'>, id: number) {
  const [row] = await db
    .select({ clinic: clinics })
    .from(consultations)
    .innerJoin(clinics, and(eq(clinics.id, consultations.clinicId), isNull(clinics.deletedAt)))
    .where(eq(consultations.id, id))
  return row ? contactsNow(row.clinic, now()) : []
}

/** The cases that somebody must still look after, those that wait for a vet first; then recently settled ones. */
export const listEscalations: Handler<typeof calls.listEscalations> = async (ctx) => {
  const { db, actor } = ctx
  const rows = await db
    .select({
      id: escalations.consultationId,
      ...columnsOf(escalations, 'state', 'contacts', 'place'),
      due_at: escalations.dueAt,
      clinic: columnsOf(clinics, 'id', 'clinic'),
      ...columnsOf(consultations, 'caller', 'vetId'),
      ...columnsOf(phoneConsults, 'urgency', 'recordedBy'),
      recorded_at: phoneConsults.recordedAt,
      vet_name: sql<string>`coalesce(${doctorName(users)}, '')`,
      isVetOff: sql<boolean>`${users.id} is not null and ${users.onDutySince} is null`,
    })
    .from(escalations)
    .innerJoin(consultations, eq(consultations.id, escalations.consultationId))
    .innerJoin(phoneConsults, eq(phoneConsults.consultationId, escalations.consultationId))
    .innerJoin(clinics, eq(clinics.id, consultations.clinicId))
    .leftJoin(users, eq(users.id, consultations.vetId))
    .where(
      and(
        ofTheirRegion(ctx.actor),
        or(inArray(escalations.state, OPEN_STATES), gt(escalations.startedAt, lately(ctx))),
      ),
    )
    .orderBy(
      sql`array_position(array['yours','calling','taken','decided'], ${escalations.state})`,
      desc(escalations.startedAt),
    )
    .limit(50)
  return rows.map(({ contacts, place, caller, vetId, recordedBy, isVetOff, ...row }) => ({
    ...row,
    pet: caller?.pet ?? '',
    contact: contacts[place] ? nameOf(contacts[place]) : '',
    decides: [recordedBy, vetId].includes(actor.userId) || (actor.kind === 'vet' && isVetOff),
  }))
}

/** A clinic's case that neither a contact nor a vet has yet, the one that waits for a vet first. */
export async function clinicCaseOfNobody({ db }: Pick<World, 'db'>, region: Region) {
  const [row] = await db
    .select({ caller: consultations.caller, clinic: clinics.clinic })
    .from(escalations)
    .innerJoin(consultations, eq(consultations.id, escalations.consultationId))
    .innerJoin(clinics, eq(clinics.id, consultations.clinicId))
    .where(and(inArray(escalations.state, OPEN_STATES), eq(consultations.region, region)))
    .orderBy(desc(escalations.state), asc(escalations.startedAt))
    .limit(1)
  return row && { pet: row.caller?.pet ?? '', clinic: row.clinic }
}

export async function getEscalation(ctx: StaffCtx, { id }: { id: number }) {
  const row = await followed(ctx, id)
  const { region, said, ...rest } = await caseOf(ctx, id)
  const isInHand = isOpen(row) || row.startedAt > lately(ctx)
  // A person who recorded the call for a vet can read it as that vet does.
  if (!isInHand && !(await isRecordedBy(ctx, id))) await mayRead(ctx, id)
  const readable = (one: Contact) => ({ name: nameOf(one), contact: phoneToRead(one.contact, region) })
  const steps = await stepsShown(ctx, [id])
  const keys = steps.filter(({ kind }) => kind === 'called').map(({ step }) => keyOfCall(id, step))
  const deliveries = async (table: typeof mails | typeof smsMessages) => {
    const state = sql<'sent' | 'failed' | 'waiting'>`case when ${table.sentAt} is not null then 'sent'
      when ${table.failedAt} is not null then 'failed' else 'waiting' end`
    const rows = await ctx.db.select({ key: table.key, state }).from(table).where(inArray(table.key, keys))
    return new Map(rows.map(({ key, state }) => [key, state]))
  }
  const [mailed, texted] = [await deliveries(mails), await deliveries(smsMessages)]
  return {
    id,
    ...row,
    ...rest,
    ...said,
    contacts: row.contacts.map(readable),
    again: row.state === 'yours' ? (await calledAgain(ctx, id)).map(readable) : [],
    due_at: row.dueAt,
    steps: steps.map((step) => {
      const key = keyOfCall(id, step.step)
      return { ...step, sms: texted.get(key) ?? null, mail: mailed.get(key) ?? null }
    }),
  }
}

/** The call that a link is about, and the state of its case. */
export async function calledBy(ctx: Pick<World, 'db' | 'secrets'>, code: string) {
  const callId = callIn(ctx.secrets, code)
  const [found] =
    callId === undefined
      ? []
      : await ctx.db
          .select({ call: escalationSteps, escalation: escalations })
          .from(escalationSteps)
          .innerJoin(escalations, eq(escalations.consultationId, escalationSteps.consultationId))
          .where(and(eq(escalationSteps.id, callId), eq(escalationSteps.kind, 'called')))
  return found ?? fail('CONTACT_LINK_WRONG')
}

/** A case as one contact sees it. What we asked them is shown only while they can act on it. */
export async function readContactCall(
  ctx: Pick<World, 'db' | 'now' | 'secrets'>,
  { code }: Parsed<typeof calls.readContactCall>,
) {
  const { call, escalation } = await calledBy(ctx, code)
  const { state, contacts, place } = escalation
  const theirs = placeNow(contacts, call.place!)
  const id = call.consultationId
  const steps = await stepsOf(ctx, id)
  const { said, clinic, in_portal } = await caseOf(ctx, id)
  const has = (kind: StepKind) => steps.some((step) => step.callStep === call.step && step.kind === kind)
  const standing = standingFor()
  const one = contacts[theirs]!
  const isWaitedFor = state === 'calling' && place === theirs && !has('declined')
  const next = contacts[(state === 'calling' ? place : theirs) + (isWaitedFor ? 1 : 0)]
  const taken = steps.findLast(({ kind }) => kind === 'acknowledged')
  const decided = steps.findLast(({ kind }) => kind === 'emergency' || kind === 'hours')
  return {
    standing,
    clinic: clinic.clinic,
    in_portal,
    name: nameOf(one),
    called_at: call.at,
    until: isWaitedFor ? escalation.dueAt : null,
    next: state === 'calling' && next && next !== one ? nameOf(next) : null,
    taken: state === 'taken' && taken ? { name: nameOf(contacts[taken.place!]!), at: taken.at } : null,
    decided_at: state === 'decided' && decided ? decided.at : null,
    case: standing === 'over' ? null : said,
  }

  function standingFor(): ContactCall['standing'] {
    if (ctx.now() >= linkEnds(call.at)) return 'over'
    if (state === 'taken' && place === theirs) return 'on it'
    if (!isOpen(escalation) || has('acknowledged')) return 'over'
    return has('declined') ? 'declined' : 'asked'
  }
}

/** Changes with every step of a clinic's cases. */
export async function versionOfSteps({ db }: Pick<World, 'db'>, clinicId: number) {
  const [sum] = await db
    .select({ steps: sql<number>`coalesce(sum(${escalations.step}), 0)::int` })
    .from(escalations)
    .innerJoin(consultations, eq(consultations.id, escalations.consultationId))
    .where(and(eq(consultations.clinicId, clinicId), isNotNull(consultations.clinicNotifiedAt)))
  return sum!.steps
}
