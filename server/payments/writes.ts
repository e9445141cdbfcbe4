import { randomUUID } from 'node:crypto'
import { and, eq, gt, inArray, isNull, not } from 'drizzle-orm'
import { accountChanged } from '#contract/accounts.ts'
import type { Parsed, people } from '#contract/call.ts'
import { fail, Failure } from '#contract/errors.ts'
import { furtherMembership, type Plan } from '#contract/memberships.ts'
import type * as calls from '#contract/payments.ts'
import { REGIONS } from '#contract/regions.ts'
import { recordConsent } from '../consent.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { cards, customers, providerEvents, purchases, users } from '../db/schema.ts'
import { siteOfRegion } from '../env.ts'
import { giveBack, inTurn, take } from '../limits.ts'
import { mail } from '../mail.ts'
import { activeMembershipsOf, subscriptionOf, subscriptionsOf } from '../memberships/reads.ts'
import { isPartners } from '../memberships/rules.ts'
import {
  addMembership,
  cancelMembership,
  endAllMemberships,
  followProvider,
  payArrears,
  placeWithRoom,
  restartMembership,
  takePlace,
} from '../memberships/writes.ts'
import { petOf } from '../pets/reads.ts'
import { checkPet, insertPet, startCare } from '../pets/writes.ts'
import type { Attempt, Card, Provided, ProviderEvent } from '../providers/payments.ts'
import { personRoom } from '../serve.ts'
import { holdPerson } from '../session.ts'
import { cardReplacedLetter, membershipBoughtLetter } from './emails.ts'
import {
  asMethod,
  type Payer,
  payerOf,
  petAndPlace,
  purchaseById,
  purchaseByKey,
  purchaseByToken,
  purchaseOfSubscription,
  type Purchase,
  underWay,
} from './reads.ts'
import { hashOf, type Order, purchaseToken } from './rules.ts'

type OwnerCtx = Ctx<readonly ['owner']>

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

/* The card on file. */

export const updatePaymentMethod = (
  ctx: Ctx<typeof people>,
  input: Parsed<typeof calls.updatePaymentMethod>,
) => inTurn(`card ${ctx.actor.userId}`, () => putCard(ctx, input))

async function putCard(
  ctx: Ctx<typeof people>,
  { payload, customer: named }: Parsed<typeof calls.updatePaymentMethod>,
) {
  const { userId } = ctx.actor
  const payer = await payerOf(ctx, userId)
  if (named && named !== payer.customer && named !== payer.publicId) fail('NOT_FOUND')
  await take(ctx, 'refusedCards', String(userId))
  return giveBackUnlessRefused(ctx, userId, async () => {
    const customer = await customerOf(ctx, userId, payer)
    const key = `card-${randomUUID()}`
    const attempt = await ('token' in payload
      ? ctx.payments.saveCard(customer, payload.token, key)
      : ctx.payments.finishSetup(customer, payload.setup, key))
    if (attempt.state === 'refused') return refuse(attempt.message)
    if (attempt.state === 'challenge')
      return { status: 'requires_action' as const, client_secret: attempt.clientSecret, setup: attempt.id }
    await keepCard(ctx, userId, attempt.card)
    await payArrears(ctx, userId)
    return asMethod(attempt.card)
  })
}

const refuse = (message: string | undefined): never =>
  fail('CARD_REFUSED', message ? { errors: [message] } : {})

/** A try was counted before it was made; only a refused card goes on counting. */
async function giveBackUnlessRefused<T>(ctx: World, userId: number, work: () => Promise<T>): Promise<T> {
  try {
    const done = await work()
    await giveBack(ctx, 'refusedCards', String(userId))
    return done
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'CARD_REFUSED'))
      await giveBack(ctx, 'refusedCards', String(userId))
    throw error
  }
}

/** Of two who ask for one at once, both get the same: the key says whose it is. */
async function customerOf(
  ctx: Pick<World, 'db' | 'now' | 'payments'>,
  userId: number,
  { customer, email, firstName, lastName }: Payer,
): Promise<string> {
  if (customer !== null && (await ctx.payments.hasCustomer(customer))) return customer
  // Removed for an account that was to go and stayed after all.
  if (customer !== null) await ctx.db.delete(customers).where(eq(customers.stripeCustomer, customer))
  const who = { email, name: `${firstName} ${lastName}`.trim(), userId }
  const key = `customer-${userId}-${hashOf(`${who.email} ${who.name}`)}`
  const stripeCustomer = await ctx.payments.createCustomer(who, key)
  await ctx.db
    .insert(customers)
    .values({ userId, stripeCustomer, createdAt: ctx.now() })
    .onConflictDoNothing({ target: customers.userId })
  return (await payerOf(ctx, userId)).customer!
}

const keepCard = (ctx: Ctx<typeof people>, userId: number, card: Card) =>
  transaction(ctx, async (ctx) => {
    const { id, brand, last4, expMonth, expYear } = card
    const kept = { stripePaymentMethod: id, brand, last4, expMonth, expYear, updatedAt: ctx.now() }
    await ctx.db
      .insert(cards)
      .values({ userId, ...kept })
      .onConflictDoUpdate({ target: cards.userId, set: kept })
    const { email, firstName, region } = await payerOf(ctx, userId)
    const site = siteOfRegion(ctx, region)
    await mail(ctx, site, email, 'card replaced', cardReplacedLetter(site, firstName, card))
    ctx.tell(personRoom(userId), accountChanged, { what: ['card'] })
  })

/* Memberships bought for a pet. */

export async function subscribePet(ctx: OwnerCtx, sent: Parsed<typeof calls.subscribePet>) {
  const { userId } = ctx.actor
  if (sent.purchase !== undefined) return petAnswer(ctx, await resume(ctx, sent.purchase))
  if (sent.agreed === false) fail('PET_TERMS_NOT_AGREED')
  const order = { agreed: sent.agreed, terms: sent.terms }
  const begun = await begin(ctx, sent.plan, async (ctx) => {
    const memberships = await subscriptionsOf(ctx, userId)
    if (memberships.some(({ subs_id }) => subs_id?.startsWith('ps_'))) fail('PETS_MANAGED_BY_PARTNER')
    const pet = await checkPet(ctx, userId, sent.pet)
    const { hasCard } = await payerOf(ctx, userId)
    if (!hasCard && !memberships.some(({ source }) => source === 'insurer')) fail('PET_NEEDS_PAYMENT_METHOD')
    const active = await activeMembershipsOf(ctx, userId)
    const place = await placeWithRoom(
      ctx,
      active.map(({ id }) => id),
    )
    if (!place) return { ...order, pet }
    const petId = await insertPet(ctx, userId, pet)
    await takePlace(ctx, place, petId, pet.species_id)
    await startCare(ctx, petId)
    await recordConsent(ctx, userId, 'subscribePet', sent)
    return { ...order, petId, membershipId: place.subscriptionId }
  })
  return petAnswer(ctx, begun)
}

async function petAnswer(ctx: OwnerCtx, outcome: Outcome) {
  if ('challenge' in outcome) return outcome.challenge
  const { petId, membershipId } = outcome.order
  return {
    pet: await petOf(ctx, ctx.actor.userId, petId!),
    subscription: await subscriptionOf(ctx, ctx.actor.userId, membershipId!),
  }
}

export async function manageSubscription(ctx: OwnerCtx, sent: Parsed<typeof calls.manageSubscription>) {
  const { userId } = ctx.actor
  if (sent.action === 'cancel') return cancelMembership(ctx, userId, sent.subscription)
  if (sent.action === 'restart') return restartMembership(ctx, userId, sent.subscription)
  const outcome =
    sent.purchase === undefined
      ? await begin(ctx, sent.plan ?? undefined, (ctx) => addToMembership(ctx, sent))
      : await resume(ctx, sent.purchase)
  return 'challenge' in outcome ? outcome.challenge : subscriptionOf(ctx, userId, outcome.order.membershipId!)
}

/** Puts a pet that is there into the membership that is named, or into any with room. */
async function addToMembership(
  ctx: OwnerCtx,
  { pet_id, subscription }: Parsed<typeof calls.manageSubscription>,
): Promise<Order> {
  const { userId } = ctx.actor
  if (subscription && isPartners(await subscriptionOf(ctx, userId, subscription)))
    fail('SUBSCRIPTION_MANAGED_BY_PARTNER')
  const pet = (pet_id && (await petAndPlace(ctx, userId, pet_id))) || fail('NOT_FOUND')
  const own = (await activeMembershipsOf(ctx, userId)).filter((one) => !isPartners(one))
  if (pet.membershipId !== null) return { petId: pet.id, membershipId: pet.membershipId }
  const ids = own.map(({ id }) => id)
  const named = ids.filter((id) => id === subscription)
  const place = (await placeWithRoom(ctx, named)) ?? (await placeWithRoom(ctx, ids))
  if (!place) return { petId: pet.id }
  await takePlace(ctx, place, pet.id, pet.speciesId)
  await startCare(ctx, pet.id)
  return { petId: pet.id, membershipId: place.subscriptionId }
}

interface Challenge {
  status: 'requires_action'
  client_secret: string
  purchase: string
}
type Outcome = { order: Order } | { challenge: Challenge }

/** After this the clock looks whether what a process left behind was paid. */
const LEFT_BEHIND = 2 * 60_000
/** So long a bank's challenge may take before the purchase is let go. */
const CHALLENGE = 60 * 60_000
/** Keys at the provider live for a day; asked again after that, it might charge again. */
const KEYS_LIVE = 20 * 3_600_000

/**
 * Finds a place for a pet, or writes down what is to be bought for it and then asks for the money. The same key means the
 * same request; without a key it is a new one.
 */
async function begin(
  ctx: OwnerCtx,
  plan: Plan | undefined,
  place: (ctx: OwnerCtx) => Promise<Order>,
): Promise<Outcome> {
  const { userId } = ctx.actor
  const idempotencyKey = `${userId} ${ctx.idempotency?.key ?? randomUUID()}`
  const write = () =>
    transaction(ctx, async (ctx): Promise<[Purchase, boolean]> => {
      // Whoever adds at the same time waits here, so that five stay five and one buys.
      await holdPerson(ctx, userId)
      const known = await purchaseByKey(ctx, idempotencyKey)
      if (known && known.payloadHash !== ctx.idempotency?.payload) fail('IDEMPOTENCY_KEY_REUSED')
      if (known) return [known, false]
      const order: Order = { ...(await place(ctx)), plan }
      const payer = await payerOf(ctx, userId)
      // Where nothing is bought the row lets the same request find what it did.
      const placed = { state: 'delivered' as const, amount: 0, paidAt: ctx.now(), deliveredAt: ctx.now() }
      const buys = order.membershipId === undefined
      const [written] = await ctx.db
        .insert(purchases)
        .values({
          kind: 'pet',
          userId,
          email: payer.email,
          region: payer.region,
          currency: REGIONS[payer.region].currency,
          order: { ...order },
          idempotencyKey,
          payloadHash: ctx.idempotency?.payload ?? '',
          tokenHash: hashOf(purchaseToken(ctx.secret, idempotencyKey)),
          createdAt: ctx.now(),
          ...(buys ? await quote(ctx, payer, plan) : placed),
        })
        .returning()
      if (!buys) ctx.tell(personRoom(userId), accountChanged, { what: ['me', 'pets'] })
      return [written!, buys]
    })
  const [purchase, fresh] = await write().catch(async (error: unknown) => {
    const isBusy = error instanceof Failure && error.code === 'CHANGED_UNDER_YOU'
    if (isBusy && (await letGo(ctx, userId))) return write()
    throw error
  })
  const pursued = () => pursue(ctx, purchase.id)
  return fresh ? giveBackUnlessRefused(ctx, userId, pursued) : pursued()
}

/** A challenge that the buyer turned away from must not stand beside a new purchase; one that was passed is delivered. */
async function letGo(ctx: OwnerCtx, userId: number): Promise<boolean> {
  const challenged = (await underWay(ctx, userId)).filter((one) => one.stripeSubscription !== null)
  for (const { id } of challenged) await settle(ctx, id, true)
  return challenged.length > 0
}

/** What a membership of a plan costs this person now, for the row of a purchase that is about to be paid. */
async function quote(ctx: OwnerCtx, { region, hasCard, customer }: Payer, plan: Plan | undefined) {
  const { userId } = ctx.actor
  if (plan === undefined) return fail('PLAN_MISSING')
  if (!hasCard || customer === null) return fail('PET_NEEDS_PAYMENT_METHOD')
  if ((await underWay(ctx, userId)).length > 0) fail('CHANGED_UNDER_YOU')
  await take(ctx, 'refusedCards', String(userId))
  const isMember = (await activeMembershipsOf(ctx, userId)).length > 0
  return {
    state: 'paying' as const,
    amount: isMember ? furtherMembership(region, plan).amount : REGIONS[region].prices[plan],
    stripeCustomer: customer,
    dueAt: new Date(ctx.now().getTime() + LEFT_BEHIND),
  }
}

async function resume(ctx: OwnerCtx, token: string): Promise<Outcome> {
  const known = (await purchaseByToken(ctx, ctx.actor.userId, hashOf(token))) ?? fail('NOT_FOUND')
  return pursue(ctx, known.id)
}

/**
 * Takes a purchase as far as it goes: asks for the money or looks what became of it, then delivers. Whoever asks
 * again, with the clock and the provider's events among them, finds the same purchase and pays nothing twice.
 */
const pursue = (world: World, id: number, giveUp = false): Promise<Outcome> =>
  inTurn(`purchase ${id}`, async () => {
    const purchase = await purchaseById(world, id)
    const order = purchase.order as Order
    if (purchase.state === 'delivered') return { order }
    if (purchase.state === 'refused') return refuse(order.refusal)
    if (purchase.state !== 'paying') return fail('PAYMENT_FAILED')
    const { stripeSubscription } = purchase
    const attempt = await (stripeSubscription !== null
      ? lookAt(world, stripeSubscription, giveUp)
      : world.now().getTime() - purchase.createdAt.getTime() < KEYS_LIVE
        ? charge(world, purchase, order)
        : lookFor(world, purchase))
    if (attempt.state === 'done') return { order: await deliver(world, purchase, attempt.subscription) }
    if (attempt.state === 'challenge') {
      const dueAt = new Date(world.now().getTime() + CHALLENGE)
      await world.db
        .update(purchases)
        .set({ stripeSubscription: attempt.id, dueAt })
        .where(and(eq(purchases.id, id), isNull(purchases.stripeSubscription)))
      const token = purchaseToken(world.secret, purchase.idempotencyKey)
      return {
        challenge: { status: 'requires_action', client_secret: attempt.clientSecret, purchase: token },
      }
    }
    if (attempt.state === 'gone') {
      await close(world, id, { state: 'released', order: { plan: order.plan } })
      return fail('PAYMENT_FAILED')
    }
    await close(world, id, { state: 'refused', order: { plan: order.plan, refusal: attempt.message } })
    return refuse(attempt.message)
  })

const charge = (
  { payments }: World,
  { id, stripeCustomer, amount, currency }: Purchase,
  { plan }: Order,
): Promise<Attempt<{ subscription: Provided }>> =>
  payments.subscribe(
    { customer: stripeCustomer!, plan: plan!, amount, currency, purchase: id },
    `purchase-${id}`,
  )

/** What became of a challenge. One that failed, or that nobody waits for any more, is ended so that it can not be paid later. */
async function lookAt(
  { payments }: World,
  id: string,
  giveUp: boolean,
): Promise<Attempt<{ subscription: Provided }> | { state: 'gone' }> {
  const subscription = await payments.subscription(id)
  if (!subscription || subscription.status === 'canceled' || subscription.status === 'incomplete_expired')
    return { state: 'gone' }
  if (subscription.status !== 'incomplete') return { state: 'done', subscription }
  const { clientSecret, refusal } = subscription
  if (!giveUp && clientSecret !== null) return { state: 'challenge', clientSecret, id }
  await payments.letGo(id, `release-${id}`)
  const after = await payments.subscription(id)
  if (after?.status === 'active') return { state: 'done', subscription: after }
  return refusal === null ? { state: 'gone' } : { state: 'refused', message: refusal }
}

/** What became of a purchase that can not be asked for with its key any more. */
async function lookFor(world: World, { id, stripeCustomer }: Purchase) {
  const begun = stripeCustomer && (await world.payments.subscriptionOf(stripeCustomer, id))
  if (begun) return lookAt(world, begun, true)
  world.log.error({ event: 'purchase given up', purchase: id })
  return { state: 'gone' as const }
}

/** A purchase that came to nothing. */
const close = ({ db }: World, id: number, to: { state: 'refused' | 'released'; order: Omit<Order, 'pet'> }) =>
  db
    .update(purchases)
    .set({ state: to.state, order: { ...to.order }, dueAt: null })
    .where(and(eq(purchases.id, id), eq(purchases.state, 'paying')))

/** The membership, the pet in it, and the receipt, in one step and once. */
const deliver = (world: World, { id, userId: buyer }: Purchase, provided: Provided): Promise<Order> =>
  transaction(world, async (world) => {
    const { db, now } = world
    const userId = buyer!
    await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
    const { state, order: kept, region, amount, currency } = await purchaseById(world, id)
    const order = kept as Order
    if (state === 'delivered') return order
    const sold = { userId, plan: order.plan!, region, price: amount, currency }
    const membershipId = await addMembership(world, provided, sold)
    const petId = order.pet ? await insertPet(world, userId, order.pet) : order.petId!
    const pet = await petAndPlace(world, userId, petId)
    // A pet that was put away or found a place meanwhile leaves the new membership's room free.
    if (pet && pet.membershipId === null) {
      const place = { subscriptionId: membershipId, place: 1, pawcareOut: false }
      await takePlace(world, place, petId, pet.speciesId)
      await startCare(world, petId)
    }
    if (order.pet) await recordConsent(world, userId, 'subscribePet', order)
    // The pet's details stand with the pet from here on.
    const done = { plan: order.plan, petId, membershipId }
    await db
      .update(purchases)
      .set({
        state: 'delivered',
        order: done,
        stripeSubscription: provided.id,
        subscriptionId: membershipId,
        paidAt: now(),
        deliveredAt: now(),
        dueAt: null,
      })
      .where(eq(purchases.id, id))
    const { email, firstName } = await payerOf(world, userId)
    const site = siteOfRegion(world, region)
    const letter = membershipBoughtLetter(
      site,
      { ...sold, firstName },
      pet?.name ?? null,
      provided.currentPeriodEnd,
    )
    await mail(world, site, email, 'membership bought', letter)
    world.tell(personRoom(userId), accountChanged, { what: ['me', 'pets'] })
    return done
  })

/** Pursues a purchase that nobody is asking about, and lets go what was abandoned or never begun. That it came to nothing is an end too. */
export async function settle(world: World, id: number, giveUp: boolean): Promise<void> {
  try {
    await pursue(world, id, giveUp)
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'PAYMENTS_OUT_OF_REACH') throw error
  }
}

/** An event of the provider only makes us look at what it is about; one that was applied is not looked at again. */
export async function applyEvent(world: World, { id, type, at, subscription }: ProviderEvent): Promise<void> {
  const [seen] = await world.db
    .insert(providerEvents)
    .values({ id, type, at, receivedAt: world.now() })
    .onConflictDoUpdate({ target: providerEvents.id, set: { type } })
    .returning({ appliedAt: providerEvents.appliedAt })
  if (seen!.appliedAt !== null) return
  if (subscription !== null && !(await followProvider(world, subscription))) {
    const open = await purchaseOfSubscription(world, subscription)
    if (open) await settle(world, open.id, false)
  }
  await world.db.update(providerEvents).set({ appliedAt: world.now() }).where(eq(providerEvents.id, id))
}

/** Before an account is deleted: nothing is charged any more, and the provider forgets the person. Again, it does what is left. */
export async function endMembershipsOf(world: World, userId: number): Promise<void> {
  for (const { id } of await underWay(world, userId)) await settle(world, id, true)
  await endAllMemberships(world, userId)
  const { customer } = await payerOf(world, userId)
  if (customer !== null) await world.payments.removeCustomer(customer)
  await transaction(world, async ({ db }) => {
    await db.delete(cards).where(eq(cards.userId, userId))
    await db.delete(customers).where(eq(customers.userId, userId))
  })
}
