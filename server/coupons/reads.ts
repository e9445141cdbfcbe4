import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, not, or, sql } from 'drizzle-orm'
import { alias, type PgColumn } from 'drizzle-orm/pg-core'
import type * as calls from '#contract/coupons.ts'
import type { Coupon } from '#contract/coupons.ts'
import type { Currency, Region } from '#contract/regions.ts'
import type { Handler } from '../http/serve.ts'
import type { Ctx, World } from '../context.ts'
import { literally } from '../db/like.ts'
import { columnsOf } from '../db/columns-of.ts'
import { isDispute } from '../db/kinds.ts'
import {
  consultations,
  coupons,
  couponUses,
  ledger,
  purchases,
  refunds,
  subscriptions,
  users,
} from '../db/schema.ts'
import { iso } from '../http/answers.ts'
import { priceOf } from './rules.ts'

export type CouponRow = typeof coupons.$inferSelect

/** How often a coupon is used or held, in total and by one buyer. */
export async function usesOf({ db }: Pick<World, 'db'>, couponId: number, buyer: string | null) {
  const [row] = await db
    .select({
      all: sql`count(*)`.mapWith(Number),
      buyer: sql`count(*) filter (where ${couponUses.buyer} = ${buyer})`.mapWith(Number),
    })
    .from(couponUses)
    .where(and(eq(couponUses.couponId, couponId), isNull(couponUses.releasedAt)))
  return row!
}

/** Whether a consult was paid for, without any refund or refund under way, and its payer's bank has none of the money. */
export const wasPaidAndKept = (consultationId: PgColumn) => sql<boolean>`exists (
  select from ${purchases} bought join ${ledger} charge on charge.purchase_id = bought.id and charge.kind = 'charge'
  where bought.consultation_id = ${consultationId} and bought.state = 'delivered'
    and (select coalesce(bool_and(${isDispute(sql`back.kind`)}) and sum(back.amount) = 0, true)
      from ${ledger} back where back.charge_id = charge.id)
    and not exists (select from ${refunds} r where r.charge_id = charge.id and r.due_at is not null))`

/** An offer ends when its consult is refunded. */
export const stands = or(isNull(coupons.consultationId), wasPaidAndKept(coupons.consultationId))

const offered = alias(consultations, 'offered')

/** The coupon of a code in a region, and its holder if it belongs to one. */
export async function couponNamed({ db }: Pick<World, 'db'>, code: string, region: Region) {
  const [row] = await db
    .select({ coupon: coupons, holder: { email: users.email }, consultOf: offered.userId })
    .from(coupons)
    .leftJoin(users, eq(users.id, coupons.userId))
    .leftJoin(offered, eq(offered.id, coupons.consultationId))
    .where(
      and(
        eq(sql`lower(${coupons.code})`, code.trim().toLowerCase()),
        or(isNull(coupons.region), eq(coupons.region, region)),
        stands,
        isNull(coupons.deletedAt),
      ),
    )
  if (!row) return null
  const { coupon, holder, consultOf } = row
  return { coupon, holder: coupon.userId === null ? null : { ids: [coupon.userId, consultOf], ...holder! } }
}

/** The caller, by account or by the consult that a guest bought; null for anybody else. */
export async function callerOf({ db, actor }: Pick<Ctx, 'db' | 'actor'>) {
  if (!actor || actor.kind === 'clinic') return null
  const theirs =
    actor.kind === 'guest'
      ? db
          .select({ id: consultations.userId })
          .from(consultations)
          .where(eq(consultations.id, actor.consultationId))
      : sql`(${actor.userId})`
  const [row] = await db
    .select({ userId: users.id, email: users.email })
    .from(users)
    .where(sql`${users.id} in ${theirs}`)
  return row ?? null
}

const asCoupon = (row: CouponRow, timesUsed: number, given: Coupon['given']): Coupon => ({
  id: row.id,
  code: row.code,
  amount_off: row.amountOff,
  percent_off: row.percentOff,
  left_to_pay: row.leftToPay,
  length: row.length,
  referrer: row.referrer,
  end: iso(row.end),
  region: row.region,
  product: row.product,
  uses: row.uses,
  uses_each: row.usesEach,
  used: timesUsed,
  given,
  updated_at: iso(row.updatedAt),
  deleted_at: iso(row.deletedAt),
})

// Written out, because Drizzle leaves out the names of tables in a query of one table.
const used = sql<number>`(select count(*) from coupon_uses held
  where held.coupon_id = "coupons"."id" and held.released_at is null)`.mapWith(Number)

const withUses = ({ db }: Pick<World, 'db'>) => db.select({ coupon: coupons, used }).from(coupons)

/** How much delivered purchases with these coupons saved, compared with today's prices. */
async function givenBy({ db }: Pick<World, 'db'>, ids: number[]) {
  const rows = await db
    .select({
      ...columnsOf(purchases, 'couponId', 'kind', 'region', 'currency'),
      plan: subscriptions.plan,
      paid: sql`sum(${purchases.amount})`.mapWith(Number),
      times: sql`count(*)`.mapWith(Number),
    })
    .from(purchases)
    .leftJoin(subscriptions, eq(subscriptions.id, purchases.subscriptionId))
    .where(
      and(
        inArray(purchases.couponId, ids),
        eq(purchases.state, 'delivered'),
        inArray(purchases.kind, ['consult', 'membership']),
      ),
    )
    .groupBy(purchases.couponId, purchases.kind, purchases.region, purchases.currency, subscriptions.plan)
  return (id: number): Coupon['given'] => {
    const sums = new Map<Currency, number>()
    for (const { couponId, kind, region, currency, plan, paid, times } of rows) {
      if (couponId !== id || (kind === 'membership' && plan === null)) continue
      const product = kind === 'consult' ? ('consult' as const) : ('membership' as const)
      const left = priceOf({ product, plan, region }) * times - paid
      if (left > 0) sums.set(currency, (sums.get(currency) ?? 0) + left)
    }
    return [...sums].map(([currency, amount]) => ({ currency, amount }))
  }
}

const PAGE = 100

/** Whether somebody could still use the coupon. */
const isOpen = (now: Date) =>
  and(
    isNull(coupons.deletedAt),
    or(isNull(coupons.end), gt(coupons.end, now)),
    or(isNull(coupons.uses), gt(coupons.uses, used)),
  )!

/** Newest first, since ids grow with time, or most used first. */
export const listCoupons: Handler<typeof calls.listCoupons> = async (
  world,
  { cursor, q = '', state, sort },
) => {
  const words = `%${literally(q.toLowerCase())}%`
  const open = isOpen(world.now())
  const inState = {
    all: isNull(coupons.deletedAt),
    active: open,
    ended: and(isNull(coupons.deletedAt), not(open)),
    deleted: isNotNull(coupons.deletedAt),
  }[state ?? 'all']
  const byUse = sort === 'used'
  const [last] = cursor !== undefined && byUse ? await withUses(world).where(eq(coupons.id, cursor)) : []
  const after = (id: number) =>
    byUse ? sql`(${used}, ${coupons.id}) < (${last?.used ?? 0}, ${id}::integer)` : lt(coupons.id, id)
  const rows = await withUses(world)
    .where(
      and(
        inState,
        cursor === undefined ? undefined : after(cursor),
        q === '' ? undefined : sql`lower(${coupons.code} || ' ' || ${coupons.referrer}) like ${words}`,
      ),
    )
    .orderBy(...(byUse ? [desc(used)] : []), desc(coupons.id))
    .limit(PAGE)
  const given = await givenBy(
    world,
    rows.map(({ coupon }) => coupon.id),
  )
  return rows.map((row) => asCoupon(row.coupon, row.used, given(row.coupon.id)))
}

export async function couponOf(world: Pick<World, 'db'>, id: number): Promise<Coupon> {
  const [row] = await withUses(world).where(eq(coupons.id, id))
  return asCoupon(row!.coupon, row!.used, (await givenBy(world, [id]))(id))
}
