import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { fail, Failure } from '#contract/errors.ts'
import type * as calls from '#contract/purchases.ts'
import { HOUR, MINUTE } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import { hashOf } from '../identity/secrets.ts'
import { transaction, type World } from '../context.ts'
import { record } from '../identity/audit.ts'
import { columnsOf } from '../db/columns-of.ts'
import { providerEvents, purchases, users } from '../db/schema.ts'
import { followMoney, recordCharge, refundUndone } from '../ledger/writes.ts'
import { inTurn } from '../concurrency/in-turn.ts'
import { tryTake, uncount } from '../identity/limits.ts'
import { followProvider } from '../memberships/writes.ts'
import {
  KEYS_VALID_FOR,
  PaymentsOutOfReach,
  type Attempt,
  type Provided,
  type ProviderEvent,
} from '../providers/payments.ts'
import {
  purchaseById,
  purchaseByKey,
  purchaseByToken,
  purchaseOfEvent,
  unfinishedOf,
  type Purchase,
} from './reads.ts'
import {
  type Charge,
  type Kind,
  newPurchaseToken,
  ofKind,
  type Outcome,
  type RefusalCode,
  REFUSALS,
  type Request,
} from './rules.ts'

/** Moves a guest's receipts into the account. */
export async function movePurchases({ db }: Pick<World, 'db'>, from: number, to: number) {
  await db.update(purchases).set({ userId: to }).where(eq(purchases.userId, from))
}

/** Later receipts of a consult go to its guest's corrected address. */
export async function readdressPurchase({ db }: Pick<World, 'db'>, consultationId: number, email: string) {
  await db.update(purchases).set({ email }).where(eq(purchases.consultationId, consultationId))
}

/** Keeps a deleted person's payments for the ledger, without their address. */
export async function forgetPurchasesOf({ db }: Pick<World, 'db'>, userId: number, gone: string) {
  await db.update(purchases).set({ email: gone }).where(eq(purchases.userId, userId))
}

/** After this long the clock checks whether an interrupted purchase was paid. */
const LEFT_BEHIND = 2 * MINUTE
/** It checks sooner the first time that the provider is out of reach. */
const SOON = 10_000
/** How long a bank's challenge may take before the purchase is dropped. Nothing else of a purchase waits longer. */
export const CHALLENGE = HOUR
/** With a coupon, whose uses others wait for. Challenges that nobody answers mustn't hold them. */
const CHALLENGE_WITH_COUPON = 5 * MINUTE

type Row = typeof purchases.$inferInsert
/** What is bought, by whom and for how much. One with a delivery instead of an amount is complete once stored. */
export type Quote<Order> = { order: Order } & Pick<Row, 'region' | 'amount' | 'currency' | 'email'> &
  Partial<Pick<Row, 'state' | 'userId' | 'couponId' | 'promo' | 'stripeCustomer' | 'paidAt' | 'deliveredAt'>>

interface Sent<C, Order> extends Request {
  /** Another request of the same buyer waits here. */
  lock?: (ctx: C) => Promise<unknown>
  /** The purchase that the same request began without a key. */
  same?: (ctx: C) => Promise<Purchase | undefined>
  quote: (ctx: C) => Promise<Quote<Order>>
  /** Runs in the same transaction once the row is new, such as for a coupon's use. */
  afterStored?: (ctx: C, purchase: Purchase) => Promise<void>
}

/** The purchase that the same request began earlier. */
export async function purchaseOfRequest(ctx: Pick<World, 'db'>, { key, payload }: Request) {
  const known = await purchaseByKey(ctx, key)
  return known && known.payloadHash !== payload ? fail('IDEMPOTENCY_KEY_REUSED') : known
}

/** The purchase behind a token. A signed-in person's purchase is only found for that person. */
export const purchaseOfToken = async (ctx: World, kind: Kind, token: string, userId?: number) =>
  (await purchaseByToken(ctx, kind, hashOf(token), userId)) ?? fail('NOT_FOUND')

/** Stores a purchase before anything is charged. True if it is new. */
export const storePurchase = <C extends World, Order extends object>(
  ctx: C,
  { kind }: Kind<Order>,
  { lock, same, quote, afterStored, ...request }: Sent<C, Order>,
): Promise<[Purchase, boolean]> =>
  transaction(ctx, async (ctx) => {
    await lock?.(ctx)
    const known = (await purchaseOfRequest(ctx, request)) ?? (await same?.(ctx))
    if (known) return [known, false]
    const quoted = await quote(ctx)
    if (ctx.payments.isOff && quoted.amount > 0) fail('PAYMENTS_OFF')
    const at = ctx.now()
    const [written] = await ctx.db
      .insert(purchases)
      .values({
        state: 'paying',
        dueAt: quoted.state === 'delivered' ? null : new Date(at.getTime() + LEFT_BEHIND),
        ...quoted,
        kind,
        idempotencyKey: request.key,
        payloadHash: request.payload,
        tokenHash: hashOf(newPurchaseToken(ctx.secrets, request.key)),
        createdAt: at,
      })
      // The token follows from the key, and either may be the first to conflict.
      .onConflictDoNothing()
      .returning()
    if (!written) return [(await purchaseOfRequest(ctx, request))!, false]
    await afterStored?.(ctx, written)
    return [written, true]
  })

/** Drops a purchase whose challenge the buyer abandoned, so that it doesn't block the next; delivers it if the challenge was passed. */
export async function endingAbandoned<T>(
  world: World,
  kinds: readonly Kind[],
  open: () => Promise<Purchase[]>,
  write: () => Promise<T>,
): Promise<T> {
  return write().catch(async (error: unknown) => {
    if (!(error instanceof Failure && error.code === 'CHANGED_UNDER_YOU')) throw error
    const challenged = (await open()).filter((one) => one.stripeSubscription !== null)
    if (challenged.length === 0) throw error
    for (const { id, kind } of challenged) await advanceUnattended(world, kindOf(kinds, kind), id, true)
    return write()
  })
}

/** Ends the purchases of a person who deletes their account; one paid at that very moment is refunded. */
export async function endUnfinished(world: World, kind: Kind, userId: number) {
  for (const { id } of await unfinishedOf(world, kind, userId)) await advanceUnattended(world, kind, id, true)
}

export const kindOf = (kinds: readonly Kind[], name: Kind['kind']) => kinds.find(({ kind }) => kind === name)!

export const failRefused = (message: string | undefined, code: RefusalCode = 'CARD_REFUSED'): never =>
  fail(code, message && code === 'CARD_REFUSED' ? { errors: [message] } : REFUSALS[code])

interface Refusal {
  refusal?: string
  refusalCode?: RefusalCode
}

/**
 * Takes a purchase as far as possible: charges it or checks on the charge, then delivers. Buyer, clock and
 * provider events may all ask again: they find the same purchase, and nothing is paid twice.
 */
export const advancePurchase = <Order extends object, Goods>(
  world: World,
  kind: Kind<Order, Goods>,
  id: number,
  giveUp = false,
): Promise<Outcome<Order>> =>
  inTurn(`purchase ${id}`, async () => {
    const row = await purchaseById(world, id)
    if (row.state === 'refused') {
      const { refusal, refusalCode } = row.order as Refusal
      return failRefused(refusal, refusalCode)
    }
    const purchase = ofKind(kind, row)
    if (purchase.state === 'released') return fail('PAYMENT_FAILED')
    if (purchase.state !== 'paying') return { purchase, clientSecret: null }
    const asked = await chargeOrCheck(world, kind, purchase, giveUp).catch(async (error: unknown) => {
      if (error instanceof PaymentsOutOfReach && purchase.attempts === 0) await retrySoon(world, id)
      throw error
    })
    const charge = purchase[kind.idColumn] === null ? await begin(world, kind, purchase, asked) : asked
    // An abandoned challenge was not answered.
    const isAnswered = charge.state === 'done' || (charge.state === 'refused' && !giveUp)
    if (isAnswered && purchase[kind.idColumn] !== null)
      for (const [name, key] of filledBy(purchase)) await uncount(world, name, key)
    if (charge.state === 'done')
      return { purchase: await storePayment(world, kind, purchase, charge), clientSecret: null }
    if (charge.state === 'refused') {
      const { message, code = 'CARD_REFUSED' } = charge
      await close(world, kind, purchase, 'refused', { refusal: message, refusalCode: code })
      return failRefused(message, code)
    }
    if (charge.state === 'gone') {
      await close(world, kind, purchase, 'released', {})
      return fail('PAYMENT_FAILED')
    }
    return { purchase, clientSecret: charge.state === 'challenge' ? charge.clientSecret : null }
  })

async function chargeOrCheck<Order extends object, Goods>(
  world: World,
  kind: Kind<Order, Goods>,
  purchase: Purchase<Order>,
  giveUp: boolean,
): Promise<Charge<Goods>> {
  const begun = purchase[kind.idColumn]
  if (begun !== null) return kind.check(world, purchase, begun, giveUp)
  if (world.now().getTime() - purchase.createdAt.getTime() < KEYS_VALID_FOR)
    return kind.charge(world, purchase)
  const found = await kind.find(world, purchase)
  if (found !== null) return kind.check(world, purchase, found, true)
  world.log.error({ event: 'purchase given up', purchase: purchase.id })
  return { state: 'gone' }
}

const retrySoon = ({ db, now }: World, id: number) =>
  db
    .update(purchases)
    .set({ dueAt: new Date(now().getTime() + SOON) })
    .where(and(eq(purchases.id, id), eq(purchases.state, 'paying')))

type Challenged = Pick<Purchase, 'cardFingerprint' | 'couponId'>

/** The limits that an unanswered challenge fills. */
const filledBy = ({ cardFingerprint: card, couponId }: Challenged) => [
  ...(card ? [['cardChallenged', card] as const] : []),
  ...(card && couponId !== null ? [['couponChallenged', `${card} ${couponId}`] as const] : []),
]

/** Ends a challenge that is one too many for its card. In a burst, all are begun before the first one is counted. */
async function begin<Order extends object, Goods>(
  world: World,
  kind: Kind<Order, Goods>,
  purchase: Purchase<Order>,
  charge: Charge<Goods>,
): Promise<Charge<Goods>> {
  if (charge.state !== 'challenge' && charge.state !== 'processing') return charge
  if (await noteBegun(world, kind, purchase, charge)) return charge
  const ended = await kind.check(world, ofKind(kind, await purchaseById(world, purchase.id)), charge.id, true)
  return ended.state === 'gone' ? { state: 'refused', message: '', code: 'TOO_MANY_TRIES' } : ended
}

/**
 * Stores the provider's id, and the latest time for a challenge, which counts for its card, and for that card's use of a
 * coupon, until it's answered. False if there are too many.
 */
async function noteBegun(
  world: World,
  { idColumn }: Pick<Kind, 'idColumn'>,
  { id, couponId }: Pick<Purchase, 'id' | 'couponId'>,
  charge: { id: string; state: 'challenge' | 'processing' },
): Promise<boolean> {
  const challenge = couponId === null ? CHALLENGE : CHALLENGE_WITH_COUPON
  const dueAt = new Date(world.now().getTime() + (charge.state === 'challenge' ? challenge : LEFT_BEHIND))
  const [begun] = await world.db
    .update(purchases)
    .set({ [idColumn]: charge.id, dueAt })
    .where(and(eq(purchases.id, id), isNull(purchases[idColumn])))
    .returning(columnsOf(purchases, 'cardFingerprint', 'couponId'))
  if (!begun || charge.state !== 'challenge') return true
  const waits = await Promise.all(filledBy(begun).map(([name, key]) => tryTake(world, name, key)))
  return waits.every((wait) => wait === 0)
}

/** Every transaction locks the person before the purchase. A deleted person's purchase is settled too. */
async function lockBuyer({ db }: World, userId: number | null) {
  if (userId !== null)
    await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
}

/** Stores the payment, its ledger entry and what goes with it in one transaction, once. */
const storePayment = <Order extends object, Goods>(
  world: World,
  kind: Kind<Order, Goods>,
  { id, userId }: Purchase,
  { paid, goods }: Charge<Goods> & { state: 'done' },
): Promise<Purchase<Order>> =>
  transaction(world, async (world) => {
    const { db, now } = world
    await lockBuyer(world, userId)
    const at = now()
    const [row] = await db
      .update(purchases)
      .set({
        state: 'paid',
        paidAt: at,
        // The card's token is used up.
        order: sql`${purchases.order} - 'token'`,
        ...(paid && { stripeIntent: paid.intent }),
        dueAt: kind.deliversAfter === null ? null : new Date(at.getTime() + kind.deliversAfter),
      })
      .where(and(eq(purchases.id, id), eq(purchases.state, 'paying')))
      .returning()
    if (!row) {
      const other = await purchaseById(world, id)
      if (other.state === 'refused' || other.state === 'released')
        world.log.error({ event: 'paid after it was closed', purchase: id })
      return ofKind(kind, other)
    }
    const stored = ofKind(kind, row)
    const after = kind.deliversAfter === null ? await deliverRow(world, kind, row, goods) : stored
    if (paid && paid.amount > 0)
      await recordCharge(world, {
        amount: paid.amount,
        currency: row.currency,
        region: row.region,
        what: kind.what,
        userId: after.userId,
        purchaseId: id,
        subscriptionId: after.subscriptionId,
        stripeId: paid.intent,
      })
    return (await kind.isTwice?.(world, stored)) ? giveBack(world, kind, stored, 'twice') : after
  })

async function deliverRow<Order extends object, Goods>(
  world: World,
  kind: Kind<Order, Goods>,
  paid: Purchase,
  goods: Goods | null,
): Promise<Purchase<Order>> {
  const delivered = await kind.deliver(world, ofKind(kind, paid), goods)
  const [row] = await world.db
    .update(purchases)
    .set({
      ...delivered,
      state: 'delivered',
      deliveredAt: world.now(),
      dueAt: null,
    })
    .where(eq(purchases.id, paid.id))
    .returning()
  return ofKind(kind, row!)
}

export const deliver = <Order extends object, Goods>(
  world: World,
  kind: Kind<Order, Goods>,
  { id, userId }: Purchase,
  goods: Goods | null,
): Promise<Purchase<Order>> =>
  transaction(world, async (world) => {
    const { db } = world
    await lockBuyer(world, userId)
    const [row] = await db.select().from(purchases).where(eq(purchases.id, id)).for('no key update')
    return row!.state === 'paid' ? deliverRow(world, kind, row!, goods) : ofKind(kind, row!)
  })

/** Marks a purchase as failed, and erases its order. */
const close = <Order extends object>(
  world: World,
  kind: Kind<Order>,
  purchase: Purchase<Order>,
  state: 'refused' | 'released',
  order: Refusal,
) =>
  transaction(world, async (world) => {
    const closed = await world.db
      .update(purchases)
      .set({ state, order, dueAt: null })
      .where(and(eq(purchases.id, purchase.id), eq(purchases.state, 'paying')))
      .returning({ id: purchases.id })
    if (closed.length > 0) await kind.release?.(world, purchase)
  })

/** Advances a purchase that no buyer waits for. A refused or abandoned purchase is no error here. */
export async function advanceUnattended(
  world: World,
  kind: Kind,
  id: number,
  giveUp: boolean,
): Promise<void> {
  try {
    await advancePurchase(world, kind, id, giveUp)
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'PAYMENTS_OUT_OF_REACH') throw error
  }
}

/** Stores what we send to the provider, so that the payment can be found again. */
export async function noteProvider(
  { db }: Pick<World, 'db'>,
  id: number,
  known: { stripeCustomer?: string; cardFingerprint?: string; order?: object },
) {
  await db.update(purchases).set(known).where(eq(purchases.id, id))
}

/** Refunds a payment that bought nothing, and erases its order, within the caller's transaction. */
export async function giveBack<Order extends object>(
  world: World,
  kind: Kind<Order>,
  purchase: Purchase<Order>,
  why: 'undone' | 'twice',
): Promise<Purchase<Order>> {
  const { id, stripeIntent } = purchase
  if (stripeIntent !== null) await refundUndone(world, stripeIntent, why)
  await kind.release?.(world, purchase)
  const [row] = await world.db
    .update(purchases)
    .set({ state: 'refunded', order: {}, dueAt: null })
    .where(eq(purchases.id, id))
    .returning()
  return ofKind(kind, row!)
}

/** A subscription's first payment as the purchase machine's outcome. */
export const firstChargeOf = async (
  payments: World['payments'],
  attempt: Attempt<{ subscription: Provided }>,
): Promise<Charge<Provided>> => (attempt.state === 'done' ? paidBy(payments, attempt.subscription) : attempt)

async function paidBy(payments: World['payments'], subscription: Provided): Promise<Charge<Provided>> {
  const latest = subscription.paid
  // It may have renewed since we last checked.
  const first = latest?.first ? latest : (await payments.paymentsOf(subscription.id)).find((one) => one.first)
  const { intent = null, amount = 0 } = first ?? {}
  return { state: 'done', paid: intent === null ? null : { intent, amount }, goods: subscription }
}

/** Finds the subscription that a purchase began, once its keys have expired. */
export const findSubscription: Kind['find'] = async ({ payments }, { id, stripeCustomer }) =>
  stripeCustomer === null ? null : payments.subscriptionOf(stripeCustomer, id)

/** Checks on a subscription's first payment. One that failed or was abandoned is ended, so it can't be paid later. */
export async function checkSubscription(
  payments: World['payments'],
  id: string,
  giveUp: boolean,
): Promise<Charge<Provided>> {
  const subscription = await payments.subscription(id)
  if (!subscription || subscription.status === 'canceled' || subscription.status === 'incomplete_expired')
    return { state: 'gone' }
  if (subscription.status !== 'incomplete') return paidBy(payments, subscription)
  const { clientSecret, refusal } = subscription
  if (!giveUp && clientSecret !== null) return { state: 'challenge', clientSecret, id }
  await payments.letGo(id, `release-${id}`)
  const after = await payments.subscription(id)
  if (after?.status === 'active') return paidBy(payments, after)
  return refusal === null ? { state: 'gone' } : { state: 'refused', message: refusal }
}

/** A provider event only makes us check on its object; an event that was applied isn't checked again. */
export async function applyEvent(world: World, kinds: readonly Kind[], event: ProviderEvent): Promise<void> {
  const { id, type, at, subscription } = event
  const [seen] = await world.db
    .insert(providerEvents)
    .values({ id, type, at, receivedAt: world.now() })
    .onConflictDoUpdate({ target: providerEvents.id, set: { type } })
    .returning({ appliedAt: providerEvents.appliedAt })
  if (seen!.appliedAt !== null) return
  if (subscription === null || !(await followProvider(world, subscription))) {
    const open = await purchaseOfEvent(world, event)
    if (open) await advanceUnattended(world, kindOf(kinds, open.kind), open.id, false)
  }
  await followMoney(world, event)
  await world.db.update(providerEvents).set({ appliedAt: world.now() }).where(eq(providerEvents.id, id))
}

/** An admin doesn't wait for the job's next attempt. The job asks the provider, so nothing is paid twice. */
export const finishPurchase: Handler<typeof calls.finishPurchase> = (ctx, { id }) =>
  transaction(ctx, async (ctx) => {
    const [due] = await ctx.db
      .update(purchases)
      .set({ dueAt: ctx.now() })
      .where(and(eq(purchases.id, id), inArray(purchases.state, ['paying', 'paid'])))
      .returning({ id: purchases.id })
    if (!due) fail('NOT_FOUND')
    const { userId } = ctx.actor
    await record(ctx, userId, 'finished by hand', ['purchase', id])
    ctx.wake()
    return {}
  })
