import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, notInArray, or, sql } from 'drizzle-orm'
import type { Output, Parsed } from '#contract/call.ts'
import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/escalation.ts'
import { type EscalationStep, OPEN_STATES, type StepKind } from '#contract/escalation.ts'
import type { Region } from '#contract/regions.ts'
import { addHours, HOUR } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import { hasPortal } from '../clinics/reads.ts'
import type { Contact } from '../db/schema/escalation.ts'
import { mayRead } from '../consultations/reads.ts'
import { ofTheirRegion } from '../consultations/region-reads.ts'
import { doctorName, staffName } from '../consultations/rules.ts'
import type { Ctx, World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
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
import { iso } from '../http/answers.ts'
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
      region: consultations.region,
      caller: consultations.caller,
      problem: consultations.petIssue,
      notifiedAt: consultations.clinicNotifiedAt,
      acceptedAt: consultations.clinicAcceptedAt,
      clinic: { id: clinics.id, clinic: clinics.clinic },
      hasPortal: sql<boolean>`${clinics.deletedAt} is null and ${hasPortal({ db })}`,
      kind: species.name,
      advice: summaries.summary,
      urgency: phoneConsults.urgency,
      recordedAt: phoneConsults.recordedAt,
      vet: { firstName: users.firstName, lastName: users.lastName },
    })
    .from(consultations)
    .innerJoin(phoneConsults, eq(phoneConsults.consultationId, consultations.id))
    .innerJoin(clinics, eq(clinics.id, consultations.clinicId))
    .leftJoin(users, eq(users.id, consultations.vetId))
    .leftJoin(summaries, eq(summaries.consultationId, consultations.id))
    .leftJoin(species, sql`${species.id} = (${consultations.caller}->>'speciesId')::int`)
    .where(eq(consultations.id, id))
  if (!row) return fail('NOT_FOUND')
  const { region, caller, clinic, problem, advice, urgency, vet, kind } = row
  const sex = caller?.sex ? { 1: 'male', 2: 'female' }[caller.sex] : ''
  return {
    region,
    clinic,
    species_id: caller?.speciesId ?? null,
    recorded_at: iso(row.recordedAt),
    in_portal: row.notifiedAt !== null && row.hasPortal,
    accepted_at: iso(row.acceptedAt),
    said: {
      pet: caller?.pet ?? '',
      about: [kind?.toLowerCase(), sex, caller?.age].filter(Boolean).join(', '),
      caller: caller?.name ?? '',
      phone: phoneToRead(caller?.phone ?? '', region),
      problem,
      advice: advice ?? '',
      urgency,
      vet_name: vet ? doctorName(vet) : '',
    },
  }
}

/** The steps of these cases as people read them, in order. */
export async function stepsShown({ db }: Pick<World, 'db'>, ids: number[]) {
  if (ids.length === 0) return []
  const rows = await db
    .select({
      step: escalationSteps,
      contacts: escalations.contacts,
      region: consultations.region,
      by: { firstName: users.firstName, lastName: users.lastName, type: users.type },
    })
    .from(escalationSteps)
    .innerJoin(escalations, eq(escalations.consultationId, escalationSteps.consultationId))
    .innerJoin(consultations, eq(consultations.id, escalationSteps.consultationId))
    .leftJoin(users, eq(users.id, escalationSteps.userId))
    .where(inArray(escalationSteps.consultationId, ids))
    .orderBy(asc(escalationSteps.consultationId), asc(escalationSteps.step))
  return rows.map(({ step: { consultationId, step, kind, at, place }, contacts, region, by }) => {
    const one = place === null ? undefined : contacts[place]
    const shown: EscalationStep = {
      step,
      kind,
      at: iso(at),
      name: one ? nameOf(one) : null,
      contact: one ? phoneToRead(one.contact, region) : null,
      by: by && staffName(by),
    }
    return { consultation: consultationId, ...shown }
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
      escalation: escalations,
      caller: consultations.caller,
      clinic: { id: clinics.id, clinic: clinics.clinic },
      ...columnsOf(phoneConsults, 'urgency', 'recordedAt', 'recordedBy'),
      vetId: consultations.vetId,
      vet: columnsOf(users, 'firstName', 'lastName', 'onDutySince'),
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
  return rows.map(({ escalation, caller, clinic, urgency, recordedAt, recordedBy, vetId, vet }) => {
    const contact = escalation.contacts[escalation.place]
    return {
      id: escalation.consultationId,
      clinic,
      pet: caller?.pet ?? '',
      urgency,
      vet_name: vet ? doctorName(vet) : '',
      recorded_at: iso(recordedAt),
      state: escalation.state,
      due_at: iso(escalation.dueAt),
      contact: contact ? nameOf(contact) : '',
      decides:
        [recordedBy, vetId].includes(actor.userId) || (actor.kind === 'vet' && vet?.onDutySince === null),
    }
  })
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

const delivery = (row: { sentAt: Date | null; failedAt: Date | null } | undefined) =>
  row === undefined ? null : row.sentAt ? 'sent' : row.failedAt ? 'failed' : 'waiting'

export async function getEscalation(
  ctx: StaffCtx,
  { id }: { id: number },
): Promise<Output<typeof calls.getEscalation>> {
  const row = await followed(ctx, id)
  const { region, said, ...rest } = await caseOf(ctx, id)
  const isInHand = isOpen(row) || row.startedAt > lately(ctx)
  // A person who recorded the call for a vet can read it as that vet does.
  if (!isInHand && !(await isRecordedBy(ctx, id))) await mayRead(ctx, id)
  const readable = (one: Contact) => ({ name: nameOf(one), contact: phoneToRead(one.contact, region) })
  const steps = await stepsShown(ctx, [id])
  const keys = steps.filter(({ kind }) => kind === 'called').map(({ step }) => keyOfCall(id, step))
  const byKey = async (table: typeof mails | typeof smsMessages) =>
    new Map(
      (
        await ctx.db
          .select({ key: table.key, sentAt: table.sentAt, failedAt: table.failedAt })
          .from(table)
          .where(inArray(table.key, keys))
      ).map((one) => [one.key, one]),
    )
  const [mailed, texted] = [await byKey(mails), await byKey(smsMessages)]
  return {
    id,
    ...rest,
    ...said,
    state: row.state,
    contacts: row.contacts.map(readable),
    again: row.state === 'yours' ? (await calledAgain(ctx, id)).map(readable) : [],
    place: row.place,
    minutes: row.minutes,
    due_at: iso(row.dueAt),
    step: row.step,
    steps: steps.map((step) => {
      const key = keyOfCall(id, step.step)
      return { ...step, sms: delivery(texted.get(key)), mail: delivery(mailed.get(key)) }
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
): Promise<Output<typeof calls.readContactCall>> {
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
    called_at: iso(call.at),
    until: isWaitedFor ? iso(escalation.dueAt) : null,
    next: state === 'calling' && next && next !== one ? nameOf(next) : null,
    taken: state === 'taken' && taken ? { name: nameOf(contacts[taken.place!]!), at: iso(taken.at) } : null,
    decided_at: state === 'decided' && decided ? iso(decided.at) : null,
    case: standing === 'over' ? null : said,
  }

  function standingFor() {
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
