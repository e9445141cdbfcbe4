import { sql } from 'drizzle-orm'
import { boolean, check, integer, smallint, text, uniqueIndex, type AnyPgColumn } from 'drizzle-orm/pg-core'
import { COUPON_PRODUCTS } from '#contract/coupons.ts'
import { PLANS } from '#contract/memberships.ts'
import { REGION_IDS, type Region } from '#contract/regions.ts'
import { createdAt, id, idOf, indexWhere, oneOf, time, table } from './columns.ts'
import { users } from './accounts.ts'
import { purchases } from './purchases.ts'
import { consultations } from './consultations.ts'

export const coupons = table(
  'coupons',
  {
    id: id(),
    code: text().notNull(),
    amountOff: integer(),
    percentOff: smallint(),
    leftToPay: integer(),
    length: smallint(),
    referrer: text().notNull(),
    end: time(),
    /** Null for all regions, which only a percentage can have. */
    region: text().$type<Region>(),
    product: text({ enum: COUPON_PRODUCTS }).notNull().default('both'),
    /** Limits it to this kind of membership. */
    plan: text({ enum: PLANS }),
    uses: integer(),
    usesEach: integer(),
    /** The owner of a thank-you offer, and the consult that it's for. One per consult. */
    userId: integer().references(() => users.id),
    consultationId: integer()
      .unique()
      .references((): AnyPgColumn => consultations.id),
    demo: boolean().notNull().default(false),
    createdAt: createdAt(),
    updatedAt: time().notNull().defaultNow(),
    deletedAt: time(),
  },
  (t) => [
    // A code means one coupon in each region, so a coupon for all regions excludes a regional one with the same code.
    ...REGION_IDS.map((region) =>
      uniqueIndex(`coupons_code_${region}`)
        .on(sql`lower(${t.code})`)
        .where(sql.raw(`deleted_at is null and coalesce(region, '${region}') = '${region}'`)),
    ),
    check('coupons_personal', sql`${t.consultationId} is null or ${t.userId} is not null`),
    check('coupons_one_kind', sql`num_nonnulls(${t.amountOff}, ${t.percentOff}, ${t.leftToPay}) = 1`),
    check('coupons_amount', sql`${t.amountOff} >= 1`),
    check('coupons_percent', sql`${t.percentOff} between 1 and 100`),
    check('coupons_left', sql`${t.leftToPay} >= 0`),
    check(
      'coupons_region',
      sql`${oneOf(t.region, ...REGION_IDS)} and (${t.region} is not null or ${t.percentOff} is not null)`,
    ),
    check('coupons_uses', sql`${t.uses} >= 1 and ${t.usesEach} >= 1`),
  ],
)

export const couponUses = table(
  'coupon_uses',
  {
    id: id(),
    couponId: idOf(() => coupons.id),
    purchaseId: integer()
      .notNull()
      .unique()
      .references((): AnyPgColumn => purchases.id),
    buyer: text().notNull(),
    at: createdAt(),
    releasedAt: time(),
  },
  (t) => [indexWhere('coupon_uses_coupon', 'released_at is null', t.couponId)],
)
