import { randomUUID } from 'node:crypto'
import { and, asc, eq, gt, isNotNull, isNull, lte, notInArray, sql } from 'drizzle-orm'
import { accountChanged } from '#contract/accounts.ts'
import { addDays } from '#contract/time.ts'
import { transaction, type World } from '../context.ts'
import { cards, subscriptions, users } from '../db/schema.ts'
import { mail } from '../mail/outbox.ts'
import { lockedRowsJob, rowsJob } from '../jobs/retry-by-row.ts'
import { personRoom } from '../live/connections.ts'
import { renewalLetter, stillUnpaidLetter } from './emails.ts'
import { petsApart, possiblyStale, unpaidFor } from './reads.ts'
import { graceEnd, nextPrice } from './rules.ts'
import { followProvider, leaveMembership } from './writes.ts'

const BATCH = 20
const DAYS_AHEAD = 5

/** A cancelled membership ends with its period, even if no event arrives. */
const endCancelled = lockedRowsJob({
  name: 'end cancelled memberships',
  due: ({ db, now }, resting) =>
    db
      .select({ id: subscriptions.id, userId: subscriptions.userId, end: subscriptions.end })
      .from(subscriptions)
      .where(
        and(
          isNull(subscriptions.endedAt),
          lte(subscriptions.end, now()),
          notInArray(subscriptions.id, resting),
        ),
      )
      .limit(BATCH)
      .for('update', { skipLocked: true }),
  async handle(world, { id, userId, end }) {
    await world.db
      .update(subscriptions)
      .set({ status: 'canceled', endedAt: end, pastDueSince: null })
      .where(eq(subscriptions.id, id))
    await leaveMembership(world, id, end!)
    world.tell(personRoom(userId), accountChanged, { what: ['me', 'pets'] })
  },
})

/** Looks up memberships whose events may be lost, and ends those that are unpaid after the grace period. */
const lookUpUnheard = rowsJob({
  name: 'look up memberships',
  lane: 'payments',
  everyMinutes: 10,
  oneBatch: true,
  due: possiblyStale,
  async handle(world, { id: stripe, since }) {
    await followProvider(world, stripe)
    if (since !== null && graceEnd(since) <= world.now()) await endUnpaid(world, stripe)
  },
})

async function endUnpaid(world: World, stripe: string) {
  const provided = await world.payments.subscription(stripe)
  if (provided?.status !== 'past_due') return
  // If it has just been paid, it continues.
  await world.payments.letGo(stripe, `unpaid-${randomUUID()}`)
  await followProvider(world, stripe)
}

/** Sent five days before a renewal, once per period. */
const tellRenewals = lockedRowsJob({
  name: 'announce renewals',
  everyMinutes: 10,
  due: ({ db, now }, resting) =>
    db
      .select({ id: subscriptions.id, row: subscriptions, email: users.email, firstName: users.firstName })
      .from(subscriptions)
      .innerJoin(users, and(eq(users.id, subscriptions.userId), isNull(users.deletedAt)))
      .where(
        and(
          eq(subscriptions.status, 'active'),
          isNotNull(subscriptions.stripeSubscription),
          isNull(subscriptions.end),
          isNull(subscriptions.deletedAt),
          gt(subscriptions.currentPeriodEnd, now()),
          lte(subscriptions.currentPeriodEnd, addDays(now(), DAYS_AHEAD)),
          sql`${subscriptions.renewalToldFor} is distinct from ${subscriptions.currentPeriodEnd}`,
          notInArray(subscriptions.id, resting),
        ),
      )
      .orderBy(asc(subscriptions.id))
      .limit(BATCH)
      .for('update', { of: subscriptions, skipLocked: true }),
  async handle(world, { row, email, firstName }) {
    const { db } = world
    const [card] = await db
      .select({ brand: cards.brand, last4: cards.last4 })
      .from(cards)
      .where(eq(cards.userId, row.userId))
    const told = { ...row, firstName, price: nextPrice(row), pets: await petsApart(world, row) }
    const letter = renewalLetter(told, row.currentPeriodEnd!, card ?? null)
    await mail(world, row.region, email, 'renewal ahead', letter)
    await db
      .update(subscriptions)
      .set({ renewalToldFor: row.currentPeriodEnd })
      .where(eq(subscriptions.id, row.id))
  },
})

/** Repeats the notice in the grace period while payments fail; not after the member has paid. */
const tellUnpaid = rowsJob({
  name: 'remind of unpaid memberships',
  lane: 'payments',
  everyMinutes: 10,
  oneBatch: true,
  due: unpaidFor,
  async handle(world, one) {
    await followProvider(world, one.stripe!)
    await tellStillUnpaid(world, one)
  },
})

const tellStillUnpaid = (world: World, { id, days, key }: Awaited<ReturnType<typeof unpaidFor>>[number]) =>
  transaction(world, async (world) => {
    const { db } = world
    const [unpaid] = await db
      .select({ row: subscriptions, email: users.email, firstName: users.firstName })
      .from(subscriptions)
      .innerJoin(users, and(eq(users.id, subscriptions.userId), isNull(users.deletedAt)))
      .where(
        and(
          eq(subscriptions.id, id),
          isNull(subscriptions.endedAt),
          lte(subscriptions.pastDueSince, addDays(world.now(), -days)),
        ),
      )
      .for('no key update', { of: subscriptions })
    if (!unpaid) return
    const { row, email, firstName } = unpaid
    const told = { ...row, firstName, price: nextPrice(row), pets: await petsApart(world, row) }
    const letter = stillUnpaidLetter(told, graceEnd(row.pastDueSince!), days)
    await mail(world, row.region, email, 'payment still failing', letter, { key })
  })

export const membershipJobs = [endCancelled, lookUpUnheard, tellRenewals, tellUnpaid]
