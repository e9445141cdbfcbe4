import { and, count, desc, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { alias, type PgColumn } from 'drizzle-orm/pg-core'
import type { Parsed } from '#contract/call.ts'
import type * as calls from '#contract/coupons.ts'
import type { Coupon } from '#contract/coupons.ts'
import type { Region } from '#contract/regions.ts'
import type { Ctx, World } from '../context.ts'
import { consultations, coupons, couponUses, ledger, purchases, refunds, users } from '../db/schema.ts'
import { iso } from '../http/wire.ts'

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

/** Whether a consult was paid for, and nothing of that was refunded, is being refunded or was disputed. */
export const wasPaidAndKept = (consultationId: PgColumn) => sql<boolean>`exists (
  select from ${purchases} bought join ${ledger} charge on charge.purchase_id = bought.id and charge.kind = 'charge'
  where bought.consultation_id = ${consultationId} and bought.state = 'delivered'
    and not exists (select from ${ledger} back where back.charge_id = charge.id)
    and not exists (select from ${refunds} r where r.charge_id = charge.id and r.due_at is not null))`

/** An offer is over once its consult was refunded. */
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

const asCoupon = (row: CouponRow, timesUsed: number): Coupon => ({
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
})

const withUses = ({ db }: Pick<World, 'db'>) =>
  db
    .select({ coupon: coupons, used: count(couponUses.id) })
    .from(coupons)
    .leftJoin(couponUses, and(eq(couponUses.couponId, coupons.id), isNull(couponUses.releasedAt)))
    .groupBy(coupons.id)

const PAGE = 100

/** Newest first, since ids grow with time. */
export async function listCoupons(
  world: Pick<World, 'db'>,
  { cursor }: Parsed<typeof calls.listCoupons>,
): Promise<Coupon[]> {
  const rows = await withUses(world)
    .where(and(isNull(coupons.deletedAt), cursor === undefined ? undefined : lt(coupons.id, cursor)))
    .orderBy(desc(coupons.id))
    .limit(PAGE)
  return rows.map((row) => asCoupon(row.coupon, row.used))
}

export async function couponOf(world: Pick<World, 'db'>, id: number): Promise<Coupon> {
  const [row] = await withUses(world).where(eq(coupons.id, id))
  return asCoupon(row!.coupon, row!.used)
}
