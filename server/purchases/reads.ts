import { and, asc, desc, eq, gt, inArray, isNull, lt, or, type SQL } from 'drizzle-orm'
import { UNFINISHED_MINUTES } from '#contract/purchases.ts'
import type * as calls from '#contract/purchases.ts'
import { addMinutes } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import type { World } from '../context.ts'
import { after, PAGE, paged } from '../db/pagination.ts'
import { columnsOf } from '../db/columns-of.ts'
import { purchases } from '../db/schema.ts'
import type { ProviderEvent } from '../providers/payments.ts'

type Db = Pick<World, 'db'>
type Row = typeof purchases.$inferSelect
export type Purchase<Order = object> = Omit<Row, 'order'> & { order: Order }
type OfKind = Pick<Row, 'kind'>

/** Purchases that match a condition, oldest first. */
const purchasesWhere = ({ db }: Db, ...conditions: (SQL | undefined)[]) =>
  db
    .select()
    .from(purchases)
    .where(and(...conditions))
    .orderBy(asc(purchases.id))

export const purchaseById = async (ctx: Db, id: number): Promise<Purchase> =>
  (await purchasesWhere(ctx, eq(purchases.id, id)))[0]!

export async function purchaseByToken(ctx: Db, { kind }: OfKind, tokenHash: string, userId?: number) {
  const isTheirs = userId === undefined ? undefined : eq(purchases.userId, userId)
  const own = await purchasesWhere(
    ctx,
    eq(purchases.tokenHash, tokenHash),
    eq(purchases.kind, kind),
    isTheirs,
  )
  return own.at(0)
}

export const purchaseByKey = async (ctx: Db, idempotencyKey: string) =>
  (await purchasesWhere(ctx, eq(purchases.idempotencyKey, idempotencyKey))).at(0)

/** The purchase that waits for an event's payment or subscription. */
export async function purchaseOfEvent({ db }: Db, { purchase, subscription, intent }: ProviderEvent) {
  const named = [
    purchase !== null && eq(purchases.id, purchase),
    subscription !== null && eq(purchases.stripeSubscription, subscription),
    intent !== null && eq(purchases.stripeIntent, intent),
  ].filter((one) => one !== false)
  if (named.length === 0) return undefined
  const [row] = await db
    .select({ id: purchases.id, kind: purchases.kind })
    .from(purchases)
    .where(and(or(...named), eq(purchases.state, 'paying')))
  return row
}

const isUnfinished = ({ kind }: OfKind) => and(eq(purchases.state, 'paying'), eq(purchases.kind, kind))

export const unfinishedOf = (ctx: Db, kind: OfKind, userId: number) =>
  purchasesWhere(ctx, eq(purchases.userId, userId), isUnfinished(kind))

/** What this person asked for in the same words since then, unless it failed. */
export const sameWish = async (ctx: Db, { kind }: OfKind, userId: number, payload: string, since: Date) =>
  (
    await purchasesWhere(
      ctx,
      eq(purchases.userId, userId),
      eq(purchases.kind, kind),
      eq(purchases.payloadHash, payload),
      gt(purchases.createdAt, since),
      inArray(purchases.state, ['paying', 'paid', 'delivered']),
    )
  ).at(0)

/** Unfinished purchases under an email by people without an account. */
export const unfinishedByEmail = (ctx: Db, kind: OfKind, email: string) =>
  purchasesWhere(ctx, eq(purchases.email, email), isNull(purchases.userId), isUnfinished(kind))

/** Paid memberships that couldn't be delivered, because their email got an account meanwhile. */
export const undeliverable = (ctx: Db, { kind }: OfKind) =>
  purchasesWhere(
    ctx,
    eq(purchases.kind, kind),
    eq(purchases.state, 'delivered'),
    isNull(purchases.subscriptionId),
  ).limit(20)

export const listUnfinished: Handler<typeof calls.listUnfinished> = async ({ db, now }, { cursor }) => {
  const rows = await db
    .select({
      ...columnsOf(purchases, 'id', 'email', 'kind', 'state', 'amount', 'currency', 'createdAt', 'attempts'),
    })
    .from(purchases)
    .where(
      and(
        inArray(purchases.state, ['paying', 'paid']),
        lt(purchases.createdAt, addMinutes(now(), -UNFINISHED_MINUTES)),
        after(purchases.id, cursor),
      ),
    )
    .orderBy(desc(purchases.id))
    .limit(PAGE + 1)
  const { page, next } = paged(rows)
  return {
    purchases: page.map(({ createdAt, state, ...row }) => ({
      ...row,
      state: state as 'paying' | 'paid',
      at: createdAt,
    })),
    next,
  }
}
