import { eq, sql } from 'drizzle-orm'
import type { Parsed } from '#contract/call.ts'
import { SAME_PURCHASE_MINUTES } from '#contract/checkout.ts'
import type * as calls from '#contract/checkout.ts'
import { fail, failAt } from '#contract/errors.ts'
import { discounted } from '#contract/discounts.ts'
import { money, REGIONS, type Region } from '#contract/regions.ts'
import { addMinutes, DAY, MINUTE } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import { hashOf } from '../identity/secrets.ts'
import { addGuest, readdressGuest } from '../accounts/writes.ts'
import { record } from '../identity/audit.ts'
import { recordConsent } from '../identity/consent.ts'
import { mayOpen, ownerOf } from '../consultations/reads.ts'
import { consultLink } from '../consultations/rules.ts'
import { askForNews } from '../contact/writes.ts'
import { enterQueue, refuseOneTooMany, refuseWhileClosed, tellChange } from '../consultations/writes.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { discountOf } from '../coupons/rules.ts'
import { couponFor, holdCoupon, releaseCoupon } from '../coupons/writes.ts'
import { consultations, users } from '../db/schema.ts'
import { countingFailures, take, tryTake, waitFor } from '../identity/limits.ts'
import { neededPhone } from '../identity/phone-number.ts'
import { inTurn } from '../concurrency/in-turn.ts'
import { spend } from '../identity/single-use-tokens.ts'
import { mailboxOf } from '../mail/mailbox.ts'
import { mail } from '../mail/outbox.ts'
import { petNamed } from '../pets/reads.ts'
import { checkFirstPet, insertPet } from '../pets/writes.ts'
import { PaymentsOutOfReach, type Intent } from '../providers/payments.ts'
import { purchaseById, type Purchase } from '../purchases/reads.ts'
import {
  challengeOf,
  type Charge,
  type Delivered,
  type Kind,
  ofKind,
  type Outcome,
  purchaseToken,
  requestOf,
} from '../purchases/rules.ts'
import {
  countCard,
  countingChallenge,
  isRefusal,
  limitFree,
  countingRefusal,
  chargingCard,
  uncountChallenge,
} from '../purchases/card-writes.ts'
import {
  purchaseOfToken,
  deliver,
  purchaseOfRequest,
  noteProvider,
  advancePurchase,
  readdressPurchase,
  storePurchase,
} from '../purchases/writes.ts'
import { countOnDuty } from '../consultations/room-reads.ts'
import { lockPerson, openSession, personById } from '../identity/session.ts'
import { consultBegunLetter, consultMovedLetter, consultOpenLetter } from './emails.ts'
import { sameConsult, type Wish } from './reads.ts'
import { bornOn, blankDetails, type Given, newBuyerId, type Order } from './rules.ts'

type AnyCtx = Ctx<'anyone'>
type Pay = Parsed<typeof calls.payForConsult>

/** How long the page has to send what the consult is about; after that the consult begins without it. */
const FETCHED_WITHIN = 10 * MINUTE
/** How long the same purchase gets the same answer. */
const ANSWERED = DAY

/* Paying. */

/** Pays for one consult, or continues after a bank's challenge. */
export const payForConsult: Handler<typeof calls.payForConsult> = async (ctx, sent) => {
  if (sent.purchase) return resume(ctx, sent.purchase)
  if (sent.website !== '') fail('HONEYPOT')
  if (sent.agreed === false) fail('PURCHASE_TERMS_NOT_AGREED')
  const { details, user } = sent
  const wish = details && { email: user.email, pet: details.name, query: details.query }
  return wish ? inTurn(`consult ${hashOf(JSON.stringify(wish))}`, () => buy(ctx, sent, wish)) : buy(ctx, sent)
}

async function buy(ctx: AnyCtx, sent: Pay, wish?: Wish) {
  const request = keyOf(ctx, sent)
  const known = await purchaseOfRequest(ctx, request)
  if (known) return advance(ctx, known.id)
  const same = wish && (await boughtAlready(ctx, wish))
  if (same) return { ...(await advance(ctx, same.id)), ...(same.open && { open: same.open }) }
  await refuseWhileNobodyWorks(ctx)
  const { coupon, amount } = await priceOf(ctx, sent)
  const token = amount > 0 ? sent.card?.token : undefined
  if (amount > 0 && !token) failAt('card', 'CARD_MISSING')
  const user = { ...sent.user, mobile: neededPhone(sent.user.mobile, ctx.region, 'user.mobile') }
  const given = sent.details ? await givenOf(ctx, { ...user, ...sent.details }) : null
  const userId = ownerIdOf(ctx)
  const order: Order = {
    consult: sent.consult,
    customer: newBuyerId(),
    coupon: coupon?.code ?? null,
    buyer: user,
    given,
    token,
    agreed: sent.agreed,
    terms: sent.terms,
  }
  const { currency } = REGIONS[ctx.region]
  const { email } = sent.user
  const storeAndCharge = async () => {
    const [purchase] = await storePurchase(ctx, oneConsult, {
      ...request,
      lock: async (ctx) => userId !== null && lockPerson(ctx, userId),
      quote: async (ctx) => {
        if (userId !== null) await refuseOneTooMany(ctx, userId)
        const { region } = ctx
        return { region, amount, currency, email, userId, couponId: coupon?.id ?? null, order }
      },
      afterStored: async (ctx, { id }) => {
        if (coupon) await holdCoupon(ctx, coupon, id, email)
      },
    })
    return advance(ctx, purchase.id)
  }
  if (amount > 0)
    return countingFailures(ctx, 'paymentsUnchecked', 'pay', isRefusal, () =>
      countingChallenge(ctx, storeAndCharge),
    )
  await limitFree(ctx, coupon!.id)
  return storeAndCharge()
}

/**
 * The purchase of the same consult minutes ago, so that it isn't charged again. Email, pet and words prove nothing, so
 * only a caller with access to that consult gets it. Anybody else can read about it in that mailbox.
 */
async function boughtAlready(ctx: AnyCtx, wish: Wish) {
  const { email } = wish
  const same = await sameConsult(ctx, { ...wish, since: addMinutes(ctx.now(), -SAME_PURCHASE_MINUTES) })
  if (!same) return undefined
  const { actor } = ctx
  const isHeld =
    actor?.kind === 'guest'
      ? same.open && actor.consultationId === same.open.id
      : actor?.kind === 'owner' && actor.userId === same.userId
  if (isHeld) return same
  const owner = same.open ? await ownerOf(ctx, same.open.id) : undefined
  if (owner && (await tryTake(ctx, 'begunMails', mailboxOf(email))) === 0) {
    const letter = consultOpenLetter(owner, owner.room)
    await mail(ctx, owner.region, owner.email, 'consult open', letter)
  }
  return fail('CONSULT_PAID_ALREADY')
}

const ownerIdOf = ({ actor }: AnyCtx) => (actor?.kind === 'owner' ? actor.userId : null)

/** A request with neither key nor card is recognised by its network address, for a day. */
function keyOf(ctx: AnyCtx, pay: Pay) {
  const who = ownerIdOf(ctx) ?? 'guest'
  const once = pay.card ? hashOf(pay.card.token) : `${ctx.address} ${ctx.now().toISOString().slice(0, 10)}`
  // The hash leaves out the human check's solution, which differs each time.
  const { userConfirmation: _, ...details } = pay
  return requestOf(ctx, `pay ${who}`, details, `${ctx.region} ${once}`)
}

/** Takes no money while no vet is available. */
async function refuseWhileNobodyWorks(ctx: AnyCtx) {
  refuseWhileClosed(ctx, ctx.region)
  if ((await countOnDuty(ctx, ctx.region)) === 0) fail('NOBODY_ON_DUTY')
}

/** The current price. A page that showed another price gets an error, and nothing is charged. */
async function priceOf(ctx: AnyCtx, sent: Pay) {
  const { region } = ctx
  const { prices, currency } = REGIONS[region]
  const coupon = sent.coupon_code
    ? await couponFor(ctx, {
        code: sent.coupon_code,
        product: 'consult',
        region,
        action: 'pay',
        buyer: { email: sent.user.email, userId: ownerIdOf(ctx) },
      })
    : null
  const amount = coupon ? discounted(prices.consult, discountOf(coupon)) : prices.consult
  if (sent.amount !== amount || sent.currency.trim().toLowerCase() !== currency)
    fail('price_changed', {
      values: { price: money(amount, currency) },
      body: { price: { amount, currency } },
    })
  return { coupon, amount }
}

/** If the provider can't be reached, a job finishes the purchase and the page asks again. */
async function advance(ctx: AnyCtx, id: number) {
  const outcome = await advancePurchase(ctx, oneConsult, id).catch(async (error: unknown) => {
    if (!(error instanceof PaymentsOutOfReach)) throw error
    return { purchase: ofKind(oneConsult, await purchaseById(ctx, id)), clientSecret: null }
  })
  return answerOf(ctx, outcome)
}

function answerOf(ctx: AnyCtx, outcome: Outcome<Order>) {
  const { purchase } = outcome
  refuseTwice(purchase)
  if (purchase.state !== 'paying' && purchase.cardFingerprint)
    ctx.markBrowser(`card ${purchase.cardFingerprint}`)
  return {
    status: purchase.state === 'paying' ? ('processing' as const) : ('succeeded' as const),
    customer: { id: purchase.order.customer },
    purchase: purchaseToken(ctx.secrets, purchase),
    ...challengeOf(ctx, outcome),
  }
}

async function resume(ctx: AnyCtx, token: string) {
  const known = await purchaseOfToken(ctx, oneConsult, token)
  // Only a new refusal counts; an earlier one is just repeated.
  if (known.state !== 'paying') return advance(ctx, known.id)
  const isUnanswered = async () => (await purchaseById(ctx, known.id)).state === 'paying'
  try {
    return await countingRefusal(ctx, () => advance(ctx, known.id))
  } finally {
    const isAnswered = known.stripeIntent !== null && !(await isUnanswered())
    // Of simultaneous requests, one uncounts it.
    const forgetAt = new Date(ctx.now().getTime() + ANSWERED)
    if (isAnswered && (await spend(ctx, `challenge of purchase ${known.id}`, forgetAt)))
      await uncountChallenge(ctx)
  }
}

/** One consult, paid with a card that we don't store. */
export const oneConsult: Kind<Order, Given> = {
  kind: 'consult',
  what: 'consult',
  idColumn: 'stripeIntent',
  deliversAfter: FETCHED_WITHIN,
  charge,
  check: checkIntent,
  find: async ({ payments }, { id, stripeCustomer }) =>
    stripeCustomer === null ? null : payments.intentOf(stripeCustomer, id),
  isTwice,
  deliver: begin,
  release: (world, { id }) => releaseCoupon(world, id),
}

async function charge(world: World, purchase: Purchase<Order>): Promise<Charge<Given>> {
  const { id, amount, currency } = purchase
  if (amount === 0) return { state: 'done', paid: null, goods: null }
  const { token, buyer, consult } = purchase.order
  const key = `purchase-${id}`
  const who = { email: buyer.email, name: `${buyer.firstName} ${buyer.lastName}` }
  return chargingCard(world, token!, key, async ({ id: card, fingerprint }) => {
    const customer = purchase.stripeCustomer ?? (await world.payments.createCustomer(who, `${key}-customer`))
    if ((await waitFor(world, 'cardCancelled', fingerprint)) > 0)
      return { state: 'refused', message: '', code: 'CARD_CANCELLED_OFTEN' }
    await noteProvider(world, id, { stripeCustomer: customer, cardFingerprint: fingerprint })
    const what = consult === 2 ? 'Video consult with a vet' : 'Text consult with a vet'
    const tried = await world.payments.charge({ customer, card, amount, currency, purchase: id, what }, key)
    if (tried.state === 'asked')
      return stateOf(world, { ...purchase, cardFingerprint: fingerprint }, tried.intent)
    await countCard(world, fingerprint)
    return tried
  })
}

async function checkIntent(
  world: World,
  purchase: Purchase,
  id: string,
  giveUp: boolean,
): Promise<Charge<Given>> {
  const intent = await world.payments.intent(id)
  return intent ? stateOf(world, purchase, intent, giveUp) : { state: 'gone' }
}

/** Cancels an abandoned payment, unless it has just been paid. */
async function stateOf(
  world: World,
  purchase: Purchase,
  intent: Intent,
  giveUp = false,
): Promise<Charge<Given>> {
  const { id, status, amount, clientSecret, refusal } = intent
  if (status === 'succeeded') return { state: 'done', paid: { intent: id, amount }, goods: null }
  if (status === 'processing') return { state: 'processing', id }
  if (status === 'canceled') return { state: 'gone' }
  if (clientSecret !== null && !giveUp) return { state: 'challenge', id, clientSecret }
  await world.payments.cancelIntent(id, `release-${id}`)
  const after = await world.payments.intent(id)
  if (after && after.status !== 'canceled') return stateOf(world, purchase, after, true)
  if (refusal === null) return { state: 'gone' }
  await countCard(world, purchase.cardFingerprint)
  return { state: 'refused', message: refusal }
}

/** Two devices may pay for the same consult before either payment has settled. The second to settle is refunded. */
async function isTwice(world: World, { id, email, createdAt, order: { given } }: Purchase<Order>) {
  if (!given) return false
  await world.db.execute(sql`select pg_advisory_xact_lock(hashtext(${`consult of ${email}`}))`)
  const since = addMinutes(createdAt, -SAME_PURCHASE_MINUTES)
  const wish = { email, pet: given.pet.name, query: given.query }
  return (await sameConsult(world, { ...wish, since, id })) !== undefined
}

function refuseTwice({ state, amount }: Purchase) {
  if (state === 'refunded') fail(amount > 0 ? 'CONSULT_PAID_TWICE' : 'CONSULT_PAID_ALREADY')
}

/* What was paid for. */

/** Begins the paid consult, once. For a day, a repeated call with the purchase's token returns the same consult. */
export const newUserConsultation: Handler<typeof calls.newUserConsultation> = async (ctx, sent) => {
  const known = ofKind(oneConsult, await purchaseOfToken(ctx, oneConsult, sent.purchase))
  refuseTwice(known)
  const { consult, coupon } = known.order
  const isOther =
    sent.consult_type !== consult ||
    (sent.coupon_code !== undefined &&
      (sent.coupon_code ?? '').toUpperCase() !== (coupon ?? '').toUpperCase())
  if (known.state !== 'refused' && known.state !== 'released' && isOther) fail('PURCHASE_DIFFERS')
  if (sent.agreed === false) fail('PURCHASE_TERMS_NOT_AGREED')
  const { purchase } = await advancePurchase(ctx, oneConsult, known.id)
  if (purchase.state === 'paying') fail('PAYMENT_NOT_CAPTURED')
  refuseTwice(purchase)
  if (ctx.now().getTime() - purchase.paidAt!.getTime() > ANSWERED) fail('NOT_FOUND')
  const delivered =
    purchase.state === 'paid'
      ? await deliver(ctx, oneConsult, purchase, await givenOf(ctx, sent, purchase.region))
      : purchase
  const id = delivered.consultationId!
  // A repeated call returns the same session, and so the same token.
  const session = { agent: ctx.agent, id: hashOf(`session ${sent.purchase}`) }
  return transaction(ctx, async (ctx) => {
    if (delivered === purchase && !(await isStillTheirs(ctx, id))) fail('UNAUTHORIZED')
    return { consultation: { id }, token: await openSession(ctx, { consultationId: id }, session) }
  })
}

/**
 * Whether the buyer still has the consult. Anybody can type any email, so once its mailbox has an account with what was
 * bought, only that account opens it. One that is being joined is waited for.
 */
async function isStillTheirs({ db, actor }: AnyCtx, id: number) {
  const [owner] = await db
    .select({ id: users.id, isGuest: users.guest })
    .from(consultations)
    .innerJoin(users, eq(users.id, consultations.userId))
    .where(eq(consultations.id, id))
    .for('share')
  return owner && (owner.isGuest || (actor?.kind === 'owner' && actor.userId === owner.id))
}

/** Checks the details of buyer and pet. */
async function givenOf(
  ctx: AnyCtx,
  sent: Pay['user'] & NonNullable<Pay['details']>,
  region: Region = ctx.region,
): Promise<Given> {
  const { firstName, lastName, email, mobile, query } = sent
  const pet = await checkFirstPet(
    ctx,
    {
      name: sent.name,
      species_id: sent.pet_species,
      breed_id: sent.pet_breed,
      sex: sent.pet_sex,
      dob: bornOn(sent.pet_dob, sent.pet_age, region, ctx.now()),
      dob_approximate: sent.pet_dob_approximate ?? !sent.pet_dob,
    },
    'pet_',
  )
  return {
    firstName,
    lastName,
    email,
    mobile: neededPhone(mobile, region),
    postcode: sent.postcode ?? '',
    address: sent.address ?? '',
    userClinic: sent.user_clinic ?? '',
    news: sent.emailSubscription,
    pet,
    query,
    signs: sent.signs,
  }
}

/** Stores the consult, its pet and, for a buyer without an account, a guest in one transaction, once. */
async function begin(world: World, purchase: Purchase<Order>, told: Given | null): Promise<Delivered<Order>> {
  const { region, amount, order } = purchase
  const { consult, customer, coupon } = order
  const given = told ?? order.given ?? blankDetails(order)
  const { pet, query, signs, ...person } = given
  const account = purchase.userId === null ? undefined : await personById(world, purchase.userId)
  // The account may have been deleted since.
  const { id: userId, publicId } = account ?? (await addGuest(world, { ...person, region }))
  const petId =
    (account && (await petNamed(world, userId, pet.name, pet.species_id))) ??
    (await insertPet(world, userId, pet))
  const bought = { type: consult, region, userId, petId, petIssue: query }
  const consultationId = await enterQueue(world, bought, signs)
  await recordConsent(world, userId, 'pay', order)
  if (person.news) await askForNews(world, region, { name: person.firstName, email: person.email })
  // Anybody can start a free consult with anybody's email, so these mails are limited.
  const isMailed = told === null || amount === 0
  if (isMailed && (amount > 0 || (await tryTake(world, 'begunMails', mailboxOf(purchase.email))) === 0)) {
    const isTold = told !== null || order.given !== null
    const link = consultLink(world, { customer: publicId, consultation: consultationId })
    const letter = consultBegunLetter({ firstName: person.firstName, pet: pet.name, isTold }, link)
    await mail(world, region, purchase.email, 'consult begun', letter, {
      key: `consult begun ${purchase.id}`,
    })
  }
  return { order: { consult, customer, coupon }, userId, consultationId }
}

/** The holder of the guest's token may correct a mistyped address while the consult is open. */
export const changeGuestEmail: Handler<typeof calls.changeGuestEmail> = async (ctx, { email }) => {
  const { consultationId } = ctx.actor
  const { end } = await mayOpen(ctx, consultationId)
  if (end !== null) fail('NOT_FOUND')
  await take(ctx, 'guestEmail', String(consultationId))
  return transaction(ctx, async (ctx) => {
    const before = (await ownerOf(ctx, consultationId)) ?? fail('NOT_FOUND')
    if (before.email === email) return {}
    if (!(await readdressGuest(ctx, before.userId, email))) return fail('NOT_FOUND')
    await readdressPurchase(ctx, consultationId, email)
    await record(ctx, before.userId, 'corrected the email', ['consultation', consultationId])
    if ((await tryTake(ctx, 'begunMails', mailboxOf(email))) === 0) {
      const letter = consultMovedLetter(before, before.room)
      await mail(ctx, before.region, email, 'consult moved', letter)
    }
    tellChange(ctx, consultationId, before.userId)
    return {}
  })
}
