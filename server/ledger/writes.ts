import { randomUUID } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import type { Parsed } from '#contract/call.ts'
import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/ledger.ts'
import { money } from '#contract/regions.ts'
import { record } from '../identity/audit.ts'
import { sayLate, stayFree, tellChange } from '../consultations/writes.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { releaseCouponOf } from '../coupons/writes.ts'
import { consultations, ledger, refunds } from '../db/schema.ts'
import { takeGiftBack } from '../memberships/gift-writes.ts'
import type { Letter } from '../mail/mail-template.ts'
import { mail } from '../mail/outbox.ts'
import type { ProviderEvent } from '../providers/payments.ts'
import type { Disputed, Movement, Refunded } from '../providers/movements.ts'
import { disputeLetter, refundFailedLetter } from './emails.ts'
import { entryOf, leftOf, lineOf, membershipOf, membershipsPaidBy, type Entry } from './reads.ts'
import { FAILED, WON } from './rules.ts'

type Row = typeof ledger.$inferInsert
type Place = Pick<World, 'db' | 'now'>

/** Money that came in. Told twice it stands once: the provider's own name of the payment says which it is. */
export async function recordCharge(
  { db, now }: Place,
  charge: Omit<Row, 'kind' | 'chargeId' | 'at'> & { at?: Date },
) {
  await db
    .insert(ledger)
    .values({ at: now(), ...charge, kind: 'charge' })
    .onConflictDoNothing({ target: ledger.stripeId })
}

/** Whoever pays back of the same charge waits here, so that each sees what the one before left. */
async function holdCharge({ db }: Pick<World, 'db'>, which: { id: number } | { stripeId: string }) {
  const named = 'id' in which ? eq(ledger.id, which.id) : eq(ledger.stripeId, which.stripeId)
  const [charge] = await db
    .select()
    .from(ledger)
    .where(and(named, eq(ledger.kind, 'charge')))
    .for('no key update')
  return charge
}

/** Pays a charge back, whole or in part: written down now, carried out by the clock. The same key pays back once. */
export const refundCharge = (
  ctx: Ctx<readonly ['admin']>,
  { id, amount, reason }: Parsed<typeof calls.refundCharge>,
): Promise<Entry> =>
  transaction(ctx, async (ctx) => {
    const { userId } = ctx.actor
    const charge = (await holdCharge(ctx, { id })) ?? fail('NOT_FOUND')
    const idempotencyKey = `${userId} ${ctx.idempotency?.key ?? randomUUID()}`
    const [known] = await ctx.db.select().from(refunds).where(eq(refunds.idempotencyKey, idempotencyKey))
    if (known) {
      const same =
        known.chargeId === id && known.reason === reason && (amount ?? known.amount) === known.amount
      return same ? entryOf(ctx, id) : fail('IDEMPOTENCY_KEY_REUSED')
    }
    const left = await leftOf(ctx, charge)
    const back = amount ?? left
    if (left === 0 || back > left) fail('REFUND_TOO_MUCH', { values: { left: money(left, charge.currency) } })
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
    // The same key, pressed for another charge at this very moment.
    if (!written) return fail('IDEMPOTENCY_KEY_REUSED')
    await record(ctx, {
      userId,
      action: 'refunded',
      subject: 'charge',
      subjectId: id,
      reason,
      details: { refund: written.id, amount: back, currency: charge.currency },
    })
    ctx.wake()
    return entryOf(ctx, id)
  })

/** Gives a consult's money back that nobody came for, all that is left of it and once, whoever notices it first. */
export const giveBack = (
  world: World,
  { id: consultation, charge: id }: { id: number; charge: number },
): Promise<void> =>
  transaction(world, async (world) => {
    const { db, now } = world
    // A vet who takes it at this moment comes before or after.
    const [row] = await db
      .select({
        vetId: consultations.vetId,
        cancelledAt: consultations.cancelledAt,
        end: consultations.end,
        userId: consultations.userId,
      })
      .from(consultations)
      .where(eq(consultations.id, consultation))
      .for('no key update')
    if (row!.vetId !== null || (row!.end !== null && row!.cancelledAt === null)) return
    const charge = (await holdCharge(world, { id }))!
    const amount = await leftOf(world, charge)
    const why = row!.cancelledAt === null ? 'late' : 'cancelled'
    if (why === 'late') {
      await stayFree(world, consultation, world.now())
      if (amount > 0) await sayLate(world, consultation, money(amount, charge.currency))
    }
    if (amount > 0)
      await db
        .insert(refunds)
        .values({
          chargeId: id,
          amount,
          why,
          idempotencyKey: `by itself ${id}`,
          createdAt: now(),
          dueAt: now(),
        })
        .onConflictDoNothing()
    await releaseCouponOf(world, consultation)
    tellChange(world, consultation, row!.userId)
    world.wake()
  })

interface Taken {
  /** The provider's name of it. */
  id: string
  intent: string
  amount: number
  at: Date
  /** The row that asked for it. */
  row: number | null
}

/** Adds what moved of a charge, as it is named at the provider; heard of twice it stands once. The new line's id, or none. */
async function addLine(
  { db }: Pick<World, 'db'>,
  charge: typeof ledger.$inferSelect,
  line: Pick<Row, 'kind' | 'amount' | 'currency' | 'at' | 'stripeId'>,
): Promise<number | undefined> {
  const { id: chargeId, region, what, userId, purchaseId, subscriptionId, consultationId } = charge
  const [added] = await db
    .insert(ledger)
    .values({ ...line, region, what, userId, purchaseId, subscriptionId, consultationId, chargeId })
    .onConflictDoNothing({ target: ledger.stripeId })
    .returning({ id: ledger.id })
  return added?.id
}

/** The whole of a first payment is back, and what it earned goes back too. */
async function takeBackWhatItEarned(world: World, charge: typeof ledger.$inferSelect) {
  const { what, subscriptionId } = charge
  if (what === 'membership' && subscriptionId !== null && (await leftOf(world, charge)) === 0)
    await takeGiftBack(world, subscriptionId)
}

async function tellItsRoom(world: World, line: number) {
  const { consultation, userId } = (await lineOf(world, line))!
  if (consultation !== null) tellChange(world, consultation, userId)
  world.wake()
}

/** Writes down what the provider took; heard of twice, in whatever order, it stands once. */
export const bookRefund = (world: World, { id, intent, amount, at, row }: Taken): Promise<void> =>
  transaction(world, async (world) => {
    const { db, now } = world
    const charge = await holdCharge(world, { stripeId: intent })
    if (!charge) return
    const { currency } = charge
    const booked = await addLine(world, charge, {
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
    if (!booked) return
    await takeBackWhatItEarned(world, charge)
    await tellItsRoom(world, booked)
  })

/** Whoever keeps the books hears of it once. */
async function tellBooks(world: World, letter: Letter, key: string) {
  const { ledgerEmail, sites } = world.env
  if (ledgerEmail !== undefined) await mail(world, sites[0]!, ledgerEmail, 'books', letter, key)
}

/**
 * The payer's bank sent a refund back, even weeks later: what is left of the charge can be paid back again. One that
 * never stood in the books moved nothing.
 */
const takeRefundBack = (world: World, { id, intent }: Refunded): Promise<void> =>
  transaction(world, async (world) => {
    const { db, now, log } = world
    const charge = await holdCharge(world, { stripeId: intent })
    if (!charge) return
    const [booked] = await db
      .select({ id: ledger.id, amount: ledger.amount, currency: ledger.currency })
      .from(ledger)
      .where(eq(ledger.stripeId, id))
    if (!booked) return
    const { currency } = booked
    const amount = -booked.amount
    const line = { kind: 'refund_failed', amount, currency, at: now(), stripeId: id + FAILED } as const
    const added = await addLine(world, charge, line)
    if (!added) return
    await db
      .update(refunds)
      .set({ failedAt: now(), doneAt: null, dueAt: null })
      .where(eq(refunds.stripeRefund, id))
    log.error({ event: 'refund failed', refund: id, charge: charge.id })
    const about = (await lineOf(world, booked.id))!
    await tellBooks(world, refundFailedLetter(about), id + FAILED)
    await tellItsRoom(world, added)
  })

/** What a payer's bank took back of a charge, and what it gave back where that was won. */
const recordDispute = (world: World, dispute: Disputed): Promise<void> =>
  transaction(world, async (world) => {
    const { now, log } = world
    const { id, intent, amount, currency, at, stands } = dispute
    const charge = await holdCharge(world, { stripeId: intent })
    if (!charge) return
    const taken = { kind: 'dispute', amount: -amount, currency, at, stripeId: id } as const
    const opened = stands === 'asked' ? undefined : await addLine(world, charge, taken)
    const given = { kind: 'dispute_won', amount, currency, at: now(), stripeId: id + WON } as const
    const won = stands === 'won' ? await addLine(world, charge, given) : undefined
    if (stands === 'lost') await takeBackWhatItEarned(world, charge)
    if (opened) log.warn({ event: 'charge disputed', dispute: id, charge: charge.id })
    const about = (await lineOf(world, charge.id))!
    await tellBooks(world, disputeLetter(about, dispute), `${id} ${stands}`)
    const added = won ?? opened
    if (added) await tellItsRoom(world, added)
  })

/** The provider will not pay this back; the books of the night name it, and what is left can be paid back again. */
export async function stopRefund({ db, log }: World, id: number, message: string): Promise<void> {
  log.error({ event: 'refund refused', refund: id, message })
  await db
    .update(refunds)
    .set({ dueAt: null })
    .where(and(eq(refunds.id, id), isNull(refunds.doneAt)))
}

/** What an event says about money is looked up: refunds made elsewhere, disputes, and a membership's next payments. */
export async function followMoney(
  world: World,
  { type, intent, subscription }: ProviderEvent,
): Promise<void> {
  if (intent !== null && /refund/.test(type))
    for (const refund of await world.payments.refundsOf(intent)) await bookUnheard(world, refund)
  if (intent !== null && /dispute/.test(type))
    for (const dispute of await world.payments.disputesOf(intent)) await bookUnheard(world, dispute)
  if (subscription !== null && type === 'invoice.paid') await recordRenewals(world, subscription)
}

/** Events can be lost: what nobody told us of is booked when it is found. */
export async function bookUnheard(world: World, moved: Movement): Promise<void> {
  if (moved.kind === 'refund') return moved.failed ? takeRefundBack(world, moved) : bookRefund(world, moved)
  if (moved.kind === 'dispute') return recordDispute(world, moved)
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
