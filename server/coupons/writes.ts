import { and, eq, isNull } from 'drizzle-orm'
import type { Parsed } from '#contract/call.ts'
import type * as calls from '#contract/coupons.ts'
import { fail, failAt, Failure } from '#contract/errors.ts'
import type { HumanAction } from '#contract/human.ts'
import { discounted, OFFER_DAYS, OFFERS } from '#contract/discounts.ts'
import type { Plan } from '#contract/memberships.ts'
import { money, type Region } from '#contract/regions.ts'
import { addDays } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import { record } from '../identity/audit.ts'
import { type Ctx, transaction, type World } from '../context.ts'
import { violates } from '../db/errors.ts'
import { columnsOf } from '../db/columns-of.ts'
import { wasThere } from '../db/was-there.ts'
import { consultations, coupons, couponUses, purchases } from '../db/schema.ts'
import { newTypedCode } from '../identity/codes.ts'
import { type Counted, countingFailures } from '../identity/limits.ts'
import { callerOf, couponNamed, couponOf, type CouponRow, stands, usesOf, wasPaidAndKept } from './reads.ts'
import { buyerOf, discountOf, endOfDay, holds, isLeft, priceOf, type Sale, unchargeable } from './rules.ts'

type AdminCtx = Ctx<readonly ['admin']>
const isMiss = (error: unknown) => error instanceof Failure && error.code === 'COUPON_INVALID'

interface Buyer {
  email: string
  userId?: number | null
}

/**
 * Finds the coupon of a code for this sale. It's refused with the same "Invalid coupon" if it is unknown, expired, used
 * up, somebody else's or not for this sale. Only misses count. Call it outside any transaction, whose rollback would undo
 * the count. `action` is the human check that the caller's page solves.
 */
export const couponFor = (
  ctx: Counted,
  { code, action, buyer, ...sale }: Sale & { code: string; action: HumanAction; buyer?: Buyer },
): Promise<CouponRow> =>
  countingFailures(ctx, 'couponMisses', action, isMiss, async () => {
    const found = await couponNamed(ctx, code, sale.region)
    if (!found) return fail('COUPON_INVALID')
    const caller = await callerOf(ctx)
    const people = [buyer, caller].filter((one) => one != null)
    const { coupon, holder } = found
    const isTheirs =
      !holder ||
      people.length === 0 ||
      people.some(({ userId, email }) => email === holder.email || holder.ids.includes(userId ?? 0))
    const email = buyer?.email ?? caller?.email
    const used = await usesOf(ctx, coupon.id, email === undefined ? null : buyerOf(email))
    if (!isTheirs || !holds(coupon, sale, ctx.now(), used)) return fail('COUPON_INVALID')
    return coupon
  })

/**
 * Uses a coupon for this purchase, within the caller's transaction. If two want the last use, one gets it.
 * A repeat for the same purchase finds its use already held.
 */
export async function holdCoupon(
  ctx: Pick<World, 'db' | 'now'>,
  coupon: Pick<CouponRow, 'id'>,
  purchaseId: number,
  email: string,
): Promise<void> {
  const { db } = ctx
  // All purchases with this coupon share a lock on its key. Locking the key too would wait for all of them.
  const [row] = await db
    .select()
    .from(coupons)
    .where(and(eq(coupons.id, coupon.id), stands))
    .for('no key update')
  const [mine] = await db.select().from(couponUses).where(eq(couponUses.purchaseId, purchaseId))
  if (mine?.releasedAt === null) return
  const buyer = buyerOf(email)
  const isOpen = row?.deletedAt === null && (row.end === null || ctx.now() <= row.end)
  if (!isOpen || !isLeft(row, await usesOf(ctx, row.id, buyer))) return fail('COUPON_INVALID')
  const use = { couponId: row.id, purchaseId, buyer, at: ctx.now(), releasedAt: null }
  await db.insert(couponUses).values(use).onConflictDoUpdate({ target: couponUses.purchaseId, set: use })
}

/** Frees the use of a purchase that failed. */
export async function releaseCoupon({ db, now }: Pick<World, 'db' | 'now'>, purchaseId: number) {
  await db
    .update(couponUses)
    .set({ releasedAt: now() })
    .where(and(eq(couponUses.purchaseId, purchaseId), isNull(couponUses.releasedAt)))
}

/** Frees, once, the use of a consult that was refunded or left before it began. */
export async function releaseCouponOf(ctx: Pick<World, 'db' | 'now'>, consultationId: number) {
  const [bought] = await ctx.db
    .select({ id: purchases.id })
    .from(purchases)
    .where(eq(purchases.consultationId, consultationId))
  if (bought) await releaseCoupon(ctx, bought.id)
}

/** A member pays the prices of the region they joined in. */
export const lookUpCoupon: Handler<typeof calls.lookUpCoupon> = async (
  ctx,
  { couponCode, product, plan },
) => {
  const joins = product === 'membership' && ctx.actor?.kind === 'owner'
  const sale = { product, plan, region: joins ? ctx.actor!.region : ctx.region }
  const coupon = await couponFor(ctx, { ...sale, code: couponCode, action: 'pay' })
  const { code, amountOff, percentOff, leftToPay, length } = coupon
  const price = priceOf({ ...sale, plan: plan ?? coupon.plan })
  return {
    coupon: {
      code,
      amount_off: leftToPay === null ? amountOff : price - discounted(price, discountOf(coupon)),
      percent_off: percentOff,
      left_to_pay: leftToPay,
      length,
      plan: coupon.plan,
    },
  }
}

/* What admins do. */

/** A day ends with its last minute; a time stays as it is. */
function endOf(sent: string | null, region: CouponRow['region']) {
  if (!sent) return null
  return sent.includes('T') ? new Date(sent) : endOfDay(sent, region)
}

const NO_TERMS = {
  amountOff: null,
  percentOff: null,
  leftToPay: null,
  length: null,
  end: null,
  region: null,
  product: 'both' as const,
  uses: null,
  usesEach: null,
  plan: null,
}

/** The terms as stored. What isn't sent stays; an empty or zero field means none. */
function termsOf(
  sent: Parsed<typeof calls.saveCoupon>,
  now: Date,
  before: Pick<CouponRow, keyof typeof NO_TERMS> = NO_TERMS,
) {
  const orKeep = <T>(value: T | undefined, kept: T) => (value === undefined ? kept : value)
  const region = orKeep(sent.region, before.region)
  const terms = {
    code: sent.code,
    amountOff: orKeep(sent.amount_off, before.amountOff) || null,
    percentOff: orKeep(sent.percent_off, before.percentOff) || null,
    leftToPay: orKeep(sent.left_to_pay, before.leftToPay),
    length: orKeep(sent.length, before.length) || null,
    referrer: sent.referrer,
    end: sent.end === undefined ? before.end : endOf(sent.end, region),
    region,
    product: sent.product ?? before.product,
    uses: orKeep(sent.uses, before.uses),
    usesEach: orKeep(sent.uses_each, before.usesEach),
  }
  const end = terms.end?.getTime()
  // An impossible day.
  if (Number.isNaN(end)) failAt('end', 'INVALID_INPUT')
  if (end !== undefined && end < now.getTime() && end !== before.end?.getTime())
    failAt('end', 'COUPON_END_PAST')
  const kinds = [terms.amountOff, terms.percentOff, terms.leftToPay].filter((kind) => kind !== null)
  if (kinds.length !== 1 || (terms.percentOff ?? 0) > 100) failAt('amount_off', 'COUPON_NO_DISCOUNT')
  if (!region && !terms.percentOff) failAt('region', 'COUPON_NEEDS_REGION')
  const small = unchargeable({ ...terms, plan: before.plan })
  if (small) fail('COUPON_PRICE_TOO_SMALL', { values: { price: money(small.price, small.currency) } })
  return terms
}

/** Makes a coupon, or changes the one with this id. An offer's holder and plan stay. */
export const saveCoupon: Handler<typeof calls.saveCoupon> = async (ctx, { id, updated_at, ...sent }) => {
  try {
    return await transaction(ctx, async (ctx) => {
      const { db } = ctx
      const at = ctx.now()
      const mine = id == null ? null : and(eq(coupons.id, id), isNull(coupons.deletedAt))
      const [before] = mine ? await db.select().from(coupons).where(mine).for('no key update') : []
      if (mine && !before) return fail('COUPON_REMOVED')
      if (before && updated_at !== undefined && updated_at !== before.updatedAt.toISOString())
        fail('CHANGED_UNDER_YOU', { body: { current: await couponOf(ctx, before.id) } })
      // An amount is in a currency, so a new coupon without a region is for the one it's made in.
      const here = !before && sent.region === undefined && !sent.percent_off
      const terms = termsOf({ ...sent, id, ...(here && { region: ctx.region }) }, at, before)
      const [{ id: saved } = fail('COUPON_REMOVED')] = before
        ? await db
            .update(coupons)
            .set({ ...terms, updatedAt: at })
            .where(eq(coupons.id, before.id))
            .returning({ id: coupons.id })
        : await db
            .insert(coupons)
            .values({ ...terms, createdAt: at, updatedAt: at })
            .returning({ id: coupons.id })
      await recordDeed(ctx, before ? 'changed' : 'made', saved, terms)
      return couponOf(ctx, saved)
    })
  } catch (error) {
    if (violates(error, 'coupons_code_za') || violates(error, 'coupons_code_au'))
      failAt('code', 'COUPON_CODE_TAKEN')
    throw error
  }
}

const recordDeed = (ctx: AdminCtx, action: string, id: number, details: Record<string, unknown>) =>
  record(ctx, ctx.actor.userId, action, ['coupon', id], { details })

export const deleteCoupon: Handler<typeof calls.deleteCoupon> = (ctx, { id }) =>
  transaction(ctx, async (ctx) => {
    const [gone] = await ctx.db
      .update(coupons)
      .set({ deletedAt: ctx.now(), updatedAt: ctx.now() })
      .where(and(eq(coupons.id, id), isNull(coupons.deletedAt)))
      .returning({ code: coupons.code })
    if (gone) await recordDeed(ctx, 'deleted', id, gone)
    else await wasThere(ctx, coupons, id)
    return {}
  })

/* What a guest is offered. */

const CODE_LENGTH = 10

/**
 * Offers one coupon for an ended consult that was bought on its own and not refunded, however often it is requested. The
 * plan can be changed until the coupon is used.
 */
export const takeOffer: Handler<typeof calls.takeOffer> = (ctx, { id, plan }) =>
  transaction(ctx, async (ctx) => {
    const { db, actor } = ctx
    const theirs =
      actor.kind === 'guest'
        ? eq(consultations.id, actor.consultationId)
        : eq(consultations.userId, actor.userId)
    const [consult] = await db
      .select(columnsOf(consultations, 'userId', 'region', 'end', 'cancelledAt'))
      .from(consultations)
      .where(and(eq(consultations.id, id), theirs))
    if (!consult) return fail('NOT_FOUND')
    // Two parallel requests wait for each other here.
    const [bought] = await db
      .select({ id: purchases.id })
      .from(purchases)
      .where(and(eq(purchases.consultationId, id), wasPaidAndKept(purchases.consultationId)))
      .for('no key update')
    if (!bought || consult.end === null || consult.cancelledAt !== null) return fail('OFFER_NOT_HERE')
    const [given] = await db.select().from(coupons).where(eq(coupons.consultationId, id))
    if (given) return chooseAnew(ctx, given, plan)
    const at = ctx.now()
    const [made] = await db
      .insert(coupons)
      .values({
        code: newTypedCode(CODE_LENGTH),
        referrer: 'Thank-you offer',
        region: consult.region,
        product: 'membership',
        uses: 1,
        usesEach: 1,
        userId: consult.userId,
        consultationId: id,
        end: addDays(at, OFFER_DAYS),
        createdAt: at,
        updatedAt: at,
        ...offerOf(consult.region, plan),
      })
      .returning()
    return asOffer(made!)
  })

const offerOf = (region: Region, plan: Plan) =>
  plan === 'annual'
    ? { plan, amountOff: OFFERS.annual(region).amount, percentOff: null, length: null }
    : { plan, amountOff: null, percentOff: 100, length: OFFERS.monthly.months }

const asOffer = ({ code, plan, end }: CouponRow) => ({ code, plan: plan!, end: end!.toISOString() })

async function chooseAnew(ctx: Pick<World, 'db' | 'now'>, given: CouponRow, plan: Plan) {
  // A purchase that is using it right now takes the same lock.
  const [row] = await ctx.db.select().from(coupons).where(eq(coupons.id, given.id)).for('no key update')
  if (row!.deletedAt) return fail('COUPON_INVALID')
  if (row!.plan === plan || (await usesOf(ctx, given.id, null)).all > 0) return asOffer(row!)
  const [chosen] = await ctx.db
    .update(coupons)
    .set({ ...offerOf(row!.region!, plan), updatedAt: ctx.now() })
    .where(eq(coupons.id, given.id))
    .returning()
  return asOffer(chosen!)
}
