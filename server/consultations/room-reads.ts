import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  min,
  not,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { alias, union } from 'drizzle-orm/pg-core'
import { isLate, PROMISED_MINUTES, promisedBy } from '#contract/consultations.ts'
import { MINUTE } from '#contract/time.ts'
import type { Level } from '#contract/urgency.ts'
import { opensAt, type Region } from '#contract/regions.ts'
import type { World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { doctorName, fullName } from '../db/names.ts'
import {
  auditLog,
  clinicalNotes,
  clinics,
  consultations,
  ledger,
  levelChanges,
  messages,
  pets,
  purchases,
  ratings,
  refunds,
  shifts,
  summaries,
  users,
} from '../db/schema.ts'
import { onDutyIn } from './region-reads.ts'
import { expectedWait, type QueueNow } from './wait-rules.ts'

/* What a room shows besides the consultation itself. */

const RECENT = 20

/** Whether any vet ever took the consult, even if another has it now. */
export const hadAVet = sql<boolean>`exists (select from ${auditLog} where ${auditLog.subject} = 'consultation'
  and ${auditLog.subjectId} = ${consultations.id}::text and ${auditLog.action} = 'took')`

/** Whether a vet handed the consult back so recently that its owner already knows why they wait again. */
export const handedBackRecently = (now: Date) => sql`exists (select from ${auditLog}
  where ${auditLog.subject} = 'consultation' and ${auditLog.subjectId} = ${consultations.id}::text
  and ${auditLog.action} in ('handed back', 'handed over')
  and ${auditLog.at} > ${now.toISOString()}::timestamptz - ${PROMISED_MINUTES} * interval '1 minute')`

export const firstTaken = sql<Date | null>`coalesce(${consultations.firstTakenAt}, ${consultations.vetStart})`

/**
 * Whether a vet has advised, in a message to the owner or a note. What a vet writes for the next one when handing back
 * isn't advice.
 */
const vetWrote = sql<boolean>`(
  exists (select from ${messages} said where said.consultation_id = ${consultations.id} and said.user_id <> ${consultations.userId})
  or exists (select from ${clinicalNotes} note where note.consultation_id = ${consultations.id})
  or exists (select from ${summaries} advice where advice.consultation_id = ${consultations.id}))`

/** Cancelled before a vet advised. Only then do we return the money and the coupon automatically (decision 037). */
export const leftUnadvised = and(isNotNull(consultations.cancelledAt), not(vetWrote))

/** `promisedBy` and `isLate` in SQL, for a waiting consultation. */
export const promisedByInSql = sql`(${consultations.start} + ${PROMISED_MINUTES} * interval '1 minute')`
export const isLateInSql = (now: Date) => sql`${promisedByInSql} <= ${now.toISOString()}::timestamptz`

export const countOnDuty = ({ db }: Pick<World, 'db'>, region: Region) => db.$count(users, onDutyIn(region))

/** A region's queue as seen by someone behind the cases in `before`, or behind every case. */
async function queueNow(
  { db, now }: Pick<World, 'db' | 'now'>,
  region: Region,
  own?: { before: SQL; start: Date },
): Promise<QueueNow> {
  const here = eq(consultations.region, region)
  const isAhead = sql`filter (where ${and(isNull(consultations.vetId), own?.before)})`
  const [[waiting], [duty], recent] = await Promise.all([
    db
      .select({
        ahead: sql<number>`(count(*) ${isAhead})::int`,
        inProgress: sql<number>`count(${consultations.vetId})::int`,
        since: sql<Date | null>`min(${consultations.start}) ${isAhead}`.mapWith(consultations.start),
      })
      .from(consultations)
      .where(and(here, isNull(consultations.end))),
    db
      .select({ vets: count(), since: min(users.onDutySince) })
      .from(users)
      .where(onDutyIn(region)),
    db
      .select({
        minutes: sql<number>`extract(epoch from ${consultations.end} - ${consultations.vetStart})::float / 60`,
      })
      .from(consultations)
      .where(and(here, isNotNull(consultations.end), isNotNull(consultations.vetStart)))
      .orderBy(desc(consultations.end))
      .limit(RECENT),
  ])
  const { ahead, inProgress } = waiting!
  const front = waiting!.since ?? own?.start
  const since = front && duty!.since && new Date(Math.max(+front, +duty!.since))
  return {
    vets: duty!.vets,
    ahead,
    inProgress,
    oldest: since ? (now().getTime() - since.getTime()) / MINUTE : 0,
    takenMeanwhile: since ? await countTaken({ db }, region, since) : 0,
    recent: recent.map(({ minutes }) => minutes),
  }
}

function countTaken({ db }: Pick<World, 'db'>, region: Region, since: Date) {
  const isOpenOrLate = or(isNull(consultations.end), gte(consultations.end, since))
  return db.$count(
    consultations,
    and(eq(consultations.region, region), gte(consultations.vetStart, since), isOpenOrLate),
  )
}

/** When the roster's next vet begins, or else when the region opens, to show while no vet is on duty. */
export async function nextOnRoster(
  { db, now }: Pick<World, 'db' | 'now'>,
  region: Region,
): Promise<Date | null> {
  const [next] = await db
    .select({ begin: shifts.begin })
    .from(shifts)
    .where(and(eq(shifts.region, region), gt(shifts.begin, now())))
    .orderBy(asc(shifts.begin))
    .limit(1)
  return next?.begin ?? opensAt(region, now())
}

/** What a page says about the wait: a range, or when the next vet comes. */
async function waitIn(world: Pick<World, 'db' | 'now'>, region: Region, queue: QueueNow) {
  const minutes = expectedWait(queue)
  return { minutes, next: minutes ? null : await nextOnRoster(world, region) }
}

/** The wait for somebody who starts now, and how many vets are on duty. */
export async function waitForNew(world: Pick<World, 'db' | 'now'>, region: Region) {
  const queue = await queueNow(world, region)
  return { vets: queue.vets, ...(await waitIn(world, region, queue)) }
}

/** Emergencies come first in the queue, then urgent consults, then the others. Equal ranks are in order of arrival. */
const RANKS: Record<Level, number> = { emergency: 0, urgent: 1, soon: 2, routine: 2 }
const rankInSql = sql`case ${consultations.urgency} when 'emergency' then 0 when 'urgent' then 1 else 2 end`

/** The place in the queue and the expected wait. */
export async function waitOf(
  { db, now }: Pick<World, 'db' | 'now'>,
  { id, start, urgency, region }: { id: number; start: Date; urgency: Level; region: Region },
) {
  const before = sql`(${rankInSql}, ${consultations.start}, ${consultations.id})
    < (${RANKS[urgency]}::int, ${start.toISOString()}::timestamptz, ${id}::int)`
  const queue = await queueNow({ db, now }, region, { before, start })
  return {
    place: queue.ahead + 1,
    ...(await waitIn({ db, now }, region, queue)),
    promised_by: promisedBy(start),
    late: isLate(start, now()),
  }
}

/** A consult's owner, its vet, and everyone who wrote in it. One list of ids: with "or", PostgreSQL reads all users. */
export function writersOf({ db }: Pick<World, 'db'>, { id }: { id: number }) {
  const one = eq(consultations.id, id)
  const writers = union(
    db.select({ id: consultations.userId }).from(consultations).where(one),
    db.select({ id: consultations.vetId }).from(consultations).where(one),
    db.select({ id: messages.userId }).from(messages).where(eq(messages.consultationId, id)),
  )
  return db
    .select({ ...columnsOf(users, 'id', 'registration'), name: fullName(users), asVet: doctorName(users) })
    .from(users)
    .where(inArray(users.id, writers))
    .orderBy(asc(users.id))
}

const later = alias(consultations, 'later')

/** What followed a consult: the advice, the rating, the follow-up and the consult that reopened it. */
export async function aftermathOf({ db }: Pick<World, 'db'>, id: number) {
  const [found] = await db
    .select({
      advice: {
        ...columnsOf(summaries, 'summary', 'plan', 'at'),
        watch_for: summaries.watchFor,
        go_if: summaries.goIf,
      },
      rating: columnsOf(ratings, 'stars', 'words'),
      clinic: columnsOf(clinics, 'id', 'clinic'),
      shared_at: consultations.clinicSharedAt,
      // We don't ask about a pet that died.
      asked: sql<boolean>`${consultations.followUpAt} is not null and ${pets.putAwayWhy} is distinct from 'died'`,
      answer: consultations.checkIn,
      at: consultations.checkInAt,
      goes_on_from: consultations.goesOnFrom,
      goes_on_in: later.id,
      told: isNotNull(consultations.toldFrom).mapWith(Boolean),
      had_vet: hadAVet,
      answered: vetWrote,
    })
    .from(consultations)
    .leftJoin(summaries, eq(summaries.consultationId, consultations.id))
    .leftJoin(ratings, eq(ratings.consultationId, consultations.id))
    .leftJoin(clinics, eq(clinics.id, consultations.clinicId))
    .leftJoin(pets, eq(pets.id, consultations.petId))
    .leftJoin(later, eq(later.goesOnFrom, consultations.id))
    .where(eq(consultations.id, id))
  const { clinic, shared_at, asked, answer, at, ...more } = found!
  return { ...more, clinic: clinic && shared_at && { ...clinic, shared_at }, check_in: { asked, answer, at } }
}

/** How much of a charge the ledger shows as returned, by us or a bank, plus refunds under way. Refused ones don't count. */
export const backOfCharge = sql<number>`(
  coalesce((select -sum(b.amount) from ${ledger} b where b.charge_id = ${ledger.id}), 0)
  + coalesce((select sum(r.amount) from ${refunds} r where r.charge_id = ${ledger.id} and r.due_at is not null), 0))::int`

/** How much of a charge we refunded ourselves, including refunds under way. */
const paidBack = sql<number>`coalesce((select -sum(b.amount) from ${ledger} b
  where b.charge_id = ${ledger.id} and b.kind in ('refund', 'refund_failed')), 0)::int`
const yetToGo = sql<number>`coalesce((select sum(r.amount) from ${refunds} r
  where r.charge_id = ${ledger.id} and r.due_at is not null), 0)::int`

/** The reason for the latest refund. One made at the provider's dashboard counts as ours. */
const whyBack = sql<Exclude<typeof refunds.$inferSelect.why, 'undone' | 'twice'>>`coalesce((
  select r.why from ${refunds} r
  where r.charge_id = ${ledger.id} and (r.due_at is not null or r.done_at is not null)
  order by r.id desc limit 1), 'by_us')`

/** What the owner paid for this one consultation, and how much of that is or will be refunded. */
export async function paidFor({ db }: Pick<World, 'db'>, id: number) {
  const [paid] = await db
    .select({
      ...columnsOf(purchases, 'amount', 'currency'),
      gone: paidBack,
      on_its_way: yetToGo,
      why: whyBack,
    })
    .from(purchases)
    .leftJoin(ledger, and(eq(ledger.purchaseId, purchases.id), eq(ledger.kind, 'charge')))
    .where(and(eq(purchases.consultationId, id), inArray(purchases.state, ['paid', 'delivered', 'refunded'])))
  if (!paid) return null
  const { gone, why, ...rest } = paid
  const refunded = gone + rest.on_its_way
  return { ...rest, refunded, why: refunded > 0 ? why : null }
}

/** Where the vet of an open consult is. A vet on duty is never away. */
export async function whereIs({ db }: Pick<World, 'db'>, vetId: number, { vetHere }: { vetHere: boolean }) {
  if (vetHere) return { is: 'here' as const, since: null }
  const isWithAnother = sql`exists (select from ${consultations} other
    where other.vet_id = ${vetId}::int and other."end" is null and other.vet_here)`
  const [vet] = await db
    .select({
      is: sql<'away' | 'with_another' | 'around'>`case when ${users.onDutySince} is null then 'away'
        when ${isWithAnother} then 'with_another' else 'around' end`,
      since: sql<Date | null>`case when ${users.onDutySince} is null then ${users.lastSeenAt} end`.mapWith(
        users.lastSeenAt,
      ),
    })
    .from(users)
    .where(eq(users.id, vetId))
  return vet!
}

/** How vets changed a consult's level, the earliest first. */
export const levelChangesOf = ({ db }: Pick<World, 'db'>, id: number) =>
  db
    .select({ ...columnsOf(levelChanges, 'from', 'to', 'reason', 'at'), by: doctorName(users) })
    .from(levelChanges)
    .innerJoin(users, eq(users.id, levelChanges.vetId))
    .where(eq(levelChanges.consultationId, id))
    .orderBy(asc(levelChanges.id))
