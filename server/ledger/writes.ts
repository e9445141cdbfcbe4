import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/ledger.ts'
import { REFUND_ASKS_PASSWORD } from '#contract/ledger.ts'
import { money } from '#contract/regions.ts'
import { addHours, secondsOf } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import { record } from '../identity/audit.ts'
import { tryTake } from '../identity/limits.ts'
import { consultLink, LINK_HOURS } from '../consultations/rules.ts'
import { sayLate, stayFree, tellChange } from '../consultations/writes.ts'
import { transaction, type World } from '../context.ts'
import { releaseCouponOf } from '../coupons/writes.ts'
import { consultations, disputes, ledger, refunds } from '../db/schema.ts'
import { cancelGift } from '../memberships/gift-writes.ts'
import { runningMembershipOf } from '../memberships/reads.ts'
import { isPartners } from '../memberships/rules.ts'
import { cancelMembership, followProvider } from '../memberships/writes.ts'
import type { Part } from '../mail/mail-template.ts'
import { mail, mailKeeper } from '../mail/outbox.ts'
import type { ProviderEvent } from '../providers/payments.ts'
import type { Disputed, Movement, Refunded } from '../providers/money-movements.ts'
import { disputeLetter, receiptLetter, refundFailedLetter, refundLetter } from './emails.ts'
import {
  listedEntry,
  isUnserved,
  lastRefundOf,
  leftOf,
  ledgerEntry,
  membershipOf,
  membershipsPaidBy,
  ofPerson,
  RECEIPT,
  type LedgerEntry,
} from './reads.ts'
import { FAILED, soldBy, WON } from './rules.ts'

type Row = typeof ledger.$inferInsert

/** Records money that came in. The provider's payment id makes a second report harmless. */
export async function recordCharge(
  { db, now, env }: Pick<World, 'db' | 'now' | 'env'>,
  charge: Omit<Row, 'kind' | 'chargeId' | 'at' | 'seller'> & { at?: Date },
) {
  await db
    .insert(ledger)
    .values({ at: now(), ...charge, kind: 'charge', seller: soldBy(charge.region, env) })
    .onConflictDoNothing({ target: ledger.stripeId })
}

/** Locks the charge, so that each refund sees what the one before left. */
async function lockCharge({ db }: Pick<World, 'db'>, which: { id: number } | { stripeId: string }) {
  const named = 'id' in which ? eq(ledger.id, which.id) : eq(ledger.stripeId, which.stripeId)
  const [charge] = await db
    .select()
    .from(ledger)
    .where(and(named, eq(ledger.kind, 'charge')))
    .for('no key update')
  return charge
}

/** Refunds a charge in full or in part. The request is stored now and sent by a job. The same key refunds once. */
export const refundCharge: Handler<typeof calls.refundCharge> = (ctx, { id, amount, reason }) =>
  transaction(ctx, async (ctx) => {
    const { userId } = ctx.actor
    const charge = (await lockCharge(ctx, { id })) ?? fail('NOT_FOUND')
    const idempotencyKey = `${userId} ${ctx.idempotency?.key ?? randomUUID()}`
    const [known] = await ctx.db.select().from(refunds).where(eq(refunds.idempotencyKey, idempotencyKey))
    if (known) {
      const same =
        known.chargeId === id && known.reason === reason && (amount ?? known.amount) === known.amount
      return same ? listedEntry(ctx, id) : fail('IDEMPOTENCY_KEY_REUSED')
    }
    const left = await leftOf(ctx, charge)
    const back = amount ?? left
    if (left === 0 || back > left)
      fail(left === 0 ? 'REFUND_NOTHING_LEFT' : 'REFUND_TOO_MUCH', {
        values: { left: money(left, charge.currency) },
        body: { current: { ...(await listedEntry(ctx, id)), last: await lastRefundOf(ctx, id) } },
      })
    if (back > REFUND_ASKS_PASSWORD[charge.currency]) ctx.passwordAgain()
    const [written] = await ctx.db
      .insert(refunds)
      .values({
        chargeId: id,
        amount: back,
        why: 'by_us',
        reason,
        byUserId: userId,
        idempotencyKey,
        createdAt: ctx.now(),
        dueAt: ctx.now(),
      })
      .onConflictDoNothing({ target: refunds.idempotencyKey })
      .returning({ id: refunds.id })
    // The same key arrived for another charge in parallel.
    if (!written) return fail('IDEMPOTENCY_KEY_REUSED')
    await record(ctx, userId, 'refunded', ['charge', id], {
      reason,
      details: { refund: written.id, amount: back, currency: charge.currency },
    })
    ctx.wake()
    return listedEntry(ctx, id)
  })

/** Records that an admin sent the money of a failed refund another way. If two record it, the second is refused. */
export const payRefundByHand: Handler<typeof calls.payRefundByHand> = (ctx, { id, how }) =>
  transaction(ctx, async (ctx) => {
    const { userId } = ctx.actor
    const [known] = await ctx.db
      .select({ chargeId: refunds.chargeId, amount: refunds.amount })
      .from(refunds)
      .where(eq(refunds.id, id))
    if (!known) return fail('NOT_FOUND')
    // Another admin may be sending the same money again.
    const charge = (await lockCharge(ctx, { id: known.chargeId }))!
    if ((await leftOf(ctx, charge)) < known.amount) fail('CHANGED_UNDER_YOU')
    const [paid] = await ctx.db
      .update(refunds)
      .set({ paidByHandAt: ctx.now(), paidByHandBy: userId, paidByHandHow: how })
      .where(
        and(eq(refunds.id, id), isNull(refunds.doneAt), isNull(refunds.dueAt), isNull(refunds.paidByHandAt)),
      )
      .returning()
    if (!paid) return fail('CHANGED_UNDER_YOU')
    await record(ctx, userId, 'refund paid by hand', ['charge', charge.id], {
      reason: how,
      details: { refund: id, amount: paid.amount, currency: charge.currency },
    })
    return {}
  })

/** Refunds all that is left of a consult that no vet served, once, no matter who notices first. */
export const refundUnserved = (
  world: World,
  { id: consultation, charge: id, card }: { id: number; charge: number; card: string | null },
): Promise<void> =>
  transaction(world, async (world) => {
    const { db } = world
    // With this lock, a vet who takes the consult right now comes before or after us.
    const [row] = await db
      .select({ cancelledAt: consultations.cancelledAt, userId: consultations.userId })
      .from(consultations)
      .where(eq(consultations.id, consultation))
      .for('no key update')
    const isStill = and(eq(consultations.id, consultation), isUnserved(world))
    if ((await db.$count(consultations, isStill)) === 0) return
    const charge = (await lockCharge(world, { id }))!
    const why = row!.cancelledAt === null ? 'late' : 'cancelled'
    const amount = await refundRest(world, charge, why)
    if (why === 'late') {
      await stayFree(world, consultation, world.now())
      if (amount > 0) await sayLate(world, consultation, money(amount, charge.currency))
    } else if (amount > 0 && card !== null) await tryTake(world, 'cardCancelled', card)
    await releaseCouponOf(world, consultation)
    tellChange(world, consultation, row!.userId, [])
  })

type Automatic = Exclude<typeof refunds.$inferSelect.why, 'by_us'>

/** Automatically refunds all that is left of a charge that the caller has locked. Returns how much. */
async function refundRest(
  world: Pick<World, 'db' | 'now' | 'wake'>,
  charge: typeof ledger.$inferSelect,
  why: Automatic,
): Promise<number> {
  const { db, now } = world
  const amount = await leftOf(world, charge)
  if (amount > 0)
    await db
      .insert(refunds)
      .values({
        chargeId: charge.id,
        amount,
        why,
        idempotencyKey: `automatic ${charge.id}`,
        createdAt: now(),
        dueAt: now(),
      })
      .onConflictDoNothing()
  world.wake()
  return amount
}

/** Refunds what is left of a payment that bought nothing. An admin may have refunded a part before. */
export async function refundUndone(
  world: Pick<World, 'db' | 'now' | 'wake'>,
  intent: string,
  why: Automatic,
) {
  const charge = await lockCharge(world, { stripeId: intent })
  if (charge) await refundRest(world, charge, why)
}

interface Taken {
  /** The provider's id of the refund. */
  id: string
  intent: string
  amount: number
  at: Date
  /** Our refund row that requested it. */
  row: number | null
}

/** Adds an entry under the provider's id, so a second report adds nothing. Returns the new entry's id. */
async function addEntry(
  { db }: Pick<World, 'db'>,
  charge: typeof ledger.$inferSelect,
  entry: Pick<Row, 'kind' | 'amount' | 'currency' | 'at' | 'stripeId'>,
): Promise<number | undefined> {
  const { id: chargeId, ...about } = charge
  const [added] = await db
    .insert(ledger)
    .values({ ...about, ...entry, chargeId })
    .onConflictDoNothing({ target: ledger.stripeId })
    .returning({ id: ledger.id })
  return added?.id
}

/** A membership whose first payment is refunded in full loses the gift that came with it. */
async function cancelEarnedGift(world: World, charge: typeof ledger.$inferSelect) {
  const { what, subscriptionId } = charge
  if (what === 'membership' && subscriptionId !== null && (await leftOf(world, charge)) === 0)
    await cancelGift(world, subscriptionId)
}

async function tellRoom(world: World, entry: number) {
  const { consultation, userId } = (await ledgerEntry(world, entry))!
  if (consultation !== null) tellChange(world, consultation, userId, [])
  world.wake()
}

/** Records a refund that the provider made. Repeated or unordered reports record it once. */
export const recordRefund = (world: World, { id, intent, amount, at, row }: Taken): Promise<void> =>
  transaction(world, async (world) => {
    const { db, now } = world
    const charge = await lockCharge(world, { stripeId: intent })
    if (!charge) return
    const { currency } = charge
    const recorded = await addEntry(world, charge, {
      kind: 'refund',
      amount: -amount,
      currency,
      at,
      stripeId: id,
    })
    if (row !== null)
      await db
        .update(refunds)
        .set({ stripeRefund: id, doneAt: now(), dueAt: null })
        .where(
          and(
            eq(refunds.id, row),
            eq(refunds.chargeId, charge.id),
            isNull(refunds.doneAt),
            isNull(refunds.failedAt),
          ),
        )
    if (!recorded) return
    await cancelEarnedGift(world, charge)
    await tellRoom(world, recorded)
  })

/** The payer's bank returned a refund, perhaps weeks later, so that part of the charge can be refunded again. */
const takeRefundBack = (world: World, { id, intent }: Refunded): Promise<void> =>
  transaction(world, async (world) => {
    const { db, now, log } = world
    const charge = await lockCharge(world, { stripeId: intent })
    if (!charge) return
    const [recorded] = await db
      .select({ id: ledger.id, amount: ledger.amount, currency: ledger.currency })
      .from(ledger)
      .where(eq(ledger.stripeId, id))
    if (!recorded) return
    const { currency } = recorded
    const amount = -recorded.amount
    const entry = { kind: 'refund_failed', amount, currency, at: now(), stripeId: id + FAILED } as const
    const added = await addEntry(world, charge, entry)
    if (!added) return
    await db
      .update(refunds)
      .set({ failedAt: now(), doneAt: null, dueAt: null })
      .where(eq(refunds.stripeRefund, id))
    log.error({ event: 'refund failed', refund: id, charge: charge.id })
    const about = (await ledgerEntry(world, recorded.id))!
    await mailKeeper(world, 'ledger', refundFailedLetter(about), id + FAILED)
    await tellRoom(world, added)
  })

/** The states that a dispute may have come from. An answer of the provider that is older than the last one is ignored. */
const STOOD = {
  asked: ['asked'],
  open: ['asked', 'open'],
  lost: ['asked', 'open', 'lost'],
  won: ['asked', 'open', 'lost', 'won'],
} as const

/** Notes how a dispute stands, for admins. False if we know better. */
async function noteDispute(
  { db }: Pick<World, 'db'>,
  chargeId: number,
  { id: stripeId, amount, at, stands, needsAnswer, answerBy }: Disputed,
) {
  const told = { amount, stands, needsAnswer, answerBy }
  const [noted] = await db
    .insert(disputes)
    .values({ ...told, chargeId, stripeId, at })
    .onConflictDoUpdate({
      target: disputes.stripeId,
      set: told,
      setWhere: inArray(disputes.stands, [...STOOD[stands]]),
    })
    .returning({ id: disputes.id })
  return noted !== undefined
}

/** Records what a payer's bank took back, and what it returned after a won dispute. False if this is old news. */
const recordDispute = (world: World, dispute: Disputed): Promise<boolean> =>
  transaction(world, async (world) => {
    const { now, log } = world
    const { id, intent, amount, currency, at, stands } = dispute
    const charge = await lockCharge(world, { stripeId: intent })
    if (!charge || !(await noteDispute(world, charge.id, dispute))) return false
    const taken = { kind: 'dispute', amount: -amount, currency, at, stripeId: id } as const
    const opened = stands === 'asked' ? undefined : await addEntry(world, charge, taken)
    const given = { kind: 'dispute_won', amount, currency, at: now(), stripeId: id + WON } as const
    const won = stands === 'won' ? await addEntry(world, charge, given) : undefined
    if (stands === 'lost') await cancelEarnedGift(world, charge)
    if (opened) log.warn({ event: 'charge disputed', dispute: id, charge: charge.id })
    const about = (await ledgerEntry(world, charge.id))!
    const { refunded } = await listedEntry(world, charge.id)
    await mailKeeper(world, 'ledger', disputeLetter(about, dispute, refunded), `${id} ${stands}`)
    const added = won ?? opened
    if (added) await tellRoom(world, added)
    return true
  })

/**
 * A membership isn't renewed once the payer's bank has taken a payment for it, and ends with the dispute if the payer
 * keeps that payment and no later one paid for it. Looking twice changes nothing.
 */
async function followDispute(world: World, { id, intent, stands }: Disputed) {
  const paid = await runningMembershipOf(world, intent)
  if (!paid || isPartners(paid) || (stands !== 'open' && stands !== 'lost')) return
  const { stripe, userId } = paid
  if (stands === 'lost' && !paid.isPaidSince && (await leftOf(world, paid.charge)) === 0) {
    await world.payments.endNow(stripe!, `lost-${id}`)
    await followProvider(world, stripe!)
  } else if (paid.end === null) await cancelMembership(world, userId, paid.id)
}

/** The provider refuses this refund. The nightly check reports it, and an admin can refund the amount again. */
export async function stopRefund({ db, log }: World, id: number, message: string): Promise<void> {
  log.error({ event: 'refund refused', refund: id, message })
  await db
    .update(refunds)
    .set({ dueAt: null })
    .where(and(eq(refunds.id, id), isNull(refunds.doneAt)))
}

/** An event only says where to look; we ask the provider for the refunds, disputes and renewals themselves. */
export async function followMoney(world: World, { type, intent, subscription }: ProviderEvent) {
  if (intent !== null && /refund/.test(type))
    for (const refund of await world.payments.refundsOf(intent)) await recordMovement(world, refund)
  if (intent !== null && /dispute/.test(type))
    for (const dispute of await world.payments.disputesOf(intent)) await recordMovement(world, dispute)
  if (subscription !== null && type === 'invoice.paid') await recordRenewals(world, subscription)
}

/** Records a movement that we find at the provider, since events can get lost. */
export async function recordMovement(world: World, moved: Movement): Promise<void> {
  if (moved.kind === 'refund') return moved.failed ? takeRefundBack(world, moved) : recordRefund(world, moved)
  if (moved.kind === 'dispute') {
    if (await recordDispute(world, moved)) await followDispute(world, moved)
    return
  }
  if (moved.customer === null) return
  for (const stripe of await membershipsPaidBy(world, moved.customer)) await recordRenewals(world, stripe)
}

async function recordRenewals(world: World, stripeSubscription: string) {
  const membership = await membershipOf(world, stripeSubscription)
  if (!membership) return
  const { id: subscriptionId, userId, region } = membership
  for (const { intent, amount, currency, at, first } of await world.payments.paymentsOf(stripeSubscription))
    if (!first && intent !== null)
      await recordCharge(world, {
        amount,
        currency,
        region,
        what: 'renewal',
        userId,
        subscriptionId,
        stripeId: intent,
        at,
      })
  world.wake()
}

/** A guest needs a link to get back in. An owner with an account just opens the room. */
function wayBack(world: World, entry: LedgerEntry): Part[] {
  if (entry.consultation === null || entry.publicId === null) return []
  // Each link opens once, and the mail about the purchase may contain one made in the same second.
  const after = secondsOf(addHours(world.now(), LINK_HOURS))
  const to = entry.isGuest
    ? consultLink(world, { customer: entry.publicId, consultation: entry.consultation }, after)
    : `/text-chat/${entry.consultation}`
  return [{ button: 'Open the consult', to }]
}

/** Mails the receipt of a charge or refund the first time, and keeps the names in it. */
export const mailFirstReceipt = (world: World, entry: LedgerEntry): Promise<void> =>
  transaction(world, async (world) => {
    const { id, payer, pet } = entry
    await world.db.update(ledger).set({ said: { payer, pet } }).where(eq(ledger.id, id))
    await mailReceipt(world, entry, `${RECEIPT}${id}`)
  })

/** Forgets the names in an erased person's receipts. */
export async function forgetReceiptsOf(ctx: Pick<World, 'db'>, userId: number) {
  await ctx.db.update(ledger).set({ said: null }).where(ofPerson(ctx, userId))
}

/** Mails the receipt of a charge or refund. The key of its first mail keeps it from being mailed twice. */
export function mailReceipt(world: World, entry: LedgerEntry, key?: string): Promise<void> {
  const [template, letter] =
    entry.kind === 'charge' ? (['receipt', receiptLetter] as const) : (['refund', refundLetter] as const)
  const written = letter(entry, world.env, wayBack(world, entry))
  return mail(world, entry.region, entry.email, template, written, { key })
}
