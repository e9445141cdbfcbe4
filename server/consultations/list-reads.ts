import {
  and,
  asc,
  count,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lt,
  notInArray,
  or,
  sql,
  type SQL,
} from 'drizzle-orm'
import type { Handler } from '../http/serve.ts'
import { idsOf } from '../db/ids-of.ts'
import type { Parsed } from '#contract/call.ts'
import { unionAll } from 'drizzle-orm/pg-core'
import { failAt } from '#contract/errors.ts'
import type * as calls from '#contract/consultations.ts'
import { MOST_COUNTED, MOST_OPEN, type Sort } from '#contract/consultations.ts'
import type { World } from '../context.ts'
import { prepared } from '../db/client.ts'
import { isWaiting } from '../db/kinds.ts'
import { personBegins, petBegins } from '../db/like.ts'
import { consultations, listChanges, messages, pets, readMarks, users } from '../db/schema.ts'
import { asListed, type Opener, selectConsultations, vets } from './reads.ts'
import { ofTheirRegion, regionsOf } from './region-reads.ts'

/* Lists. */

const DIGITS = /^\d{1,9}$/

/** Owners see their own, newest first, since ids grow with time. Staff see everybody's. */
export const listConsultations: Handler<typeof calls.listConsultations> = async (ctx, asked) => {
  const { actor } = ctx
  const { filter, q, sort } = asked
  const own = actor.kind === 'owner' ? eq(consultations.userId, actor.userId) : undefined
  const listed = async () => {
    if (!own && !q && !sort) return byUrgency(ctx, asked)
    const named = q ? await found(ctx, q.toLowerCase()) : undefined
    const which = and(own ?? ofTheirRegion(actor), FILTERED[filter], named)
    return sort && !own ? sorted(ctx, asked, sort, which) : newestFirst(ctx, asked, which)
  }
  const [{ page, next }, counts] = await Promise.all([listed(), countsOf(ctx, own)])
  return { consultations: page.map((row) => asListed(actor, row)), next, counts }
}

/** How much of a message we quote in a link back to its consult. */
const QUOTED = 160

/** What pages outside the room show of an open consult. */
export const listOpen: Handler<typeof calls.listOpen> = async ({ db, actor }) => {
  const own =
    actor.kind === 'guest'
      ? eq(consultations.id, actor.consultationId)
      : eq(consultations.userId, actor.userId)
  const rows = await selectConsultations({ db })
    .where(and(own, isNull(consultations.end)))
    .orderBy(desc(consultations.id))
    .limit(MOST_OPEN)
  if (rows.length === 0) return []
  const unseen = await db
    .select({
      id: messages.consultationId,
      unread: count(),
      said: sql<string>`left((array_agg(${messages.body} order by ${messages.seq} desc))[1], ${QUOTED})`,
    })
    .from(messages)
    .innerJoin(consultations, eq(consultations.id, messages.consultationId))
    .leftJoin(
      readMarks,
      and(eq(readMarks.consultationId, messages.consultationId), eq(readMarks.userId, consultations.userId)),
    )
    .where(
      and(
        inArray(
          messages.consultationId,
          rows.map(({ row }) => row.id),
        ),
        sql`${messages.userId} <> ${consultations.userId}`,
        sql`${messages.seq} > coalesce(${readMarks.seen}, 0)`,
      ),
    )
    .groupBy(messages.consultationId)
  return rows.map((row) => {
    const { unread = 0, said = '' } = unseen.find(({ id }) => id === row.row.id) ?? {}
    return { ...asListed(actor, row), unread, said }
  })
}

const taken = and(isNull(consultations.end), isNotNull(consultations.vetId))
const over = isNotNull(consultations.end)
const FILTERED = { all: undefined, available: isWaiting, in_progress: taken, completed: over }

type Asked = Parsed<typeof calls.listConsultations>

async function newestFirst(ctx: Pick<World, 'db'>, { cursor, limit }: Asked, which: SQL | undefined) {
  if (cursor !== undefined && !DIGITS.test(cursor)) failAt('cursor', 'INVALID_INPUT')
  const rows = await selectConsultations(ctx)
    .where(and(which, cursor === undefined ? undefined : lt(consultations.id, Number(cursor))))
    .orderBy(desc(consultations.id))
    .limit(limit + 1)
  const page = rows.slice(0, limit)
  return { page, next: rows.length > limit ? String(page.at(-1)!.row.id) : null }
}

const SORTED_BY = { id: consultations.id, type: consultations.type, start: consultations.start }

/**
 * Sorts by one column. Rows without a value come last; equal rows come newest first. We sort only ids, because sorting
 * whole rows of a hundred thousand consults would take a second.
 */
async function sorted(ctx: Pick<World, 'db'>, { cursor, limit }: Asked, sort: Sort, where: SQL | undefined) {
  const skipped =
    cursor === undefined ? 0 : Number(/^\d{1,6}$/.exec(cursor) ?? failAt('cursor', 'INVALID_INPUT'))
  const order = sort.startsWith('-') ? desc : asc
  const column = sort.replace('-', '') as keyof typeof SORTED_BY | 'pet' | 'vet'
  const most = skipped + limit + 1
  const rows =
    column === 'pet'
      ? await byPet(ctx, where, order, most)
      : column === 'vet'
        ? await byVet(ctx, where, order, most)
        : await ctx.db
            .select({ id: consultations.id })
            .from(consultations)
            .where(where)
            .orderBy(order(SORTED_BY[column]), desc(consultations.id))
            .limit(most)
  return {
    page: await inOrder(ctx.db, idsOf(rows.slice(skipped, skipped + limit))),
    next: rows.length === most ? String(skipped + limit) : null,
  }
}

type Order = typeof asc

/** Consults in the order of their pets' names, from the index, merged with those whose callers named a pet. */
function byPet({ db }: Pick<World, 'db'>, where: SQL | undefined, order: Order, most: number) {
  const own = sql<string>`lower(${pets.name})`
  const callers = sql<string>`lower(${consultations.caller}->>'pet')`
  const name = sql`name`
  const owned = db
    .select({ id: consultations.id, name: own.as('name') })
    .from(pets)
    .innerJoin(consultations, eq(consultations.petId, pets.id))
    .where(where)
    .orderBy(order(own), desc(consultations.id))
    .limit(most)
  const called = db
    .select({ id: consultations.id, name: callers.as('name') })
    .from(consultations)
    .where(and(where, isNull(consultations.petId)))
    .orderBy(order(callers), desc(consultations.id))
    .limit(most)
  return unionAll(owned, called)
    .orderBy(sql`${order(name)} nulls last, id desc`)
    .limit(most)
}

/** At most one page of consults per vet; consults without a vet come last. */
function byVet({ db }: Pick<World, 'db'>, where: SQL | undefined, order: Order, most: number) {
  const takenAt = sql`${consultations.vetStart}`.as('taken_at')
  const nobodys = db
    .select({ id: consultations.id, name: sql<string | null>`null::text`.as('name'), takenAt })
    .from(consultations)
    .where(and(where, isNull(consultations.vetId)))
    .orderBy(desc(consultations.id))
    .limit(most)
  const latest = db
    .select({ id: consultations.id, takenAt })
    .from(consultations)
    .where(and(where, eq(consultations.vetId, vets.id)))
    .orderBy(desc(consultations.vetStart), desc(consultations.id))
    .limit(most)
    .as('latest')
  // Takes one step in the index for each vet who has a consult.
  const who = sql`(with recursive who(id) as (
    select min(vet_id) from consultations
    union all select (select min(vet_id) from consultations where vet_id > who.id) from who where who.id is not null
  ) select id from who) who`
  const taken = db
    .select({
      id: latest.id,
      name: sql<string | null>`lower(${vets.lastName} || ' ' || ${vets.firstName})`.as('name'),
      takenAt: latest.takenAt,
    })
    .from(who)
    .innerJoin(vets, eq(vets.id, sql`who.id`))
    .crossJoinLateral(latest)
  return unionAll(taken, nobodys)
    .orderBy(sql`${order(sql`name`)} nulls last, taken_at desc nulls last, id desc`)
    .limit(most)
}

/** Up to so many have their consults found one by one, from the index. A more common name fills a page soon anyway. */
const FEW = 200

/** A number is a consultation's id; anything else is the start of a name, an email or a pet's name. */
async function found({ db }: Pick<World, 'db'>, words: string) {
  if (DIGITS.test(words)) return eq(consultations.id, Number(words))
  const people = () =>
    db
      .select({ id: users.id })
      .from(users)
      .where(or(...personBegins(words)))
  const animals = () => db.select({ id: pets.id }).from(pets).where(petBegins(words))
  const [few, fewAnimals] = await Promise.all([people().limit(FEW + 1), animals().limit(FEW + 1)])
  return or(
    inArray(consultations.userId, few.length > FEW ? people() : idsOf(few)),
    inArray(consultations.petId, fewAnimals.length > FEW ? animals() : idsOf(fewAnimals)),
  )
}

const waiting = (name: string, level: SQL) =>
  ({
    name,
    filter: 'available',
    where: and(isWaiting, level),
    by: consultations.start,
    newest: false,
  }) as const

/** The parts of the staff's list. Each has its own index. */
const QUEUE_ORDER = [
  waiting('emergencies', eq(consultations.urgency, 'emergency')),
  waiting('urgent', eq(consultations.urgency, 'urgent')),
  waiting('others', notInArray(consultations.urgency, ['emergency', 'urgent'])),
  { name: 'in_progress', filter: 'in_progress', where: taken, by: consultations.start, newest: false },
  { name: 'completed', filter: 'completed', where: over, by: consultations.end, newest: true },
] as const
const PLACE = /^([0-4])\.(\d{1,14})\.(\d{1,9})$/

const ofRegions = sql`${consultations.region} = any(${sql.placeholder('regions')}::text[])`

const first = QUEUE_ORDER.map(({ name, where, by, newest }) =>
  prepared((db) => {
    const order = newest ? desc : asc
    const further = sql`(${by}, ${consultations.id}) ${sql.raw(newest ? '<' : '>')}
      (${sql.placeholder('time')}::timestamptz, ${sql.placeholder('id')}::int)`
    return db
      .select({ id: consultations.id, time: by })
      .from(consultations)
      .where(and(where, further, ofRegions))
      .orderBy(order(by), order(consultations.id))
      .limit(sql.placeholder('most'))
      .prepare(`first_${name}`)
  }),
)
const BEFORE_ALL = { time: '-infinity', id: 0 }
const AFTER_ALL = { time: 'infinity', id: 2_147_483_647 }

const byId = prepared((db) =>
  selectConsultations({ db })
    .where(sql`${consultations.id} = any(${sql.placeholder('ids')}::int[])`)
    .prepare('consultations_by_id'),
)

async function inOrder(db: World['db'], ids: number[]) {
  const rows = new Map((await byId(db).execute({ ids })).map((one) => [one.row.id, one]))
  return ids.flatMap((id) => rows.get(id) ?? [])
}

/** Waiting consults first: emergencies, urgent ones, then the others, longest wait on top; then those in progress; then completed ones, newest first. A page may span two parts. */
async function byUrgency({ db, actor }: Pick<Opener, 'db' | 'actor'>, { filter, cursor, limit }: Asked) {
  const [, from = '0', time, id] =
    cursor === undefined ? [] : (PLACE.exec(cursor) ?? failAt('cursor', 'INVALID_INPUT'))
  const parts = await Promise.all(
    QUEUE_ORDER.map(async ({ filter: shown, newest }, part) => {
      if (part < Number(from) || (filter !== 'all' && filter !== shown)) return []
      const place =
        time !== undefined && part === Number(from)
          ? { time: new Date(Number(time)).toISOString(), id: Number(id) }
          : newest
            ? AFTER_ALL
            : BEFORE_ALL
      const rows = await first[part]!(db).execute({ ...place, most: limit + 1, regions: regionsOf(actor) })
      return rows.map((row) => ({ ...row, part }))
    }),
  )
  const places = parts.flat().slice(0, limit + 1)
  const page = places.slice(0, limit)
  const last = page.at(-1)
  return {
    page: await inOrder(db, idsOf(page)),
    next: places.length > limit ? `${last!.part}.${last!.time!.getTime()}.${last!.id}` : null,
  }
}

const counting = (db: World['db'], seen: SQL) => {
  const ended = db
    .select({ id: consultations.id })
    .from(consultations)
    .where(and(seen, over))
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
    .where(and(seen, isNull(consultations.end)))
}
const countsOfRegions = prepared((db) => counting(db, ofRegions).prepare('consultations_counted'))

/** Counting completed consults stops at the highest number that a list shows. */
async function countsOf({ db, actor }: Pick<Opener, 'db' | 'actor'>, own: SQL | undefined) {
  const [counts] = await (own
    ? counting(db, own)
    : countsOfRegions(db).execute({ regions: regionsOf(actor) }))
  return counts!
}

const listVersion = prepared((db) =>
  db
    .select({ version: sql<string>`coalesce(sum(${listChanges.count}), 0)::text` })
    .from(listChanges)
    .prepare('list_version'),
)

/** The version of all lists. Each change that lists show raises it in the same transaction. */
export async function versionOfLists({ db }: Pick<World, 'db'>) {
  const [row] = await listVersion(db).execute()
  return row!.version
}
