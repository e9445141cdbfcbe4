import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { accountChanged } from '#contract/accounts.ts'
import type { Parsed, people } from '#contract/call.ts'
import { fail, Failure } from '#contract/errors.ts'
import { furtherMembership, type Plan } from '#contract/memberships.ts'
import type * as calls from '#contract/payments.ts'
import { REGIONS } from '#contract/regions.ts'
import { MINUTE } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import { hashOf } from '../identity/secrets.ts'
import { recordConsent } from '../identity/consent.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { cards, customers } from '../db/schema.ts'
import { promiseGift } from '../memberships/gift-writes.ts'
import { inTurn } from '../concurrency/in-turn.ts'
import { uncount, take } from '../identity/limits.ts'
import { mail } from '../mail/outbox.ts'
import { mayMail } from '../mail/unconfirmed.ts'
import { activeMembershipsOf, subscriptionOf, subscriptionsOf } from '../memberships/reads.ts'
import { isPartners, isPetStock } from '../memberships/rules.ts'
import {
  addMembership,
  cancelMembership,
  endAllMemberships,
  payArrears,
  placeWithRoom,
  restartMembership,
  takePlace,
} from '../memberships/writes.ts'
import { petOf } from '../pets/reads.ts'
import { startCare } from '../pets/care-writes.ts'
import { checkPet, insertPet } from '../pets/writes.ts'
import type { Card, Provided } from '../providers/payments.ts'
import { sameWish, unfinishedOf, type Purchase } from '../purchases/reads.ts'
import { chargingCard } from '../purchases/card-writes.ts'
import { challengeOf, type Delivered, type Kind, type Outcome } from '../purchases/rules.ts'
import {
  firstChargeOf,
  purchaseOfToken,
  endUnfinished,
  checkSubscription,
  endingAbandoned,
  noteProvider,
  advancePurchase,
  failRefused,
  findSubscription,
  storePurchase,
  type Quote,
} from '../purchases/writes.ts'
import { personRoom } from '../live/connections.ts'
import { lockPerson } from '../identity/session.ts'
import { cardReplacedLetter, membershipBoughtLetter } from './emails.ts'
import { asMethod, cardOnFile, type Payer, payerOf, petAndPlace } from './reads.ts'
import type { Order } from './rules.ts'

type OwnerCtx = Ctx<readonly ['owner']>

/* The card on file. */

export const updatePaymentMethod: Handler<typeof calls.updatePaymentMethod> = (ctx, input) =>
  inTurn(`card ${ctx.actor.userId}`, () => putCard(ctx, input))

async function putCard(
  ctx: Ctx<typeof people>,
  { payload, customer: named }: Parsed<typeof calls.updatePaymentMethod>,
) {
  const { userId } = ctx.actor
  const payer = await payerOf(ctx, userId)
  if (named && named !== payer.customer && named !== payer.publicId) fail('NOT_FOUND')
  await take(ctx, 'membershipChanges', String(userId))
  await take(ctx, 'refusedCards', String(userId))
  return countOnlyRefused(ctx, userId, async () => {
    const customer = await customerOf(ctx, userId, payer)
    const key = `card-${randomUUID()}`
    const attempt = await ('token' in payload
      ? ctx.payments.saveCard(customer, payload.token, key)
      : ctx.payments.finishSetup(customer, payload.setup, key))
    if (attempt.state === 'refused') return failRefused(attempt.message)
    if (attempt.state === 'challenge')
      return { status: 'requires_action' as const, client_secret: attempt.clientSecret, setup: attempt.id }
    await keepCard(ctx, userId, attempt.card)
    await payArrears(ctx, userId)
    return asMethod(attempt.card)
  })
}

/** Attempts count before they are made; afterwards we keep only those that a bank refused. */
export async function countOnlyRefused<T>(ctx: World, userId: number, work: () => Promise<T>): Promise<T> {
  try {
    const done = await work()
    await uncount(ctx, 'refusedCards', String(userId))
    return done
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'CARD_REFUSED'))
      await uncount(ctx, 'refusedCards', String(userId))
    throw error
  }
}

/** Two parallel requests get the same customer, because the key is made from the person. */
export async function customerOf(
  ctx: Pick<World, 'db' | 'now' | 'payments'>,
  userId: number,
  { customer, email, firstName, lastName }: Payer,
): Promise<string> {
  if (customer !== null && (await ctx.payments.hasCustomer(customer))) return customer
  // It was removed for an account deletion that then didn't happen.
  if (customer !== null) await ctx.db.delete(customers).where(eq(customers.stripeCustomer, customer))
  const who = { email, name: `${firstName} ${lastName}`.trim(), userId }
  const key = `customer-${userId}-${hashOf(`${who.email} ${who.name}`)}`
  const stripeCustomer = await ctx.payments.createCustomer(who, key)
  await ctx.db
    .insert(customers)
    .values({ userId, stripeCustomer, createdAt: ctx.now() })
    // Both requests bring the same customer, so either column may be the first to conflict.
    .onConflictDoNothing()
  return (await payerOf(ctx, userId)).customer!
}

/** Keeps a new member's customer id and the card that paid. */
export async function keepPayer(
  { db, now }: Pick<World, 'db' | 'now'>,
  userId: number,
  stripeCustomer: string,
  card: Omit<Card, 'fingerprint'> | null,
) {
  await db.insert(customers).values({ userId, stripeCustomer, createdAt: now() }).onConflictDoNothing()
  if (card === null) return
  const { id, brand, last4, expMonth, expYear } = card
  const kept = { stripePaymentMethod: id, brand, last4, expMonth, expYear, updatedAt: now() }
  await db
    .insert(cards)
    .values({ userId, ...kept })
    .onConflictDoUpdate({ target: cards.userId, set: kept })
}

const keepCard = (ctx: Ctx<typeof people>, userId: number, card: Card) =>
  transaction(ctx, async (ctx) => {
    const payer = await payerOf(ctx, userId)
    await keepPayer(ctx, userId, payer.customer!, card)
    const { email, firstName, region } = payer
    if (await mayMail(ctx, payer))
      await mail(ctx, region, email, 'card replaced', cardReplacedLetter(firstName, card))
    ctx.tell(personRoom(userId), accountChanged, { what: ['card'] })
  })

/* Memberships bought for a pet. */

export const subscribePet: Handler<typeof calls.subscribePet> = async (ctx, sent) => {
  const { userId } = ctx.actor
  if (sent.purchase !== undefined) return petAnswer(ctx, await resume(ctx, sent.purchase))
  if (sent.agreed === false) fail('PET_TERMS_NOT_AGREED')
  const order = { agreed: sent.agreed, terms: sent.terms }
  const begun = await begin(
    ctx,
    sent.plan,
    async (ctx) => {
      const memberships = await subscriptionsOf(ctx, userId)
      if (memberships.some(isPetStock)) fail('PETS_MANAGED_BY_PARTNER')
      const pet = await checkPet(ctx, userId, sent.pet)
      const { hasCard } = await payerOf(ctx, userId)
      if (!hasCard && !memberships.some(({ source }) => source === 'insurer'))
        fail('PET_NEEDS_PAYMENT_METHOD')
      const place = await placeWithRoom(ctx, await activeMembershipsOf(ctx, userId))
      if (!place) return { ...order, pet }
      const petId = await insertPet(ctx, userId, pet)
      await takePlace(ctx, place, petId, pet.species_id)
      await startCare(ctx, petId)
      await recordConsent(ctx, userId, 'subscribePet', sent)
      return { ...order, petId, membershipId: place.subscriptionId }
    },
    { plan: sent.plan, pet: sent.pet },
  )
  return petAnswer(ctx, begun)
}

async function petAnswer(ctx: OwnerCtx, outcome: Outcome<Order>) {
  const challenge = challengeOf(ctx, outcome)
  if (challenge) return challenge
  const { petId, membershipId } = outcome.purchase.order
  return {
    pet: await petOf(ctx, ctx.actor.userId, petId!),
    subscription: await subscriptionOf(ctx, ctx.actor.userId, membershipId!),
  }
}

export const manageSubscription: Handler<typeof calls.manageSubscription> = async (ctx, sent) => {
  const { userId } = ctx.actor
  if (sent.action !== 'add') await take(ctx, 'membershipChanges', String(userId))
  if (sent.action === 'cancel') return cancelMembership(ctx, userId, sent.subscription)
  if (sent.action === 'restart') return restartMembership(ctx, userId, sent.subscription)
  const outcome =
    sent.purchase === undefined
      ? await begin(ctx, sent.plan ?? undefined, (ctx) => addToMembership(ctx, sent))
      : await resume(ctx, sent.purchase)
  const { membershipId } = outcome.purchase.order
  return challengeOf(ctx, outcome) ?? subscriptionOf(ctx, userId, membershipId!)
}

/** Puts an existing pet into the membership with this id, or into any with a free place. */
async function addToMembership(
  ctx: OwnerCtx,
  { pet_id, subscription, plan }: Parsed<typeof calls.manageSubscription>,
): Promise<Order> {
  const { userId } = ctx.actor
  if (subscription && isPartners(await subscriptionOf(ctx, userId, subscription)))
    fail('SUBSCRIPTION_MANAGED_BY_PARTNER')
  const pet = (pet_id && (await petAndPlace(ctx, userId, pet_id))) || fail('NOT_FOUND')
  if (pet.membershipId !== null) return { petId: pet.id, membershipId: pet.membershipId }
  const own = (await activeMembershipsOf(ctx, userId)).filter((one) => !isPartners(one))
  const named = own.filter(({ id }) => id === subscription)
  const place = (await placeWithRoom(ctx, named)) ?? (await placeWithRoom(ctx, own))
  if (!place && named.length > 0 && !plan) fail('MEMBERSHIP_FULL')
  if (!place) return { petId: pet.id }
  await takePlace(ctx, place, pet.id, pet.speciesId)
  await startCare(ctx, pet.id)
  return { petId: pet.id, membershipId: place.subscriptionId }
}

/** The same request without a key within this time is a repeat. */
const REPEATED_WITHIN = MINUTE

/**
 * Finds a place for a pet, or stores what the owner buys and then charges for it. The same key means the same request.
 * Without a key it's the same `wish` of a moment ago, or a new request.
 */
async function begin(
  ctx: OwnerCtx,
  plan: Plan | undefined,
  place: (ctx: OwnerCtx) => Promise<Order>,
  wish?: object,
): Promise<Outcome<Order>> {
  const { userId } = ctx.actor
  const payload = ctx.idempotency?.payload ?? (wish ? hashOf(JSON.stringify(wish)) : '')
  const since = new Date(ctx.now().getTime() - REPEATED_WITHIN)
  const sent = {
    key: `${userId} ${ctx.idempotency?.key ?? randomUUID()}`,
    payload,
    ...(wish &&
      !ctx.idempotency && { same: (ctx: OwnerCtx) => sameWish(ctx, forPet, userId, payload, since) }),
    // Parallel additions wait here, so a membership never gets more than five pets and only one buys.
    lock: (ctx: OwnerCtx) => lockPerson(ctx, userId),
    quote: async (ctx: OwnerCtx): Promise<Quote<Order>> => {
      await take(ctx, 'petsAdded', String(userId))
      const order: Order = { ...(await place(ctx)), plan }
      const payer = await payerOf(ctx, userId)
      const { email, region } = payer
      const known = { userId, email, region, currency: REGIONS[region].currency, order }
      if (order.membershipId === undefined) return { ...known, ...(await price(ctx, payer, plan)) }
      ctx.tell(personRoom(userId), accountChanged, { what: ['me', 'pets'] })
      // Stores the result, so a repeated request finds it although nothing was bought.
      return { ...known, state: 'delivered', amount: 0, paidAt: ctx.now(), deliveredAt: ctx.now() }
    },
  }
  const open = () => unfinishedOf(ctx, forPet, userId)
  const [purchase, fresh] = await endingAbandoned(ctx, [forPet], open, () => storePurchase(ctx, forPet, sent))
  const advance = () => advancePurchase(ctx, forPet, purchase.id)
  return fresh && purchase.state === 'paying' ? countOnlyRefused(ctx, userId, advance) : advance()
}

/** What a membership costs this person now. */
async function price(ctx: OwnerCtx, { region, hasCard, customer }: Payer, plan: Plan | undefined) {
  const { userId } = ctx.actor
  if (plan === undefined) return fail('PLAN_MISSING')
  if (!hasCard || customer === null) return fail('PET_NEEDS_PAYMENT_METHOD')
  // Their bank may still confirm an open membership; buying another would charge them twice.
  for (const kind of [forPet, { kind: 'membership' }] as const)
    if ((await unfinishedOf(ctx, kind, userId)).length > 0) fail('CHANGED_UNDER_YOU')
  await take(ctx, 'refusedCards', String(userId))
  const isMember = (await activeMembershipsOf(ctx, userId)).length > 0
  return {
    amount: isMember ? furtherMembership(region, plan).amount : REGIONS[region].prices[plan],
    stripeCustomer: customer,
  }
}

async function resume(ctx: OwnerCtx, token: string): Promise<Outcome<Order>> {
  const { id } = await purchaseOfToken(ctx, forPet, token, ctx.actor.userId)
  return advancePurchase(ctx, forPet, id)
}

/** A membership for a pet, paid with the card on file. */
export const forPet: Kind<Order, Provided> = {
  kind: 'pet',
  what: 'membership',
  idColumn: 'stripeSubscription',
  deliversAfter: null,
  async charge(world, { id, userId, order: { plan }, stripeCustomer, amount, currency }) {
    const { payments } = world
    const wanted = { customer: stripeCustomer!, plan: plan!, amount, currency, purchase: id }
    const start = async () => firstChargeOf(payments, await payments.subscribe(wanted, `purchase-${id}`))
    const card = await cardOnFile(world, userId!)
    if (card === null) return start()
    return chargingCard(world, card, `purchase-${id}`, async ({ fingerprint }) => {
      await noteProvider(world, id, { cardFingerprint: fingerprint })
      return start()
    })
  },
  check: ({ payments }, _, id, giveUp) => checkSubscription(payments, id, giveUp),
  find: findSubscription,
  deliver: deliverToPet,
}

/** Delivers the membership, the pet in it, and the receipt. */
async function deliverToPet(
  world: World,
  { userId: buyer, order, region, amount, currency, cardFingerprint }: Purchase<Order>,
  provided: Provided | null,
): Promise<Delivered<Order>> {
  const userId = buyer!
  const sold = { userId, plan: order.plan!, region, price: amount, currency }
  const membershipId = await addMembership(world, provided!, sold)
  const gift = await promiseGift(world, { userId, subscriptionId: membershipId, region, cardFingerprint })
  const petId = order.pet ? await insertPet(world, userId, order.pet) : order.petId!
  const pet = await petAndPlace(world, userId, petId)
  // If the pet was put away or found a place meanwhile, the new place stays free.
  if (pet?.membershipId === null) {
    const place = { subscriptionId: membershipId, place: 1, pawcareOut: false }
    await takePlace(world, place, petId, pet.speciesId)
    await startCare(world, petId)
  }
  if (order.pet) await recordConsent(world, userId, 'subscribePet', order)
  const { email, firstName } = await payerOf(world, userId)
  const letter = membershipBoughtLetter(
    { ...sold, firstName },
    pet?.name ?? null,
    provided!.currentPeriodEnd,
    gift,
  )
  await mail(world, region, email, 'membership bought', letter)
  world.tell(personRoom(userId), accountChanged, { what: ['me', 'pets'] })
  return {
    // From now on the pet's row has its details.
    order: { plan: order.plan, petId, membershipId },
    stripeSubscription: provided!.id,
    subscriptionId: membershipId,
  }
}

/** Before an account is deleted, ends all charges and makes the provider forget the person. A repeat does what is left. */
export async function endMembershipsOf(world: World, userId: number): Promise<void> {
  await endUnfinished(world, forPet, userId)
  await endAllMemberships(world, userId)
  const { customer } = await payerOf(world, userId)
  if (customer !== null) await world.payments.removeCustomer(customer)
  await transaction(world, async ({ db }) => {
    await db.delete(cards).where(eq(cards.userId, userId))
    await db.delete(customers).where(eq(customers.userId, userId))
  })
}
