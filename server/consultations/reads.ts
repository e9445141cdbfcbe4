import { and, asc, count, desc, eq, inArray, isNotNull, isNull, lt, or, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Parsed } from '#contract/call.ts'
import { fail, failAt } from '#contract/errors.ts'
import type * as calls from '#contract/consultations.ts'
import { type Consultation, MOST_COUNTED, type Room } from '#contract/consultations.ts'
import { entriesOf, gaveReason } from '../identity/audit.ts'
import type { Ctx, World } from '../context.ts'
import { prepared } from '../db/client.ts'
import { consultations, listChanges, pets, summaries, users } from '../db/schema.ts'
import { siteOfRegion } from '../env.ts'
import { iso } from '../http/wire.ts'
import { aftermathOf, paidFor, waitOf, writersOf } from './room-reads.ts'
import { consultLink, doctor, followUpEnds } from './rules.ts'

const owners = alias(users, 'owners')
const vets = alias(users, 'vets')

const select = ({ db }: Pick<World, 'db'>) =>
  db
    .select({
      row: {
        id: consultations.id,
        type: consultations.type,
        userId: consultations.userId,
        vetId: consultations.vetId,
        caller: consultations.caller,
        petIssue: consultations.petIssue,
        outcome: consultations.outcome,
        start: consultations.start,
        vetStart: consultations.vetStart,
        end: consultations.end,
        cancelledAt: consultations.cancelledAt,
        mailWhenTaken: consultations.mailWhenTaken,
        clinicNotifiedAt: consultations.clinicNotifiedAt,
        clinicAcceptedAt: consultations.clinicAcceptedAt,
      },
      pet: { id: pets.id, name: pets.name, speciesId: pets.speciesId },
      owner: {
        firstName: owners.firstName,
        lastName: owners.lastName,
        email: owners.email,
        guest: owners.guest,
      },
      vet: { firstName: vets.firstName, lastName: vets.lastName },
      summary: summaries.summary,
    })
    .from(consultations)
    .leftJoin(pets, eq(pets.id, consultations.petId))
    .leftJoin(owners, eq(owners.id, consultations.userId))
    .leftJoin(vets, eq(vets.id, consultations.vetId))
    .leftJoin(summaries, eq(summaries.consultationId, consultations.id))

type Row = Awaited<ReturnType<typeof select>>[number]

type Reader = Pick<Opener, 'actor'>['actor']

const isStaff = ({ kind }: Reader) => kind === 'vet' || kind === 'admin'

/** A vet ended it, and neither that vet nor its owner is asking. */
const isAnothers = (
  reader: Reader,
  { userId, vetId, end }: { userId: number | null; vetId: number | null; end: Date | null },
) => isStaff(reader) && end !== null && 'userId' in reader && ![userId, vetId].includes(reader.userId)

/** What lists show of it. A case that another vet ended must be opened, which leaves a trace. */
function asListed(reader: Reader, row: Row): Consultation {
  const listed = asConsultation(row)
  return row.row.vetId !== null && isAnothers(reader, row.row)
    ? { ...listed, pet_issue: '', query: '', outcome: '', summary: null, ended_by_another: true }
    : listed
}

/** A phone consultation has a caller instead of an owner and a pet. */
function asConsultation({ row, pet, owner, vet, summary }: Row): Consultation {
  return {
    ended_by_another: false,
    id: row.id,
    type: row.type,
    start: iso(row.start),
    vet_start: iso(row.vetStart),
    end: iso(row.end),
    vet_name: vet && doctor(vet),
    pet: pet
      ? { id: pet.id, name: pet.name, species_id: pet.speciesId }
      : { id: null, name: row.caller?.pet ?? '', species_id: row.caller?.speciesId ?? null },
    user: {
      firstName: owner?.firstName ?? row.caller?.name ?? '',
      lastName: owner?.lastName ?? '',
      email: owner?.email ?? row.caller?.email ?? '',
    },
    pet_issue: row.petIssue,
    query: row.petIssue,
    outcome: row.outcome,
    summary,
    portalDetail: {
      clinic_notified_at: iso(row.clinicNotifiedAt),
      clinic_accepted_at: iso(row.clinicAcceptedAt),
    },
  }
}

export type Opener = Ctx<readonly ['owner', 'guest', 'vet', 'admin']>

const opened = prepared((db) =>
  db
    .select({
      userId: consultations.userId,
      vetId: consultations.vetId,
      lastSeq: consultations.lastSeq,
      end: consultations.end,
    })
    .from(consultations)
    .where(eq(consultations.id, sql.placeholder('id')))
    .prepare('opened_consultation'),
)

/** The owner, the consult's guest and staff may open it; everyone else gets NOT_FOUND. */
export async function mayOpen({ db, actor }: Pick<Opener, 'db' | 'actor'>, id: number) {
  const [row] = await opened(db).execute({ id })
  const mine =
    actor.kind === 'guest'
      ? actor.consultationId === id
      : actor.kind === 'owner'
        ? row?.userId === actor.userId
        : true
  return row && mine ? row : fail('NOT_FOUND')
}

const REASON_LASTS_MINUTES = 12 * 60

/** Vets must give a reason before they read a case that another vet ended; administrators only leave a trace. */
export const needsReason = (reader: Reader, row: Parameters<typeof isAnothers>[1]) =>
  reader.kind === 'vet' && isAnothers(reader, row)

/** A vet can read a case that another vet ended after giving a reason when opening it. */
export async function mayRead(ctx: Pick<Opener, 'db' | 'now' | 'actor'>, id: number) {
  const row = await mayOpen(ctx, id)
  if (!needsReason(ctx.actor, row) || !('userId' in ctx.actor)) return row
  const look = { userId: ctx.actor.userId, subject: 'consultation', subjectId: id }
  return (await gaveReason(ctx, look, REASON_LASTS_MINUTES)) ? row : fail('CONSULT_SAY_WHY')
}

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

/** A vet's latest consultations. */
export async function latestTakenBy(ctx: Pick<World, 'db'>, vetId: number): Promise<Consultation[]> {
  const rows = await select(ctx)
    .where(eq(consultations.vetId, vetId))
    .orderBy(desc(consultations.vetStart))
    .limit(LATEST)
  return rows.map(asConsultation)
}

/* Lists. */

const DIGITS = /^\d{1,9}$/

/** Owners see their own, newest first, since ids grow with time. Staff see everybody's. */
export async function listConsultations(
  ctx: Ctx<typeof calls.listConsultations.access>,
  asked: Parsed<typeof calls.listConsultations>,
) {
  const { actor } = ctx
  const own = actor.kind === 'owner' ? eq(consultations.userId, actor.userId) : undefined
  const [{ page, next }, counts] = await Promise.all([
    own || asked.q ? newestFirst(ctx, asked, own) : byUrgency(ctx, asked),
    countsOf(ctx, own),
  ])
  return { consultations: page.map((row) => asListed(actor, row)), next, counts }
}

const waits = and(isNull(consultations.end), isNull(consultations.vetId))
const taken = and(isNull(consultations.end), isNotNull(consultations.vetId))
const over = isNotNull(consultations.end)
const FILTERED = { all: undefined, available: waits, in_progress: taken, completed: over }

type Asked = Parsed<typeof calls.listConsultations>

async function newestFirst(
  ctx: Pick<World, 'db'>,
  { filter, q, cursor, limit }: Asked,
  own: SQL | undefined,
) {
  if (cursor !== undefined && !DIGITS.test(cursor)) failAt('cursor', 'INVALID_INPUT')
  const rows = await select(ctx)
    .where(
      and(
        own,
        FILTERED[filter],
        q ? await found(ctx, q.toLowerCase()) : undefined,
        cursor === undefined ? undefined : lt(consultations.id, Number(cursor)),
      ),
    )
    .orderBy(desc(consultations.id))
    .limit(limit + 1)
  const page = rows.slice(0, limit)
  return { page, next: rows.length > limit ? String(page.at(-1)!.row.id) : null }
}

const MOST_FOUND = 200

/** A number is a consultation's id; anything else begins a name, an email or a pet's name. */
async function found({ db }: Pick<World, 'db'>, words: string) {
  if (DIGITS.test(words)) return eq(consultations.id, Number(words))
  const begins = `${words.replace(/[\\%_]/g, '\\$&')}%`
  const [people, animals] = await Promise.all([
    db
      .select({ id: users.id })
      .from(users)
      .where(
        or(
          sql`lower(${users.firstName} || ' ' || ${users.lastName}) like ${begins}`,
          sql`lower(${users.lastName}) like ${begins}`,
          sql`${users.email} like ${begins}`,
        ),
      )
      .limit(MOST_FOUND),
    db
      .select({ id: pets.id })
      .from(pets)
      .where(sql`lower(${pets.name}) like ${begins}`)
      .limit(MOST_FOUND),
  ])
  const ids = (rows: { id: number }[]) => rows.map(({ id }) => id)
  return or(inArray(consultations.userId, ids(people)), inArray(consultations.petId, ids(animals)))
}

/** The parts of the staff's list. Each has its own index. */
const PARTS = [
  { name: 'available', where: waits, by: consultations.start, newest: false },
  { name: 'in_progress', where: taken, by: consultations.start, newest: false },
  { name: 'completed', where: over, by: consultations.end, newest: true },
] as const
const PLACE = /^([012])\.(\d{1,14})\.(\d{1,9})$/

/** The first rows of a part after a cursor. */
const first = PARTS.map(({ name, where, by, newest }) =>
  prepared((db) => {
    const order = newest ? desc : asc
    const further = sql`(${by}, ${consultations.id}) ${sql.raw(newest ? '<' : '>')}
      (${sql.placeholder('time')}::timestamptz, ${sql.placeholder('id')}::int)`
    return db
      .select({ id: consultations.id, time: by })
      .from(consultations)
      .where(and(where, further))
      .orderBy(order(by), order(consultations.id))
      .limit(sql.placeholder('most'))
      .prepare(`first_${name}`)
  }),
)
const BEFORE_ALL = { time: '-infinity', id: 0 }
const AFTER_ALL = { time: 'infinity', id: 2_147_483_647 }

const byId = prepared((db) =>
  select({ db })
    .where(sql`${consultations.id} = any(${sql.placeholder('ids')}::int[])`)
    .prepare('consultations_by_id'),
)

/** Waiting consults first, longest wait on top; then those in progress; then completed ones, newest first. A page may span two parts. */
async function byUrgency({ db }: Pick<World, 'db'>, { filter, cursor, limit }: Asked) {
  const [, from = '0', time, id] =
    cursor === undefined ? [] : (PLACE.exec(cursor) ?? failAt('cursor', 'INVALID_INPUT'))
  const parts = await Promise.all(
    PARTS.map(async ({ name, newest }, part) => {
      if (part < Number(from) || (filter !== 'all' && filter !== name)) return []
      const place =
        time !== undefined && part === Number(from)
          ? { time: new Date(Number(time)).toISOString(), id: Number(id) }
          : newest
            ? AFTER_ALL
            : BEFORE_ALL
      const rows = await first[part]!(db).execute({ ...place, most: limit + 1 })
      return rows.map((row) => ({ ...row, part }))
    }),
  )
  const places = parts.flat().slice(0, limit + 1)
  const page = places.slice(0, limit)
  const rows = new Map(
    (await byId(db).execute({ ids: page.map((one) => one.id) })).map((one) => [one.row.id, one]),
  )
  const last = page.at(-1)
  return {
    page: page.flatMap((one) => rows.get(one.id) ?? []),
    next: places.length > limit ? `${last!.part}.${last!.time!.getTime()}.${last!.id}` : null,
  }
}

const counting = (db: World['db'], own: SQL | undefined) => {
  const ended = db
    .select({ id: consultations.id })
    .from(consultations)
    .where(and(own, over))
    .orderBy(desc(consultations.end))
    .limit(MOST_COUNTED)
    .as('ended')
  return db
    .select({
      needs_help: sql<number>`(count(*) filter (where ${consultations.vetId} is null))::int`,
      in_progress: sql<number>`count(${consultations.vetId})::int`,
      completed: sql<number>`${db.select({ n: count() }).from(ended)}::int`,
    })
    .from(consultations)
    .where(and(own, isNull(consultations.end)))
}
const countsOfAll = prepared((db) => counting(db, undefined).prepare('consultations_counted'))

/** Counting completed consults stops at the highest number that a list still shows. */
async function countsOf({ db }: Pick<World, 'db'>, own: SQL | undefined) {
  const [counts] = await (own ? counting(db, own) : countsOfAll(db).execute())
  return counts!
}

const listVersion = prepared((db) =>
  db
    .select({ version: sql<string>`coalesce(sum(${listChanges.count}), 0)::text` })
    .from(listChanges)
    .prepare('list_version'),
)

/** The version of all lists. Each change that they show bumps it in its own transaction. */
export async function versionOfLists({ db }: Pick<World, 'db'>) {
  const [row] = await listVersion(db).execute()
  return row!.version
}

/* One consultation. */

/** The room as this actor may see it. `told` says whether we gave the owner an expected wait before. */
export async function roomOf(
  ctx: Pick<Opener, 'db' | 'now' | 'actor'>,
  id: number,
): Promise<Room & { told: boolean }> {
  const [found] = await select(ctx).where(eq(consultations.id, id))
  const { row } = found ?? fail('NOT_FOUND')
  const [writers, waiting, aftermath, paid] = await Promise.all([
    writersOf(ctx, row),
    row.end === null && row.vetId === null ? waitOf(ctx, row) : null,
    aftermathOf(ctx, id),
    ctx.actor.kind === 'vet' ? null : paidFor(ctx, id),
  ])
  return {
    ...asConsultation(found!),
    people: writers.map(({ id, registration, ...person }) =>
      id === row.userId
        ? {
            id,
            side: 'owner',
            name: `${person.firstName} ${person.lastName}`.trim(),
            registration: null,
          }
        : { id, side: 'vet', name: doctor(person), registration },
    ),
    vet_id: row.vetId,
    waiting,
    guest: found!.owner?.guest ?? false,
    cancelled: row.cancelledAt !== null,
    mails_when_taken: row.mailWhenTaken,
    follow_up_until: iso(followUpEnds(row)),
    ...aftermath,
    paid,
  }
}

/** The recipient and link for mails about a consultation; undefined for a caller without an account, or a deleted one. */
export async function ownerOf(ctx: Pick<World, 'db' | 'env' | 'secret' | 'now'>, id: number) {
  const [row] = await ctx.db
    .select({
      id: consultations.id,
      userId: owners.id,
      customer: owners.publicId,
      email: owners.email,
      firstName: owners.firstName,
      lastName: owners.lastName,
      mobile: owners.mobile,
      isGuest: owners.guest,
      region: consultations.region,
      pet: pets.name,
    })
    .from(consultations)
    .innerJoin(owners, and(eq(owners.id, consultations.userId), isNull(owners.deletedAt)))
    .innerJoin(pets, eq(pets.id, consultations.petId))
    .where(eq(consultations.id, id))
  if (!row) return undefined
  const { isGuest, ...owner } = row
  const site = siteOfRegion(ctx, owner.region)
  const room = isGuest
    ? consultLink(ctx, site, { customer: owner.customer, consultation: id })
    : `${site.url}/text-chat/${id}`
  return { ...owner, isGuest, room }
}

/** A pet's earlier consults, latest first. */
export async function earlierOf(ctx: Pick<Opener, 'db' | 'actor'>, petId: number, id: number, most: number) {
  const rows = await select(ctx)
    .where(and(eq(consultations.petId, petId), lt(consultations.id, id), isNull(consultations.cancelledAt)))
    .orderBy(desc(consultations.start))
    .limit(most)
  return rows.map((row) => asListed(ctx.actor, row))
}

const MOST_ENTRIES = 200

/** Who opened or changed it, latest first. Entries without a person are VetChat's. */
export async function listAccess(ctx: Opener, { id }: Parsed<typeof calls.listAccess>) {
  await mayRead(ctx, id)
  const rows = await entriesOf(ctx, 'consultation', id, MOST_ENTRIES)
  return rows.map(({ entry, type, firstName, lastName }) => ({
    name:
      type === null
        ? 'VetChat'
        : type === 2
          ? doctor({ firstName: firstName!, lastName: lastName! })
          : `${firstName} ${lastName}`.trim(),
    action: entry.action,
    reason: entry.reason,
    at: iso(entry.at),
  }))
}

/** Whether a person is waiting or with a vet, and when they last were. */
export async function lastConsultationOf({ db }: Pick<World, 'db'>, userId: number) {
  const [row] = await db
    .select({
      isOpen: sql<boolean>`coalesce(bool_or(${consultations.end} is null), false)`,
      last: sql<Date | null>`max(coalesce(${consultations.end}, ${consultations.start}))`.mapWith(
        consultations.start,
      ),
    })
    .from(consultations)
    .where(eq(consultations.userId, userId))
  return row!
}
