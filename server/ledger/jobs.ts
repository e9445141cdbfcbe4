import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { addDays, addHours, HOUR, MINUTE } from '#contract/time.ts'
import type { Job } from '../jobs/clock.ts'
import type { World } from '../context.ts'
import { ledger, refunds } from '../db/schema.ts'
import { KEYS_VALID_FOR } from '../providers/payments.ts'
import { isDue } from '../db/due.ts'
import { isSpent, spend } from '../identity/single-use-tokens.ts'
import { rowByRow, rowsJob } from '../jobs/retry-by-row.ts'
import { mailKeeper } from '../mail/outbox.ts'
import { ledgerCheckLetter } from './emails.ts'
import { ledgerSpan, knownOf, unmailed, unserved } from './reads.ts'
import { isMissing, mismatches } from './check-rules.ts'
import { againAfter } from './rules.ts'
import { mailFirstReceipt, recordRefund, recordMovement, refundUnserved, stopRefund } from './writes.ts'

const BATCH = 20

/** Consults that no vet joined are refunded in full, without the owner asking. */
const refundUnservedConsults = rowsJob({
  name: 'refund consults that no vet joined',
  lane: 'database',
  due: unserved,
  handle: refundUnserved,
})

/** Sends each refund to the provider until the provider accepts or refuses it. */
const carryOutRefunds: Job = {
  name: 'carry out refunds',
  lane: 'payments',
  async run(world) {
    const { db, now } = world
    const due = db
      .select({ id: refunds.id })
      .from(refunds)
      .where(isDue(refunds.dueAt, now(), HOUR))
      .orderBy(asc(refunds.dueAt))
      .limit(BATCH)
      .for('update', { skipLocked: true })
    const requests = await db
      .update(refunds)
      .set({
        attempts: sql`${refunds.attempts} + 1`,
        // Set again below, once we know the result.
        dueAt: new Date(now().getTime() + againAfter(0)),
      })
      .where(inArray(refunds.id, due))
      .returning()
    for (const refund of requests) {
      const { id, attempts } = refund
      try {
        await carryOut(world, refund)
      } catch (error) {
        world.log.warn({ event: 'refund postponed', refund: id, attempts, err: error })
        await db
          .update(refunds)
          .set({ dueAt: new Date(now().getTime() + againAfter(attempts)) })
          .where(and(eq(refunds.id, id), eq(refunds.attempts, attempts)))
      }
    }
    return requests.length
  },
}

async function carryOut(world: World, { id, chargeId, amount, why, createdAt }: typeof refunds.$inferSelect) {
  const { db, now, payments } = world
  const [charge] = await db.select({ intent: ledger.stripeId }).from(ledger).where(eq(ledger.id, chargeId))
  const { intent } = charge!
  // The provider may have forgotten the key, and would refund again.
  const isOld = now().getTime() - createdAt.getTime() > KEYS_VALID_FOR
  const known = isOld
    ? (await payments.refundsOf(intent)).find(({ row, failed }) => row === id && !failed)
    : undefined
  const taken = known
    ? { state: 'done' as const, id: known.id }
    : await payments.refund({ intent, amount, why, refund: id }, `refund-${id}`)
  if (taken.state === 'done') await recordRefund(world, { id: taken.id, intent, amount, at: now(), row: id })
  else await stopRefund(world, id, taken.message)
}

const mailReceipts = rowsJob({
  name: 'mail receipts',
  lane: 'database',
  due: unmailed,
  handle: mailFirstReceipt,
})

/** We may learn of a movement at the provider this much later. */
const REPORTED_WITHIN_DAYS = 2

/** Banks may return a refund, or dispute a payment, this much later. */
const LATE_NEWS_WITHIN_DAYS = 120

const lateNews = ({ payments, now }: Pick<World, 'payments' | 'now'>) =>
  payments.lateNews(addDays(now(), -LATE_NEWS_WITHIN_DAYS))

/** Records movements whose events got lost, before the ledger is checked. */
async function catchUp(world: World) {
  const now = world.now()
  // An event that hasn't arrived within an hour is lost.
  const moved = await world.payments.movements(addDays(now, -LOOKED_BACK_DAYS), addHours(now, -1))
  const all = [...moved, ...(await lateNews(world))]
  const known = await knownOf(world, all)
  // The ledger doesn't show whether a membership has followed its dispute.
  const due = all.filter((one) => isMissing(one, known) || one.kind === 'dispute')
  await rowByRow(world, 'catch up with the provider', due, (one) => {
    if (isMissing(one, known)) world.log.warn({ event: 'unreported payment', id: one.id, kind: one.kind })
    return recordMovement(world, one)
  })
}

/** Compares purchases, charges, deliveries, refunds and the provider's own list over the last days. */
export async function checkLedger(world: Pick<World, 'db' | 'now' | 'payments'>, days: number) {
  const now = world.now()
  const from = addDays(now, -days)
  const span = await world.payments.movements(addDays(from, -REPORTED_WITHIN_DAYS), addDays(now, 1))
  const late = (await lateNews(world)).filter(({ id }) => span.every((one) => one.id !== id))
  const moved = [...span, ...late]
  const stored = await ledgerSpan(world, from, addDays(now, 1))
  const wrong = mismatches(stored, { moved, known: await knownOf(world, moved) }, from, now)
  const { purchases, entries, refunds } = stored
  const counted = `${purchases.length} purchases, ${entries.length} ledger entries, ${refunds.length} refunds and ${moved.length} movements at the provider`
  const since = from.toISOString().slice(0, 16).replace('T', ' ')
  return {
    says: `Checked since ${since} UTC: ${counted}. ${wrong.length === 0 ? 'It all adds up.' : `${wrong.length} don’t add up.`}`,
    wrong,
  }
}

/** The hours of the check, in UTC: it begins with the first, and the others are for a server that was down. */
const NIGHT = { from: 1, to: 6 }
/** A check that a killed process began is begun again after this long. */
const BEGUN_AGAIN_AFTER = 15 * MINUTE
export const LOOKED_BACK_DAYS = 3

const checkEachNight: Job = {
  name: 'check the ledger',
  lane: 'payments',
  everyMinutes: 5,
  async run(world) {
    const { now, log } = world
    const hour = now().getUTCHours()
    if (hour < NIGHT.from || hour >= NIGHT.to) return
    const night = `ledger check ${now().toISOString().slice(0, 10)}`
    if (await isSpent(world, night)) return
    const turn = Math.floor(now().getTime() / BEGUN_AGAIN_AFTER)
    if (!(await spend(world, `ledger check, turn ${turn}`, addDays(now(), 2)))) return
    const check = async () => {
      await catchUp(world)
      return checkLedger(world, LOOKED_BACK_DAYS)
    }
    const { says, wrong } = await check().catch((error: unknown) => {
      log.error({ event: 'ledger not checked', err: error })
      return { says: 'We couldn’t check the ledger.', wrong: ['We couldn’t reach the payment provider.'] }
    })
    if (wrong.length > 0) log.error({ event: 'ledger does not add up', wrong })
    else log.info({ event: 'ledger adds up' })
    await mailKeeper(world, 'ledger', ledgerCheckLetter({ says, wrong }), night)
    await spend(world, night, addDays(now(), 2))
  },
}

export const ledgerJobs = [refundUnservedConsults, carryOutRefunds, mailReceipts, checkEachNight]
