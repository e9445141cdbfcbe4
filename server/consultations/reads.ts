import { and, desc, eq, gte, inArray, isNull, lt, sql } from 'drizzle-orm'
import { alias, type SelectedFields } from 'drizzle-orm/pg-core'
import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/consultations.ts'
import { ADMIN_REASON_MINUTES } from '#contract/people.ts'
import { DAY } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import { gaveReasons, isAbout, recordOnce } from '../identity/audit.ts'
import { isStaff, type Ctx, type World } from '../context.ts'
import { speciesNamed } from '../db/breeds.ts'
import { prepared } from '../db/client.ts'
import { columnsOf } from '../db/columns-of.ts'
import { isDue } from '../db/due.ts'
import { isOpenOf } from '../db/kinds.ts'
import { doctorName, fullName, staffName } from '../db/names.ts'
import { auditLog, consultations, notes, pets, purchases, summaries, users } from '../db/schema.ts'
import { phoneToRead } from '../identity/phone-number.ts'
import { flagOf, levelRead, whyInShort } from '../urgency/reads.ts'
import { questionOf } from './question-reads.ts'
import { ofTheirRegion, regionsOf } from './region-reads.ts'
import { aftermathOf, levelChangesOf, paidFor, waitOf, whereIs, writersOf } from './room-reads.ts'
import { consultLink, followUpEnds } from './rules.ts'

export const owners = alias(users, 'owners')
export const vets = alias(users, 'vets')

/** Consultations with what lists show of them, and `more`, whose tables the caller joins. */
export const selectConsultations = <More extends SelectedFields = {}>(
  { db }: Pick<World, 'db'>,
  more = {} as More,
) =>
  db
    .select({
      row: {
        ...columnsOf(consultations, 'id', 'type', 'region', 'userId', 'vetId', 'followUpVetId', 'caller'),
        ...columnsOf(consultations, 'petIssue', 'outcome', 'urgency', 'urgencyRead', 'questionRead'),
        ...columnsOf(consultations, 'start', 'vetStart', 'firstTakenAt', 'snoozedUntil', 'ownerSeenAt'),
        ...columnsOf(consultations, 'end', 'cancelledAt', 'extendedUntil', 'askedAgainAt', 'vetHere'),
        ...columnsOf(consultations, 'mailWhenTaken', 'clinicNotifiedAt', 'clinicAcceptedAt'),
      },
      pet: { id: pets.id, name: pets.name, species_id: pets.speciesId },
      owner: columnsOf(owners, 'firstName', 'lastName', 'email', 'guest'),
      vet_name: doctorName<string | null>(vets),
      summary: summaries.summary,
      ...more,
    })
    .from(consultations)
    .leftJoin(pets, eq(pets.id, consultations.petId))
    .leftJoin(owners, eq(owners.id, consultations.userId))
    .leftJoin(vets, eq(vets.id, consultations.vetId))
    .leftJoin(summaries, eq(summaries.consultationId, consultations.id))

type Row = Awaited<ReturnType<typeof selectConsultations<{}>>>[number]

type Reader = Opener['actor']

/** Whether another vet ended the consult. Staff who are neither its vets nor its owner must give a reason to read it. */
export const isAnothers = (
  reader: Reader,
  { userId, vetId, followUpVetId, end }: Pick<Row['row'], 'userId' | 'vetId' | 'followUpVetId' | 'end'>,
) => isStaff(reader) && end !== null && ![userId, vetId, followUpVetId].includes(reader.userId)

/** What lists show of a consult. A case that another vet ended shows its text only when opened, which is recorded. */
export function asListed(reader: Reader, row: Row) {
  const listed = asConsultation(row, isStaff(reader))
  return row.row.vetId !== null && isAnothers(reader, row.row)
    ? { ...listed, pet_issue: '', query: '', outcome: '', summary: null, ended_by_another: true }
    : listed
}

/** A phone consultation has a caller instead of an owner and a pet. */
export const asConsultation = ({ row, pet, owner, vet_name, summary }: Row, forStaff: boolean) => ({
  ended_by_another: false,
  id: row.id,
  type: row.type,
  start: row.start,
  vet_start: row.vetStart,
  first_taken_at: row.firstTakenAt ?? row.vetStart,
  snoozed_until: forStaff ? row.snoozedUntil : null,
  end: row.end,
  vet_name,
  handed_over_by: null,
  pet: pet ?? { id: null, name: row.caller?.pet ?? '', species_id: row.caller?.speciesId ?? null },
  user: {
    firstName: owner?.firstName ?? row.caller?.name ?? '',
    lastName: owner?.lastName ?? '',
    email: owner?.email ?? row.caller?.email ?? '',
  },
  pet_issue: row.petIssue,
  query: row.petIssue,
  outcome: row.outcome,
  // An owner is never told that something can wait.
  urgency: forStaff ? { level: row.urgency, why: whyInShort(row.urgencyRead) } : null,
  summary,
  portalDetail: {
    clinic_notified_at: row.clinicNotifiedAt,
    clinic_accepted_at: row.clinicAcceptedAt,
  },
})

export type Opener = Ctx<readonly ['owner', 'guest', 'vet', 'admin']>

const opened = prepared((db) =>
  db
    .select(columnsOf(consultations, 'userId', 'region', 'vetId', 'followUpVetId', 'lastSeq', 'end'))
    .from(consultations)
    .where(eq(consultations.id, sql.placeholder('id')))
    .prepare('opened_consultation'),
)

/** The owner, the consult's guest, vets of its region and admins may open it; everyone else gets NOT_FOUND. */
export async function mayOpen({ db, actor }: Pick<Opener, 'db' | 'actor'>, id: number) {
  const [row] = await opened(db).execute({ id })
  if (!row) return fail('NOT_FOUND')
  const isTheirs = actor.kind === 'guest' ? actor.consultationId === id : row.userId === actor.userId
  return isTheirs || (isStaff(actor) && regionsOf(actor).includes(row.region)) ? row : fail('NOT_FOUND')
}

/** How many minutes a reason lasts: a vet's for a shift, an admin's for one question. */
const REASON_LASTS = { vet: 12 * 60, admin: ADMIN_REASON_MINUTES }

/** Ways of looking at a case. Each of them records the reason. */
const LOOKS = ['opened', 'read the record', 'opened the plan']

/**
 * Staff can read a case that another vet ended after giving a reason when opening it. Reading any other case is recorded
 * like opening it, unless the case is their own.
 */
export async function mayRead(ctx: Pick<Opener, 'db' | 'now' | 'actor'>, id: number) {
  const row = await mayOpen(ctx, id)
  const { actor } = ctx
  if (!isStaff(actor)) return row
  if (isAnothers(actor, row))
    return (await reasonsGiven(ctx, actor, [id])).has(id) ? row : fail('CONSULT_SAY_WHY')
  const { userId } = actor
  if (![row.userId, row.vetId, row.followUpVetId].includes(userId))
    await recordOnce(ctx, userId, 'opened', ['consultation', id])
  return row
}

/** By case, the latest reason that this person gave for opening it, if it still lasts. */
export const reasonsGiven = (
  ctx: Pick<World, 'db' | 'now'>,
  { kind, userId }: { kind: 'vet' | 'admin'; userId: number },
  ids: number[],
) => gaveReasons(ctx, userId, LOOKS, ['consultation', ids], REASON_LASTS[kind])

/** The pet of a case, if this vet is treating it right now in another one. */
export async function petInTreatment({ db }: Pick<World, 'db'>, id: number, vetId: number) {
  const treated = alias(consultations, 'treated')
  const [row] = await db
    .select({ name: pets.name })
    .from(consultations)
    .innerJoin(pets, eq(pets.id, consultations.petId))
    .innerJoin(treated, and(eq(treated.petId, pets.id), eq(treated.vetId, vetId), isNull(treated.end)))
    .where(eq(consultations.id, id))
    .limit(1)
  return row?.name
}

const LATEST = 20

export async function latestTakenBy(ctx: Pick<World, 'db'>, vetId: number) {
  const [rows, handedOver] = await Promise.all([
    selectConsultations(ctx)
      .where(eq(consultations.vetId, vetId))
      .orderBy(desc(consultations.vetStart))
      .limit(LATEST),
    handedOverTo(ctx, vetId),
  ])
  return rows.map((row) => ({
    ...asConsultation(row, true),
    handed_over_by: handedOver.find(({ id }) => id === row.row.id)?.by ?? null,
  }))
}

/** A vet's open cases that a colleague handed over, with the colleague. Only notes from since this vet took the case count. */
const handedOverTo = ({ db }: Pick<World, 'db'>, vetId: number) =>
  db
    .select({ id: consultations.id, by: doctorName(users) })
    .from(consultations)
    .innerJoin(notes, and(eq(notes.consultationId, consultations.id), eq(notes.kind, 'hand_over')))
    .innerJoin(users, eq(users.id, notes.vetId))
    .where(and(isOpenOf(vetId), gte(notes.at, consultations.vetStart)))

/* One consultation. */

/** The room as this actor may see it. `told` says whether we gave the owner an expected wait before. */
export async function roomOf(ctx: Pick<Opener, 'db' | 'now' | 'actor'>, id: number) {
  const [found = fail('NOT_FOUND')] = await selectConsultations(ctx).where(eq(consultations.id, id))
  const { row } = found
  const [writers, waiting, aftermath, paid, askedAgain, changes, vet] = await Promise.all([
    writersOf(ctx, row),
    row.end === null && row.vetId === null ? waitOf(ctx, row) : null,
    aftermathOf(ctx, id),
    ctx.actor.kind === 'vet' ? null : paidFor(ctx, id),
    row.askedAgainAt === null ? null : questionOf(ctx, row),
    levelChangesOf(ctx, id),
    row.end === null && row.vetId !== null ? whereIs(ctx, row.vetId, row) : null,
  ])
  const raised = new Date(row.urgencyRead?.raisedAt ?? 0)
  const change = changes.find(({ at }) => at >= raised)
  const isRaisedSince = row.end === null && row.vetStart !== null && !change && raised >= row.vetStart
  return {
    ...asConsultation(found, isStaff(ctx.actor)),
    people: writers.map(({ id, name, asVet, registration }) =>
      id === row.userId
        ? { id, side: 'owner' as const, name, registration: null }
        : { id, side: 'vet' as const, name: asVet, registration },
    ),
    vet_id: row.vetId,
    vet,
    owner_seen_at: isStaff(ctx.actor) ? row.ownerSeenAt : null,
    waiting,
    flag: waiting || isRaisedSince ? await flagOf(ctx, row.urgency, row.urgencyRead, change?.from) : null,
    level: isStaff(ctx.actor)
      ? { ...levelRead(row.urgencyRead, speciesNamed(found.pet?.species_id)), changes: changes.toReversed() }
      : null,
    guest: found.owner?.guest ?? false,
    cancelled: row.cancelledAt !== null,
    mails_when_taken: row.mailWhenTaken,
    follow_up_until: followUpEnds(row),
    follow_up_vet_id: row.followUpVetId,
    asked_again: askedAgain,
    ...aftermath,
    paid,
  }
}

/** The recipient and link for mails about a consultation; undefined for a caller without an account, or a deleted one. */
export async function ownerOf(ctx: Pick<World, 'db' | 'secrets' | 'now'>, id: number) {
  const [row] = await ctx.db
    .select({
      id: consultations.id,
      userId: owners.id,
      customer: owners.publicId,
      ...columnsOf(owners, 'email', 'firstName', 'mobile', 'notifications'),
      name: fullName(owners),
      isGuest: owners.guest,
      region: consultations.region,
      pet: pets.name,
      petDied: sql<boolean>`${pets.putAwayWhy} is not distinct from 'died'`,
    })
    .from(consultations)
    .innerJoin(owners, and(eq(owners.id, consultations.userId), isNull(owners.deletedAt)))
    .innerJoin(pets, eq(pets.id, consultations.petId))
    .where(eq(consultations.id, id))
  if (!row) return undefined
  const { isGuest, ...owner } = row
  const room = isGuest ? consultLink(ctx, { customer: owner.customer, consultation: id }) : `/text-chat/${id}`
  return { ...owner, mobile: phoneToRead(owner.mobile, owner.region), isGuest, room }
}

/** A pet's earlier consults, latest first. */
export async function earlierOf(ctx: Pick<Opener, 'db' | 'actor'>, petId: number, id: number, most: number) {
  const rows = await selectConsultations(ctx)
    .where(
      and(
        eq(consultations.petId, petId),
        lt(consultations.id, id),
        isNull(consultations.cancelledAt),
        ofTheirRegion(ctx.actor),
      ),
    )
    .orderBy(desc(consultations.start))
    .limit(most)
  return rows.map((row) => asListed(ctx.actor, row))
}

const MOST_ENTRIES = 200

/** Who opened or changed a consult, latest first. Entries without a person are VetChat's. */
export const listAccess: Handler<typeof calls.listAccess> = async (ctx, { id }) => {
  await mayRead(ctx, id)
  return ctx.db
    .select({
      ...columnsOf(auditLog, 'action', 'reason', 'at'),
      name: sql<string>`coalesce(${staffName(users)}, 'VetChat')`,
    })
    .from(auditLog)
    .leftJoin(users, eq(users.id, auditLog.userId))
    .where(isAbout(['consultation', id]))
    .orderBy(desc(auditLog.id))
    .limit(MOST_ENTRIES)
}

/** How many consults a person is buying, or has bought and not begun. */
export const consultsBought = ({ db }: Pick<World, 'db'>, userId: number) =>
  db.$count(
    purchases,
    and(
      eq(purchases.userId, userId),
      eq(purchases.kind, 'consult'),
      inArray(purchases.state, ['paying', 'paid']),
    ),
  )

/** Whether a person is waiting or with a vet, or soon will be, and when they last were. */
export async function lastConsultationOf(world: Pick<World, 'db'>, userId: number) {
  const [row] = await world.db
    .select({
      isOpen: sql<boolean>`coalesce(bool_or(${consultations.end} is null), false)`,
      last: sql<Date | null>`max(coalesce(${consultations.end}, ${consultations.start}))`.mapWith(
        consultations.start,
      ),
    })
    .from(consultations)
    .where(eq(consultations.userId, userId))
  const { isOpen, last } = row!
  return { isOpen: isOpen || (await consultsBought(world, userId)) > 0, last }
}

/** Whether a clinic must be mailed about the consult by now. Its morning is less than a day away. */
export const isClinicMailDue = ({ now }: Pick<World, 'now'>) =>
  isDue(consultations.clinicMailDueAt, now(), DAY)
