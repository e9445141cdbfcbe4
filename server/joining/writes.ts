import { randomUUID } from 'node:crypto'
import { accountChanged } from '#contract/accounts.ts'
import type { Parsed } from '#contract/call.ts'
import { fail, failAt } from '#contract/errors.ts'
import { joiningAction } from '#contract/human.ts'
import type * as calls from '#contract/joining.ts'
import { PETS_PER_MEMBERSHIP } from '#contract/pets.ts'
import type { Region } from '#contract/regions.ts'
import type { Handler } from '../http/serve.ts'
import { hashOf } from '../identity/secrets.ts'
import { accountOf } from '../accounts/reads.ts'
import { addAccount, lockMailbox, welcome } from '../accounts/writes.ts'
import { recordConsent } from '../identity/consent.ts'
import { askForNews } from '../contact/writes.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import type { CouponRow } from '../coupons/reads.ts'
import { couponFor, holdCoupon, releaseCoupon } from '../coupons/writes.ts'
import { promiseGift } from '../memberships/gift-writes.ts'
import { inTurn } from '../concurrency/in-turn.ts'
import { take } from '../identity/limits.ts'
import { neededPhone } from '../identity/phone-number.ts'
import { mail } from '../mail/outbox.ts'
import { mayMailUnconfirmed } from '../mail/unconfirmed.ts'
import { activeMembershipsOf, subscriptionOf } from '../memberships/reads.ts'
import { priceAt } from '../memberships/rules.ts'
import { addMembership, takePlace } from '../memberships/writes.ts'
import { cardOnFile, payerOf } from '../payments/reads.ts'
import { customerOf, forPet, countOnlyRefused, keepPayer } from '../payments/writes.ts'
import { startCare } from '../pets/care-writes.ts'
import { checkFirstPet, insertPet } from '../pets/writes.ts'
import { askForPolicy, findPolicy, holderOf } from '../policies/writes.ts'
import type { Card, Provided } from '../providers/payments.ts'
import { unfinishedOf, unfinishedByEmail, type Purchase } from '../purchases/reads.ts'
import { challengeOf, type Charge, type Kind, type Request, requestOf } from '../purchases/rules.ts'
import { chargingCard, countCard, countingRefusal } from '../purchases/card-writes.ts'
import {
  firstChargeOf,
  purchaseOfToken,
  purchaseOfRequest,
  checkSubscription,
  endingAbandoned,
  findSubscription,
  noteProvider,
  advancePurchase,
  storePurchase,
} from '../purchases/writes.ts'
import { personRoom } from '../live/connections.ts'
import { hashPassword, lockPerson, personById } from '../identity/session.ts'
import { joinedLetter, joinedParts, type Joined } from './emails.ts'
import { petsWithoutPlace } from './reads.ts'
import {
  asCustomer,
  discountFrom,
  failHasAccount,
  needsCard,
  orderOf,
  priced,
  quoteOf,
  type Order,
  type Sale,
} from './rules.ts'

type AnyCtx = Ctx<'anyone'>
type OwnerCtx = Ctx<readonly ['owner']>
type Join = Parsed<typeof calls.subscribe>
type Upgrade = Parsed<typeof calls.upgrade>

/** Sells a new person an account with its first pet and a membership. */
export const subscribe: Handler<typeof calls.subscribe> = async (ctx, sent) => {
  if (sent.purchase) return resume(ctx, sent.purchase)
  if (sent.agreed === false) fail('PURCHASE_TERMS_NOT_AGREED')
  const { password, userConfirmation: _, ...details } = sent
  // The hash leaves out the password, and the human check's solution, which differs each time.
  const request = keyOf(ctx, 'new', details)
  return inTurn(request.key, async () => {
    const known = await purchaseOfRequest(ctx, request)
    if (known) return advance(ctx, known)
    const { type, breed, ...first } = sent.pet
    const pet = await checkFirstPet(ctx, { ...first, species_id: type, breed_id: breed }, 'pet.')
    const { email } = sent
    const { region } = ctx
    const sale = await saleOf(ctx, sent, region, { email, userId: null })
    needsCard(sent.stripeToken)
    const late = await human(ctx, sent, request)
    if (late) return late
    // Hashing costs as much as a sign-in, so it comes after the checks.
    const passwordHash = await hashPassword(password)
    const order: Order = {
      ...orderOf(sent, sale),
      pet,
      person: {
        firstName: sent.firstName,
        lastName: sent.lastName,
        email,
        mobile: neededPhone(sent.mobile, region),
        postcode: sent.postcode ?? '',
        address: sent.address ?? '',
        userClinic: sent.user_clinic ?? '',
        news: sent.emailSubscription,
        passwordHash,
      },
    }
    const write = () =>
      storePurchase(ctx, membership, {
        ...request,
        // Another request with the same email waits here.
        lock: (ctx) => lockMailbox(ctx, email),
        quote: async (ctx) => {
          // Checked in this order, since a purchase that is delivered in between has made the account.
          if ((await unfinishedByEmail(ctx, membership, email)).length > 0) fail('CHANGED_UNDER_YOU')
          if (await accountOf(ctx, email)) failHasAccount()
          return { ...quoteOf(region, sale), email, order }
        },
        afterStored: (ctx, { id }) => useCoupon(ctx, sale.coupon, id, email),
      })
    const open = () => unfinishedByEmail(ctx, membership, email)
    const [purchase] = await endingAbandoned(ctx, [membership], open, write)
    return countingRefusal(ctx, () => advance(ctx, purchase))
  })
}

/** Sells a membership to an account that has none. */
export const upgrade: Handler<typeof calls.upgrade> = async (ctx, sent) => {
  const { userId } = ctx.actor
  if (sent.purchase) return resume(ctx, sent.purchase, userId)
  if (sent.agreed === false) fail('PURCHASE_TERMS_NOT_AGREED')
  const { userConfirmation: _, ...details } = sent
  const request = keyOf(ctx, String(userId), details)
  return inTurn(request.key, async () => {
    const known = await purchaseOfRequest(ctx, request)
    if (known) return advance(ctx, known)
    if ((await activeMembershipsOf(ctx, userId)).length > 0) fail('ALREADY_A_MEMBER')
    const { email, region, hasCard } = await payerOf(ctx, userId)
    const sale = await saleOf(ctx, sent, region, { email, userId })
    if (!hasCard) needsCard(sent.stripeToken)
    // A card on file that pays needs no human check: its owner already passed one.
    const isChecked = sent.stripeToken || !hasCard || sale.amount === 0
    const late = isChecked ? await human(ctx, sent, request) : null
    if (late) return late
    const order = orderOf(sent, sale)
    const write = () =>
      storePurchase(ctx, membership, {
        ...request,
        lock: (ctx) => lockPerson(ctx, userId),
        quote: async (ctx) => {
          if ((await activeMembershipsOf(ctx, userId)).length > 0) fail('ALREADY_A_MEMBER')
          if ((await openFor(ctx, userId)).length > 0) fail('CHANGED_UNDER_YOU')
          await take(ctx, 'refusedCards', String(userId))
          return { ...quoteOf(region, sale), userId, email, order }
        },
        afterStored: (ctx, { id }) => useCoupon(ctx, sale.coupon, id, email),
      })
    const [purchase, fresh] = await endingAbandoned(
      ctx,
      [membership, forPet],
      () => openFor(ctx, userId),
      write,
    )
    const go = () => advance(ctx, purchase)
    return fresh ? countOnlyRefused(ctx, userId, go) : go()
  })
}

/** Continues after the customer answered the bank's challenge. */
async function resume(ctx: AnyCtx | OwnerCtx, token: string, userId?: number) {
  const known = await purchaseOfToken(ctx, membership, token, userId)
  const go = () => advance(ctx, known)
  return userId === undefined && known.state === 'paying' ? countingRefusal(ctx, go) : go()
}

/** A request with neither key nor card is a new one each time. */
const keyOf = (ctx: AnyCtx | OwnerCtx, who: string, sent: Pick<Upgrade, 'stripeToken'>) =>
  requestOf(
    ctx,
    `join ${ctx.region} ${who}`,
    sent,
    sent.stripeToken ? hashOf(sent.stripeToken) : randomUUID(),
  )

/** Checks that the caller is human. If the same request was faster on another instance, finds the purchase it began. */
async function human(ctx: AnyCtx | OwnerCtx, sent: Join | Upgrade, request: Request) {
  try {
    await ctx.human(joiningAction(sent.plan))
    return null
  } catch (error) {
    const known = await purchaseOfRequest(ctx, request)
    if (known) return advance(ctx, known)
    throw error
  }
}

async function saleOf(
  ctx: AnyCtx | OwnerCtx,
  sent: Pick<Upgrade, 'plan' | 'promo' | 'coupon'> & { couponCode?: string | null | undefined },
  region: Region,
  buyer: { email: string; userId: number | null },
): Promise<Sale> {
  const code = sent.coupon || sent.couponCode
  const asked = code
    ? await couponFor(ctx, {
        code,
        product: 'membership',
        plan: sent.plan,
        region,
        action: joiningAction(sent.plan),
        buyer,
      })
    : null
  const sale = priced(region, sent.plan, sent.promo, asked)
  return { ...sale, coupon: sale.isCoupon ? asked : null }
}

const useCoupon = async (ctx: AnyCtx | OwnerCtx, coupon: CouponRow | null, id: number, email: string) => {
  if (coupon) await holdCoupon(ctx, coupon, id, email)
}

/** This person's unfinished purchase of a membership or a pet's place. */
const openFor = async (ctx: Pick<World, 'db'>, userId: number) => [
  ...(await unfinishedOf(ctx, membership, userId)),
  ...(await unfinishedOf(ctx, forPet, userId)),
]

async function advance(ctx: AnyCtx | OwnerCtx, { id }: Purchase) {
  const outcome = await advancePurchase(ctx, membership, id)
  const challenge = challengeOf(ctx, outcome)
  if (challenge) return challenge
  const { userId, subscriptionId, amount, cardFingerprint } = outcome.purchase
  if (amount > 0 && cardFingerprint) ctx.markBrowser(`card ${cardFingerprint}`)
  // The payment is refunded automatically.
  if (userId === null || subscriptionId === null) return fail('EMAIL_HAS_ACCOUNT')
  return { subscription: await subscriptionOf(ctx, userId, subscriptionId) }
}

/** A membership, for a new person or for an account without one. */
export const membership: Kind<Order, Provided> = {
  kind: 'membership',
  what: 'membership',
  idColumn: 'stripeSubscription',
  deliversAfter: null,
  charge,
  async check(world, purchase, id, giveUp) {
    const found = await checkSubscription(world.payments, id, giveUp)
    if (found.state === 'refused') await countCard(world, purchase.cardFingerprint)
    if (found.state === 'refused' || found.state === 'gone') await putCardBack(world, purchase)
    return found
  },
  find: findSubscription,
  deliver,
  release: (world, { id }) => releaseCoupon(world, id),
}

/** Keeps the earlier card on file when the new one didn't pay. */
async function putCardBack(world: World, { id, userId, stripeCustomer, order }: Purchase<Order>) {
  if (!order.token || userId === null || stripeCustomer === null) return
  const onFile = await cardOnFile(world, userId)
  if (onFile !== null) await world.payments.useCard(stripeCustomer, onFile, `purchase-${id}-back-${onFile}`)
}

async function charge(world: World, purchase: Purchase<Order>): Promise<Charge<Provided>> {
  const { id, userId, order } = purchase
  const named = order.token ?? (userId === null ? null : await cardOnFile(world, userId))
  const start = (card?: Card) => chargeFirst(world, purchase, card)
  return named === null ? start() : chargingCard(world, named, `purchase-${id}`, start)
}

async function chargeFirst(world: World, purchase: Purchase<Order>, card: Card | undefined) {
  const { payments } = world
  const { id, userId, currency, order } = purchase
  const { plan, price, off, token } = order
  const key = `purchase-${id}`
  const customer =
    purchase.stripeCustomer ??
    (userId === null
      ? await payments.createCustomer(asCustomer(order), `${key}-customer`)
      : await customerOf(world, userId, await payerOf(world, userId)))
  await noteProvider(world, id, {
    stripeCustomer: customer,
    ...(card && { cardFingerprint: card.fingerprint }),
    ...(card && token && { order: { ...order, card } }),
  })
  const used = card && token ? await payments.useCard(customer, card.id, `${key}-card`) : null
  const wanted = { customer, plan, amount: price, currency, purchase: id, ...(off && { discount: off }) }
  const attempt = used?.state === 'refused' ? used : await payments.subscribe(wanted, key)
  if (attempt.state === 'refused') {
    await countCard(world, card?.fingerprint)
    await putCardBack(world, { ...purchase, stripeCustomer: customer })
  }
  return firstChargeOf(payments, attempt)
}

/** Stores account, customer, card, pet, place, cover, care plan, membership, consent and gift in one transaction, once. */
async function deliver(world: World, purchase: Purchase<Order>, provided: Provided | null) {
  const { region, amount, currency, stripeCustomer, order } = purchase
  const { plan, price, pawcareOut, person, card } = order
  const stripeSubscription = provided!.id
  const userId = await memberOf(world, purchase)
  // The email got another account meanwhile, or the account was deleted: the payment is refunded.
  if (userId === undefined) return { order: { plan }, stripeSubscription }
  const discount = discountFrom(order.off, provided!.currentPeriodStart)
  const sold = { userId, plan, region, price, currency, pawcareOut, discount }
  const subscriptionId = await addMembership(world, provided!, sold)
  await keepPayer(world, userId, stripeCustomer!, card ?? null)
  const petId = order.pet && (await insertPet(world, userId, order.pet))
  const pets = await petsWithoutPlace(world, userId, PETS_PER_MEMBERSHIP)
  for (const [at, { id, speciesId }] of pets.entries()) {
    await takePlace(world, { subscriptionId, place: at + 1, pawcareOut }, id, speciesId)
    await startCare(world, id)
  }
  await recordConsent(world, userId, person ? 'subscribe' : 'upgrade', order)
  const cardFingerprint = amount > 0 ? purchase.cardFingerprint : null
  const gift = await promiseGift(world, { userId, subscriptionId, region, cardFingerprint })
  const renews = provided!.currentPeriodEnd
  const joined: Joined = {
    plan,
    region,
    currency,
    amount,
    price,
    nextPrice: priceAt({ price, discount }, renews),
    renews,
    pets: pets.map(({ name }) => name),
    gift,
  }
  if (person?.news) await askForNews(world, region, { name: person.firstName, email: person.email })
  if (person) await welcome(world, userId, { ...person, region }, joinedParts(joined))
  else {
    const { email, firstName } = await payerOf(world, userId)
    await mail(world, region, email, 'membership begun', joinedLetter(firstName, joined))
    world.tell(personRoom(userId), accountChanged, { what: ['me', 'pets', 'card'] })
  }
  return { order: { plan, petId }, userId, subscriptionId, stripeSubscription }
}

/** The account that the membership is for; makes it if it's new. */
async function memberOf(world: World, { userId, region, order: { person } }: Purchase<Order>) {
  if (userId !== null) return (await personById(world, userId))?.id
  const { news, ...account } = person!
  return addAccount(world, { ...account, notifications: { news }, region })
}

/**
 * Makes an account for the holder of a partner's policy straight away. The policy is bound once the link in the
 * welcome mail, or the code mailed to the holder, proves that the holder's address is theirs.
 */
export const signUpWithPolicy: Handler<typeof calls.signUpWithPolicy> = async (ctx, sent) => {
  if (sent.agreed === false) fail('PURCHASE_TERMS_NOT_AGREED')
  const policy = await findPolicy(ctx, sent.policy)
  if (policy.speciesId !== sent.pet_type) failAt('pet_type', 'POLICY_INVALID')
  const pet = await checkFirstPet(
    ctx,
    {
      name: sent.pet_name,
      species_id: sent.pet_type,
      breed_id: sent.pet_breed,
      sex: sent.pet_gender,
      dob: sent.pet_dob,
      dob_approximate: sent.pet_dob_approximate,
    },
    'pet_',
  )
  const passwordHash = await hashPassword(sent.password)
  const { email, fname: firstName, sname: lastName } = sent
  const mobile = neededPhone(sent.mobile, ctx.region)
  // Checked first, so that refused sign-ups don't use up the mails of a mailbox.
  if (await accountOf(ctx, email)) failHasAccount()
  const isWelcomed = await mayMailUnconfirmed(ctx, email)
  await transaction(ctx, async (ctx) => {
    const person = { email, firstName, lastName, mobile, region: ctx.region }
    const userId = (await addAccount(ctx, { ...person, passwordHash })) ?? failHasAccount()
    if (isWelcomed) await welcome(ctx, userId, person)
    const petId = await insertPet(ctx, userId, pet, policy.id)
    // If it's the holder's own address, the link in the welcome mail replaces the code.
    if (holderOf(policy) !== email) await askForPolicy(ctx, { userId, petId, policy })
    await recordConsent(ctx, userId, 'signUpWithPolicy', sent)
  })
  return {}
}
