import { and, asc, desc, eq, inArray, isNull, like, not, or, sql, type SQL } from 'drizzle-orm'
import { type PgColumn, union } from 'drizzle-orm/pg-core'
import type * as calls from '#contract/ledger.ts'
import { LARGEST_INTEGER } from '#contract/fields.ts'
import { minorOf } from '#contract/regions.ts'
import type { Handler } from '../http/serve.ts'
import type { World } from '../context.ts'
import { idsOf } from '../db/ids-of.ts'
import { beginningWith, personBegins } from '../db/like.ts'
import { consultations, disputes, ledger, purchases, refunds, users } from '../db/schema.ts'
import { after, PAGE, paged } from '../db/pagination.ts'
import { isSettled, listedWhere } from './reads.ts'

const NUMBER = /^(?:vc-)?(\d{1,9})$/i
/** If more people than this match, the admin must type another letter. */
const MOST_PEOPLE = 200
const inSql = (ids: number[]) => sql`${`{${ids.join()}}`}::int[]`
const isOneOf = (column: PgColumn, ids: number[]) => sql`${column} = any(${inSql(ids)})`
const foundBy = async (query: PromiseLike<{ id: number }[]>) => idsOf(await query)

const absolute = sql`abs(${ledger.amount})`

/** Entries by receipt number or amount. */
async function numbered(
  { db }: Pick<World, 'db'>,
  q: string,
  before: SQL | undefined,
  cursor = LARGEST_INTEGER,
): Promise<SQL | undefined> {
  const number = Number(NUMBER.exec(q)?.[1] ?? 0)
  const amount = minorOf(q)
  const isNumber = or(eq(ledger.id, number), eq(ledger.chargeId, number))
  if (amount === undefined || amount > LARGEST_INTEGER) return number > 0 ? isNumber : undefined
  // The index has the order of these pairs. With an equal amount alone, the database may read all newer entries instead.
  const pairs = sql`${absolute} >= ${amount} and (${absolute}, ${ledger.id}) < (${amount}, ${cursor})`
  const priced = await foundBy(
    db
      .select({ id: ledger.id })
      .from(ledger)
      .where(and(pairs, before))
      .orderBy(desc(absolute), desc(ledger.id))
      .limit(PAGE + 1),
  )
  return or(isNumber, inArray(ledger.id, priced))
}

/**
 * Entries by the beginning of an email or a name. Finds the people first, then what they bought, then the latest entries
 * of each. With one statement, the database would read the whole ledger.
 */
async function latestOf({ db }: Pick<World, 'db'>, q: string, before: SQL | undefined) {
  const some = (where: SQL) =>
    db
      .select({ id: users.id })
      .from(users)
      .where(where)
      .limit(MOST_PEOPLE + 1)
  const [name, lastName, email] = personBegins(q)
  const found = await foundBy(union(some(name), some(lastName), some(email)))
  const people = found.slice(0, MOST_PEOPLE)
  const consults = await foundBy(
    db.select({ id: consultations.id }).from(consultations).where(isOneOf(consultations.userId, people)),
  )
  const purchased = db.select({ id: purchases.id }).from(purchases)
  const typed = db
    .select({ id: purchases.id })
    .from(purchases)
    .where(like(purchases.email, beginningWith(q)))
  const bought = await foundBy(
    union(typed.limit(MOST_PEOPLE), purchased.where(isOneOf(purchases.consultationId, consults))),
  )
  const latestOfEach = (column: PgColumn, ids: number[]) => {
    const latest = db
      .select({ id: ledger.id })
      .from(ledger)
      .where(and(eq(column, sql`one.id`), before))
      .orderBy(desc(ledger.id))
      .limit(PAGE + 1)
      .as('latest')
    return foundBy(
      db
        .select({ id: latest.id })
        .from(sql`unnest(${inSql(ids)}) as one(id)`)
        .crossJoinLateral(latest)
        .orderBy(desc(latest.id))
        .limit(PAGE + 1),
    )
  }
  const ids = await Promise.all([
    latestOfEach(ledger.userId, people),
    latestOfEach(ledger.consultationId, consults),
    latestOfEach(ledger.purchaseId, bought),
  ])
  return { ids: ids.flat(), isSome: found.length > people.length }
}

export const listLedger: Handler<typeof calls.listLedger> = async (ctx, { q, cursor }) => {
  const before = after(ledger.id, cursor)
  const byNumber = q ? await numbered(ctx, q, before, cursor) : undefined
  const latest = q && !byNumber ? await latestOf(ctx, q, before) : undefined
  const which = latest ? inArray(ledger.id, latest.ids) : byNumber
  const rows = await listedWhere(ctx, and(which, before), PAGE + 1)
  const { page, next } = paged(rows)
  return {
    entries: page,
    next,
    only_some: latest?.isSome ?? false,
  }
}

/** Finds the charges of these rows. */
async function chargesOf(ctx: Pick<World, 'db'>, rows: { chargeId: number }[]) {
  const ids = rows.map(({ chargeId }) => chargeId)
  const charges = await listedWhere(ctx, inArray(ledger.id, ids), ids.length)
  return (id: number) => charges.find((one) => one.id === id)!
}

/** Refunds that didn't reach their payer, and that nobody has sent again or paid by hand. */
export const listFailedRefunds: Handler<typeof calls.listFailedRefunds> = async (ctx, { cursor }) => {
  const rows = await ctx.db
    .select()
    .from(refunds)
    .where(and(isNull(refunds.doneAt), isNull(refunds.dueAt), not(isSettled), after(refunds.id, cursor)))
    .orderBy(desc(refunds.id))
    .limit(PAGE + 1)
  const { page, next } = paged(rows)
  const chargeOf = await chargesOf(ctx, page)
  return {
    refunds: page
      .map(({ id, chargeId, amount, reason, failedAt, createdAt }) => ({
        id,
        amount,
        came_back: failedAt ? ('returned' as const) : ('refused' as const),
        reason,
        at: failedAt ?? createdAt,
        charge: chargeOf(chargeId),
      }))
      // What was refunded at the provider meanwhile isn't owed any more.
      .filter(({ amount, charge }) => charge.amount - charge.refunded >= amount),
    next,
  }
}

export const listDisputes: Handler<typeof calls.listDisputes> = async (ctx, { cursor }) => {
  const { needsAnswer, answerBy, id } = disputes
  const some = (where: SQL | undefined) => ctx.db.select().from(disputes).where(where)
  const waiting =
    cursor === undefined ? await some(eq(needsAnswer, true)).orderBy(asc(answerBy), asc(id)) : []
  const others = await some(and(eq(needsAnswer, false), after(id, cursor)))
    .orderBy(desc(id))
    .limit(PAGE + 1)
  const { page, next } = paged(others)
  const rows = [...waiting, ...page]
  const chargeOf = await chargesOf(ctx, rows)
  return {
    disputes: rows.map(({ id, at, amount, stands, needsAnswer, answerBy, chargeId }) => ({
      id,
      at,
      amount,
      stands,
      needs_answer: needsAnswer,
      answer_by: answerBy,
      charge: chargeOf(chargeId),
    })),
    next,
  }
}
