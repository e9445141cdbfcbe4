import { and, eq, gt, inArray, isNull, not, sql } from 'drizzle-orm'
import { fail, Failure } from '#contract/errors.ts'
import { transaction, type World } from '../context.ts'
import { providerEvents, purchases, users } from '../db/schema.ts'
import { followMoney, recordCharge } from '../ledger/writes.ts'
import { inTurn, tryTake, waitFor } from '../identity/limits.ts'
import { followProvider } from '../memberships/writes.ts'
import {
  PaymentsOutOfReach,
  type Attempt,
  type Card,
  type Provided,
  type ProviderEvent,
} from '../providers/payments.ts'
import {
  purchaseById,
  purchaseByKey,
  purchaseByToken,
  purchaseOfEvent,
  underWay,
  type Purchase,
} from './reads.ts'
import {
  hashOf,
  ofKind,
  purchaseToken,
  type Asked,
  type Kind,
  type Outcome,
  type Refused,
  type Request,
} from './rules.ts'

/** A guest's receipts go with the guest into the account. */
export async function movePurchases({ db }: Pick<World, 'db'>, from: number, to: number) {
  await db.update(purchases).set({ userId: to }).where(eq(purchases.userId, from))
}

/** Of somebody who left the books keep what was paid, and of what was not paid nobody's address. */
export async function forgetPurchasesOf({ db }: Pick<World, 'db'>, userId: number, gone: string) {
  const isReceipt = and(inArray(purchases.state, ['paid', 'delivered', 'refunded']), gt(purchases.amount, 0))
  const others = and(eq(purchases.userId, userId), not(isReceipt!))
  await db.update(purchases).set({ email: gone }).where(others)
}

/** After this the clock looks whether what a process left behind was paid. */
const LEFT_BEHIND = 2 * 60_000
/** The first time that the provider is out of reach, it looks sooner. */
const SOON = 10_000
/** So long a bank's challenge may take before the purchase is let go. */
const CHALLENGE = 60 * 60_000
/** Keys at the provider live for a day; asked again after that, it might charge again. */
const KEYS_LIVE = 20 * 3_600_000

type Row = typeof purchases.$inferInsert
/** What is bought, by whom and for how much; one with a delivery instead of an amount is done with being written. */
export type Quote<Order> = { order: Order } & Pick<Row, 'region' | 'amount' | 'currency' | 'email'> &
  Partial<Pick<Row, 'state' | 'userId' | 'couponId' | 'promo' | 'stripeCustomer' | 'paidAt' | 'deliveredAt'>>

interface Sent<C, Order> extends Request {
  /** Who comes with the same key at the same moment waits here. */
  hold?: (ctx: C) => Promise<unknown>
  quote: (ctx: C) => Promise<Quote<Order>>
  /** What goes along with the row, such as a coupon's use. */
  along?: (ctx: C, purchase: Purchase) => Promise<void>
}

/** What the same request began before. */
export async function knownBy(ctx: Pick<World, 'db'>, { key, payload }: Request) {
  const known = await purchaseByKey(ctx, key)
  return known && known.payloadHash !== payload ? fail('IDEMPOTENCY_KEY_REUSED') : known
}

/** What was begun by whoever holds its token; a person's only for that person. */
export const begunBy = async (ctx: World, kind: Kind, token: string, userId?: number) =>
  (await purchaseByToken(ctx, kind, hashOf(token), userId)) ?? fail('NOT_FOUND')

/** Writes a purchase down before anybody is asked for money. True where this was the first time. */
export const writeDown = <C extends World, Order extends object>(
  ctx: C,
  { kind }: Kind<Order>,
  { hold, quote, along, ...request }: Sent<C, Order>,
): Promise<[Purchase, boolean]> =>
  transaction(ctx, async (ctx) => {
    await hold?.(ctx)
    const known = await knownBy(ctx, request)
    if (known) return [known, false]
    const quoted = await quote(ctx)
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
        tokenHash: hashOf(purchaseToken(ctx.secret, request.key)),
        createdAt: at,
      })
      .onConflictDoNothing({ target: purchases.idempotencyKey })
      .returning()
    if (!written) return [(await knownBy(ctx, request))!, false]
    await along?.(ctx, written)
    return [written, true]
  })

/** A challenge that the buyer turned away from must not stand in the way; one that was passed is delivered. */
export async function makingRoom<T>(
  world: World,
  kinds: readonly Kind[],
  open: () => Promise<Purchase[]>,
  write: () => Promise<T>,
): Promise<T> {
  return write().catch(async (error: unknown) => {
    if (!(error instanceof Failure && error.code === 'CHANGED_UNDER_YOU')) throw error
    const challenged = (await open()).filter((one) => one.stripeSubscription !== null)
    if (challenged.length === 0) throw error
    for (const { id, kind } of challenged) await settle(world, kindOf(kinds, kind), id, true)
    return write()
  })
}

/** Of somebody who leaves nothing is bought any more; what is paid in that very moment goes back. */
export async function letGoOf(world: World, kind: Kind, userId: number) {
  for (const { id } of await underWay(world, kind, userId)) await settle(world, kind, id, true)
}

export const kindOf = (kinds: readonly Kind[], name: Kind['kind']) => kinds.find(({ kind }) => kind === name)!

export const refuse = (message: string | undefined, code: keyof typeof REFUSALS = 'CARD_REFUSED'): never =>
  fail(code, message && code === 'CARD_REFUSED' ? { errors: [message] } : REFUSALS[code])
/** Whoever is refused for trying a card too often waits as long as its window is. */
const REFUSALS = {
  CARD_REFUSED: {},
  token_already_used: {},
  TOO_MANY_TRIES: { values: { minutes: 60 }, retryAfter: 3600 },
}

interface Refusal {
  refusal?: string
  refusalCode?: keyof typeof REFUSALS
}

/**
 * Takes a purchase as far as it goes: asks for the money or looks what became of it, then delivers. Whoever asks
 * again, with the clock and the provider's events among them, finds the same purchase and pays nothing twice.
 */
export const pursue = <Order extends object, Goods>(
  world: World,
  kind: Kind<Order, Goods>,
  id: number,
  giveUp = false,
): Promise<Outcome<Order>> =>
  inTurn(`purchase ${id}`, async () => {
    const row = await purchaseById(world, id)
    if (row.state === 'refused') {
      const { refusal, refusalCode } = row.order as Refusal
      return refuse(refusal, refusalCode)
    }
    const purchase = ofKind(kind, row)
    if (purchase.state === 'delivered' || purchase.state === 'paid') return { purchase, clientSecret: null }
    if (purchase.state !== 'paying') return fail('PAYMENT_FAILED')
    const asked = await askOrLook(world, kind, purchase, giveUp).catch(async (error: unknown) => {
      if (error instanceof PaymentsOutOfReach && purchase.attempts === 0) await lookSoon(world, id)
      throw error
    })
    if (asked.state === 'done')
      return { purchase: await take(world, kind, purchase, asked), clientSecret: null }
    if (asked.state === 'refused') {
      const { message, code = 'CARD_REFUSED' } = asked
      await close(world, kind, purchase, 'refused', { refusal: message, refusalCode: code })
      return refuse(message, code)
    }
    if (asked.state === 'gone') {
      await close(world, kind, purchase, 'released', {})
      return fail('PAYMENT_FAILED')
    }
    if (purchase[kind.begun] === null) await noteBegun(world, kind, id, asked)
    return { purchase, clientSecret: asked.state === 'challenge' ? asked.clientSecret : null }
  })

async function askOrLook<Order extends object, Goods>(
  world: World,
  kind: Kind<Order, Goods>,
  purchase: Purchase<Order>,
  giveUp: boolean,
): Promise<Asked<Goods>> {
  const begun = purchase[kind.begun]
  if (begun !== null) return kind.look(world, purchase, begun, giveUp)
  if (world.now().getTime() - purchase.createdAt.getTime() < KEYS_LIVE) return kind.ask(world, purchase)
  const found = await kind.lookFor(world, purchase)
  if (found !== null) return kind.look(world, purchase, found, true)
  world.log.error({ event: 'purchase given up', purchase: purchase.id })
  return { state: 'gone' }
}

const lookSoon = ({ db, now }: World, id: number) =>
  db
    .update(purchases)
    .set({ dueAt: new Date(now().getTime() + SOON) })
    .where(and(eq(purchases.id, id), eq(purchases.state, 'paying')))

/** What was begun is known from here on; a challenge has its time. */
async function noteBegun(
  { db, now }: World,
  { begun }: Kind,
  id: number,
  asked: { id: string; state: 'challenge' | 'processing' },
) {
  const dueAt = new Date(now().getTime() + (asked.state === 'challenge' ? CHALLENGE : LEFT_BEHIND))
  await db
    .update(purchases)
    .set({ [begun]: asked.id, dueAt })
    .where(and(eq(purchases.id, id), isNull(purchases[begun])))
}

/** The payment, its line in the ledger and what goes with it, in one step and once. */
const take = <Order extends object, Goods>(
  world: World,
  kind: Kind<Order, Goods>,
  { id, userId }: Purchase,
  { paid, goods }: Asked<Goods> & { state: 'done' },
): Promise<Purchase<Order>> =>
  transaction(world, async (world) => {
    const { db, now } = world
    // Always the person first, then what they bought.
    if (userId !== null)
      await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
    const at = now()
    const [row] = await db
      .update(purchases)
      .set({
        state: 'paid',
        paidAt: at,
        // The card's token is used up.
        order: sql`${purchases.order} - 'token'`,
        ...(paid && { stripeIntent: paid.intent }),
        dueAt: kind.waits === null ? null : new Date(at.getTime() + kind.waits),
      })
      .where(and(eq(purchases.id, id), eq(purchases.state, 'paying')))
      .returning()
    if (!row) {
      const now = await purchaseById(world, id)
      if (now.state === 'refused' || now.state === 'released')
        world.log.error({ event: 'paid after it was closed', purchase: id })
      return ofKind(kind, now)
    }
    const after = kind.waits === null ? await hand(world, kind, row, goods) : ofKind(kind, row)
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
    return after
  })

async function hand<Order extends object, Goods>(
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

/** Delivers what was paid for, once; who comes later finds it delivered. */
export const deliver = <Order extends object, Goods>(
  world: World,
  kind: Kind<Order, Goods>,
  { id, userId }: Purchase,
  goods: Goods | null,
): Promise<Purchase<Order>> =>
  transaction(world, async (world) => {
    const { db } = world
    if (userId !== null)
      await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
    const [row] = await db.select().from(purchases).where(eq(purchases.id, id)).for('update')
    return row!.state === 'paid' ? hand(world, kind, row!, goods) : ofKind(kind, row!)
  })

/** A purchase that came to nothing; what it was about is forgotten. */
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

/** Pursues a purchase that nobody is asking about, and lets go what was abandoned or never begun. That it came to nothing is an end too. */
export async function settle(world: World, kind: Kind, id: number, giveUp: boolean): Promise<void> {
  try {
    await pursue(world, kind, id, giveUp)
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'PAYMENTS_OUT_OF_REACH') throw error
  }
}

/** Whom and what the provider was asked for, so that it can be found again. */
export async function noteAsked(
  { db }: Pick<World, 'db'>,
  id: number,
  known: { stripeCustomer?: string; cardFingerprint?: string; order?: object },
) {
  await db.update(purchases).set(known).where(eq(purchases.id, id))
}

/** What was paid for could not be given, and the money went back. */
export async function noteUndone({ db }: Pick<World, 'db'>, id: number) {
  await db.update(purchases).set({ state: 'refunded' }).where(eq(purchases.id, id))
}

/** The card behind a token, unless it was refused too often. */
export async function readCard(
  world: World,
  token: string,
  key: string,
): Promise<{ state: 'done'; card: Card } | Refused> {
  const read = await world.payments.readCard(token, key)
  const isBlocked = read.state === 'done' && (await waitFor(world, 'cardRefused', read.card.fingerprint)) > 0
  return isBlocked ? { state: 'refused', message: '', code: 'TOO_MANY_TRIES' } : read
}

/** A card that was refused, whoever uses it. */
export const countCard = async (world: World, fingerprint: string | null | undefined) => {
  if (fingerprint) await tryTake(world, 'cardRefused', fingerprint)
}

const REFUSED: readonly unknown[] = ['CARD_REFUSED', 'token_already_used', 'TOO_MANY_TRIES']

/** Refused cards of people without an account are counted by their address. */
export async function countingRefusals<T>(
  ctx: World & { address: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure && REFUSED.includes(error.code))
      for (const name of ['paymentsHere', 'paymentsUnchecked'] as const) await tryTake(ctx, name, ctx.address)
    throw error
  }
}

/** A first payment that was asked for, as the purchase machine takes it. */
export const askedOf = async (
  payments: World['payments'],
  attempt: Attempt<{ subscription: Provided }>,
): Promise<Asked<Provided>> => (attempt.state === 'done' ? paidBy(payments, attempt.subscription) : attempt)

async function paidBy(payments: World['payments'], subscription: Provided): Promise<Asked<Provided>> {
  const latest = subscription.paid
  // One that was not looked at for long may have renewed since.
  const first = latest?.first ? latest : (await payments.paymentsOf(subscription.id)).find((one) => one.first)
  const { intent = null, amount = 0 } = first ?? {}
  return { state: 'done', paid: intent === null ? null : { intent, amount }, goods: subscription }
}

/** What became of a subscription's first payment. One that failed, or that nobody waits for any more, is ended so that it can not be paid later. */
export async function lookAtSubscription(
  payments: World['payments'],
  id: string,
  giveUp: boolean,
): Promise<Asked<Provided>> {
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

/** An event of the provider only makes us look at what it is about; one that was applied is not looked at again. */
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
    if (open) await settle(world, kindOf(kinds, open.kind), open.id, false)
  }
  await followMoney(world, event)
  await world.db.update(providerEvents).set({ appliedAt: world.now() }).where(eq(providerEvents.id, id))
}
