import { randomBytes } from 'node:crypto'
import { and, asc, desc, eq, gt, inArray, isNull, lt, lte, sql } from 'drizzle-orm'
import type { FAULTS } from '#contract/sandbox.ts'
import { MINUTE } from '#contract/time.ts'
import type { Db } from '../../db/client.ts'
import { sandboxAnswers, sandboxDeliveries, sandboxFaults, sandboxObjects } from '../../db/schema.ts'

/** The only file of the sandbox that knows where its state is stored. */
export type Fault = (typeof FAULTS)[number]

export interface Thing {
  id: string
  object: string
  /** In seconds. */
  created: number
  customer?: string | null
  /** Private state that Stripe wouldn't show. */
  sandbox?: object & { due?: number | null }
}

export const newId = (prefix: string) => `${prefix}_${randomBytes(15).toString('hex').slice(0, 24)}`

/** An arbitrary number. The holder of this lock changes the sandbox's objects, so each change sees the one before. */
const TURN = 7_306_843

export const changing = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${TURN})`)
    return work(tx)
  })

export async function findAny(db: Db, id: string): Promise<Thing | undefined> {
  const [row] = await db
    .select({ data: sandboxObjects.data })
    .from(sandboxObjects)
    .where(eq(sandboxObjects.id, id))
  return row?.data as Thing | undefined
}

export async function find<T extends Thing>(db: Db, object: T['object'], id: string): Promise<T | undefined> {
  const found = await findAny(db, id)
  return found?.object === object ? (found as T) : undefined
}

const rowOf = (thing: Thing) => ({
  id: thing.id,
  object: thing.object,
  customer: thing.customer ?? null,
  dueAt: thing.sandbox?.due == null ? null : new Date(thing.sandbox.due * 1000),
  data: thing,
})

export async function put<T extends Thing>(db: Db, thing: T): Promise<T> {
  const { id, ...row } = rowOf(thing)
  await db
    .insert(sandboxObjects)
    .values({ id, ...row })
    .onConflictDoUpdate({ target: sandboxObjects.id, set: row })
  return thing
}

/** Adds what is missing. */
export async function putNew(db: Db, things: Thing[]): Promise<void> {
  await db.insert(sandboxObjects).values(things.map(rowOf)).onConflictDoNothing()
}

export interface Where {
  customer?: string | undefined
  field?: [name: string, value: string]
  /** The same for a field inside others. */
  within?: [path: string, value: string]
  /** In seconds: from, and before. */
  created?: { gte: number; lt: number }
  /** Only what comes after this in the list. */
  after?: string | undefined
}

/** Newest first. */
export async function listOf<T extends Thing>(
  db: Db,
  object: T['object'],
  { customer, field, within, created, after }: Where = {},
  most = 100,
): Promise<T[]> {
  const { at, id, data } = sandboxObjects
  const place = db
    .select({ at })
    .from(sandboxObjects)
    .where(eq(id, after ?? ''))
  const rows = await db
    .select({ data: sandboxObjects.data })
    .from(sandboxObjects)
    .where(
      and(
        eq(sandboxObjects.object, object),
        customer === undefined ? undefined : eq(sandboxObjects.customer, customer),
        field && sql`${sandboxObjects.data} ->> ${field[0]} = ${field[1]}`,
        within && sql`${sandboxObjects.data} #>> string_to_array(${within[0]}, ',') = ${within[1]}`,
        created && sql`(${data} ->> 'created')::bigint >= ${created.gte}`,
        created && sql`(${data} ->> 'created')::bigint < ${created.lt}`,
        after === undefined ? undefined : lt(at, place),
      ),
    )
    .orderBy(desc(sandboxObjects.at))
    .limit(most)
  return rows.map(({ data }) => data as T)
}

export async function dueBy<T extends Thing>(db: Db, object: T['object'], at: Date, most: number) {
  const rows = await db
    .select({ data: sandboxObjects.data })
    .from(sandboxObjects)
    .where(and(eq(sandboxObjects.object, object), lte(sandboxObjects.dueAt, at)))
    .orderBy(asc(sandboxObjects.dueAt))
    .limit(most)
  return rows.map(({ data }) => data as T)
}

/* Answers by the sender's key. */

export interface Answer {
  status: number
  body: Record<string, unknown>
}

/** An unfinished request, such as that of a dead process, may be repeated after this. */
const ABANDONED_MS = MINUTE

export type Claim =
  | { state: 'mine' }
  | { state: 'busy' }
  | { state: 'other' }
  | { state: 'answered'; answer: Answer }

export async function claimKey(db: Db, key: string, payloadHash: string, at: Date): Promise<Claim> {
  const [mine] = await db
    .insert(sandboxAnswers)
    .values({ key, payloadHash, at })
    .onConflictDoUpdate({
      target: sandboxAnswers.key,
      set: { at },
      setWhere: and(
        isNull(sandboxAnswers.status),
        eq(sandboxAnswers.payloadHash, payloadHash),
        lt(sandboxAnswers.at, new Date(at.getTime() - ABANDONED_MS)),
      ),
    })
    .returning({ key: sandboxAnswers.key })
  if (mine) return { state: 'mine' }
  const [row] = await db.select().from(sandboxAnswers).where(eq(sandboxAnswers.key, key))
  if (!row) return { state: 'busy' }
  if (row.payloadHash !== payloadHash) return { state: 'other' }
  return row.status === null
    ? { state: 'busy' }
    : { state: 'answered', answer: { status: row.status, body: row.body! } }
}

/** The answer of another request, which took this one for abandoned. */
export async function answerOf(db: Db, key: string): Promise<Answer | null> {
  const [row] = await db.select().from(sandboxAnswers).where(eq(sandboxAnswers.key, key))
  return row?.status == null ? null : { status: row.status, body: row.body! }
}

export async function keepAnswer(db: Db, key: string, { status, body }: Answer): Promise<void> {
  await db.update(sandboxAnswers).set({ status, body }).where(eq(sandboxAnswers.key, key))
}

export async function freeKey(db: Db, key: string): Promise<void> {
  await db.delete(sandboxAnswers).where(and(eq(sandboxAnswers.key, key), isNull(sandboxAnswers.status)))
}

/** Deletes old answers and delivered events, which nobody will ask for again. */
export async function forget(db: Db, before: Date): Promise<void> {
  await db.delete(sandboxDeliveries).where(lt(sandboxDeliveries.deliveredAt, before))
  await db.delete(sandboxAnswers).where(lt(sandboxAnswers.at, before))
}

/* Faults. */

export async function armFault(db: Db, call: string, fault: Fault, times: number): Promise<void> {
  await db.delete(sandboxFaults).where(and(eq(sandboxFaults.call, call), eq(sandboxFaults.fault, fault)))
  if (times > 0) await db.insert(sandboxFaults).values({ call, fault, left: times })
}

/** Uses up one of each fault that is armed for any of these names. */
export async function takeFaults(db: Db, calls: string[], of: readonly Fault[]): Promise<Set<Fault>> {
  const taken = await db
    .update(sandboxFaults)
    .set({ left: sql`${sandboxFaults.left} - 1` })
    .where(
      and(
        inArray(sandboxFaults.call, ['*', ...calls]),
        inArray(sandboxFaults.fault, [...of]),
        gt(sandboxFaults.left, 0),
      ),
    )
    .returning({ id: sandboxFaults.id, fault: sandboxFaults.fault, left: sandboxFaults.left })
  // Every request reads this, so used faults are deleted.
  const usedUp = taken.filter(({ left }) => left <= 0).map(({ id }) => id)
  if (usedUp.length > 0) await db.delete(sandboxFaults).where(inArray(sandboxFaults.id, usedUp))
  return new Set(taken.map(({ fault }) => fault as Fault))
}

export async function armedFor(db: Db, faults: Fault[]): Promise<{ call: string; fault: Fault }[]> {
  const rows = await db
    .select({ call: sandboxFaults.call, fault: sandboxFaults.fault })
    .from(sandboxFaults)
    .where(and(inArray(sandboxFaults.fault, faults), gt(sandboxFaults.left, 0)))
  return rows.map(({ call, fault }) => ({ call, fault: fault as Fault }))
}

export async function useFault(db: Db, call: string, fault: Fault): Promise<void> {
  await db
    .update(sandboxFaults)
    .set({ left: sql`${sandboxFaults.left} - 1` })
    .where(and(eq(sandboxFaults.call, call), eq(sandboxFaults.fault, fault)))
}

/* Events to be delivered. */

export interface Event {
  id: string
  object: 'event'
  type: string
  created: number
  data: { object: object }
}

export async function send(db: Db, event: Event, at: Date): Promise<void> {
  await db.insert(sandboxDeliveries).values({ eventId: event.id, event, dueAt: at })
}

const TRIES = 16
const DELIVERIES = 20

/** Claims due events. Until an event is marked as delivered, it is retried after growing delays. */
export async function claimDeliveries(db: Db, at: Date): Promise<{ id: number; event: Event }[]> {
  const due = db
    .select({ id: sandboxDeliveries.id })
    .from(sandboxDeliveries)
    .where(
      and(
        isNull(sandboxDeliveries.deliveredAt),
        lte(sandboxDeliveries.dueAt, at),
        lt(sandboxDeliveries.attempts, TRIES),
      ),
    )
    .orderBy(asc(sandboxDeliveries.dueAt), asc(sandboxDeliveries.id))
    .limit(DELIVERIES)
    .for('update', { skipLocked: true })
  const rows = await db
    .update(sandboxDeliveries)
    .set({
      attempts: sql`${sandboxDeliveries.attempts} + 1`,
      dueAt: sql`${at.toISOString()}::timestamptz
        + least(power(2, ${sandboxDeliveries.attempts}) * 5, 14400) * interval '1 second'`,
    })
    .where(inArray(sandboxDeliveries.id, due))
    .returning({ id: sandboxDeliveries.id, event: sandboxDeliveries.event })
  return rows.toSorted((a, b) => a.id - b.id).map(({ id, event }) => ({ id, event: event as Event }))
}

export async function markDelivered(db: Db, id: number, at: Date): Promise<void> {
  await db.update(sandboxDeliveries).set({ deliveredAt: at }).where(eq(sandboxDeliveries.id, id))
}
