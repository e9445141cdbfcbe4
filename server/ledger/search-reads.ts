import {
  and,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  like,
  lt,
  notExists,
  or,
  sql,
  type SQL,
} from 'drizzle-orm'
import { alias, union } from 'drizzle-orm/pg-core'
import type { Parsed } from '#contract/call.ts'
import type * as calls from '#contract/ledger.ts'
import { LARGEST_INTEGER } from '#contract/fields.ts'
import { minorOf } from '#contract/regions.ts'
import type { Ctx, World } from '../context.ts'
import { consultations, ledger, purchases, refunds, users } from '../db/schema.ts'
import { iso } from '../http/wire.ts'
import { listedWhere } from './reads.ts'

const NUMBER = /^(?:vc-)?(\d{1,9})$/i
/** More people than this with one beginning: who searches types another letter. */
const MOST_PEOPLE = 200

/** Entries by receipt number, amount, or the beginning of an email or a name. Each way has an index of its own. */
function foundBy({ db }: Pick<World, 'db'>, q: string): SQL | undefined {
  const number = Number(NUMBER.exec(q)?.[1] ?? 0)
  const amount = minorOf(q)
  if (amount !== undefined && amount <= LARGEST_INTEGER)
    return or(eq(ledger.id, number), eq(ledger.chargeId, number), sql`abs(${ledger.amount}) = ${amount}`)
  if (number > 0) return or(eq(ledger.id, number), eq(ledger.chargeId, number))
  const begins = `${q.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const people = db
    .select({ id: users.id })
    .from(users)
    .where(
      or(
        like(users.email, begins),
        sql`lower(${users.firstName} || ' ' || ${users.lastName}) like ${begins}`,
        sql`lower(${users.lastName}) like ${begins}`,
      ),
    )
    .limit(MOST_PEOPLE)
  const theirConsults = db
    .select({ id: consultations.id })
    .from(consultations)
    .where(inArray(consultations.userId, people))
  const bought = db
    .select({ id: purchases.id })
    .from(purchases)
    .where(or(like(purchases.email, begins), inArray(purchases.consultationId, theirConsults)))
  const ids = (where: SQL) => db.select({ id: ledger.id }).from(ledger).where(where)
  return inArray(
    ledger.id,
    union(
      ids(inArray(ledger.userId, people)),
      ids(inArray(ledger.consultationId, theirConsults)),
      ids(inArray(ledger.purchaseId, bought)),
    ),
  )
}

const PAGE = 50

export async function listLedger(
  ctx: Ctx<typeof calls.listLedger.access>,
  { q, about, cursor }: Parsed<typeof calls.listLedger>,
) {
  const rows = await listedWhere(
    ctx,
    and(
      q ? foundBy(ctx, q) : undefined,
      about && sql`${ledger.kind} in ('dispute', 'dispute_won')`,
      cursor === undefined ? undefined : lt(ledger.id, cursor),
    ),
    PAGE + 1,
  )
  const page = rows.slice(0, PAGE)
  return { entries: page, next: rows.length > PAGE ? page.at(-1)!.id : null }
}

const again = alias(refunds, 'again')

/** Refunds that didn't reach their payer, and that nobody has sent again or paid by hand. */
export async function listFailedRefunds(
  ctx: Ctx<typeof calls.listFailedRefunds.access>,
  { cursor }: Parsed<typeof calls.listFailedRefunds>,
) {
  const { db } = ctx
  const sentAgain = db
    .select({ id: again.id })
    .from(again)
    .where(
      and(
        eq(again.chargeId, refunds.chargeId),
        gt(again.id, refunds.id),
        or(isNotNull(again.doneAt), isNotNull(again.dueAt), isNotNull(again.paidByHandAt)),
      ),
    )
  const rows = await db
    .select()
    .from(refunds)
    .where(
      and(
        isNull(refunds.doneAt),
        isNull(refunds.dueAt),
        isNull(refunds.paidByHandAt),
        notExists(sentAgain),
        cursor === undefined ? undefined : lt(refunds.id, cursor),
      ),
    )
    .orderBy(desc(refunds.id))
    .limit(PAGE + 1)
  const page = rows.slice(0, PAGE)
  const charges = await listedWhere(
    ctx,
    inArray(
      ledger.id,
      page.map(({ chargeId }) => chargeId),
    ),
    PAGE,
  )
  return {
    refunds: page
      .map(({ id, chargeId, amount, reason, failedAt, createdAt }) => ({
        id,
        amount,
        came_back: failedAt ? ('returned' as const) : ('refused' as const),
        reason,
        at: iso(failedAt ?? createdAt),
        charge: charges.find((one) => one.id === chargeId)!,
      }))
      // What was refunded at the provider meanwhile isn't owed any more.
      .filter(({ amount, charge }) => charge.amount - charge.refunded >= amount),
    next: rows.length > PAGE ? page.at(-1)!.id : null,
  }
}
