import { and, asc, eq, inArray, isNotNull, isNull, lt, ne, notExists, notInArray, or, sql } from 'drizzle-orm'
import { addDays, MINUTE } from '#contract/time.ts'
import type { Job } from '../jobs/clock.ts'
import { isDue } from '../db/due.ts'
import { rowsJob } from '../jobs/retry-by-row.ts'
import { customers, purchases } from '../db/schema.ts'
import type { World } from '../context.ts'
import type { Purchase } from './reads.ts'
import type { Kind } from './rules.ts'
import { deliver, kindOf, advanceUnattended, CHALLENGE } from './writes.ts'

const BATCH = 20
const AGAIN_AFTER = MINUTE
/** For this long, an admin can find the owner of a refused card by their email. */
const UNPAID_KEPT_DAYS = 90

/** Due purchases, postponed so that no other run takes them meanwhile. */
async function postponeDue({ db, now }: World, kinds: readonly Kind[], state: 'paying' | 'paid') {
  const due = db
    .select({ id: purchases.id })
    .from(purchases)
    .where(
      and(
        inArray(
          purchases.kind,
          kinds.map(({ kind }) => kind),
        ),
        eq(purchases.state, state),
        isDue(purchases.dueAt, now(), CHALLENGE),
      ),
    )
    .orderBy(asc(purchases.dueAt))
    .limit(BATCH)
    .for('update', { skipLocked: true })
  return db
    .update(purchases)
    .set({
      dueAt: new Date(now().getTime() + AGAIN_AFTER),
      attempts: sql`${purchases.attempts} + 1`,
    })
    .where(inArray(purchases.id, due))
    .returning()
}

async function oneByOne({ log }: World, due: Purchase[], work: (purchase: Purchase) => Promise<unknown>) {
  for (const purchase of due)
    try {
      await work(purchase)
    } catch (error) {
      log.warn({
        event: 'purchase postponed',
        purchase: purchase.id,
        attempts: purchase.attempts,
        err: error,
      })
    }
  return due.length
}

/**
 * A customer at the provider that was made for one purchase alone is needed until its outcome is known. Money is refunded
 * without it.
 */
const leaveProvider = rowsJob({
  name: 'delete customers of single purchases',
  lane: 'payments',
  everyMinutes: 60,
  due: ({ db, now }, resting) =>
    db
      .select({ id: purchases.id, customer: purchases.stripeCustomer })
      .from(purchases)
      .where(
        and(
          isNotNull(purchases.stripeCustomer),
          notInArray(purchases.state, ['paying', 'paid']),
          or(eq(purchases.kind, 'consult'), isNull(purchases.userId)),
          notExists(
            db
              .select({ userId: customers.userId })
              .from(customers)
              .where(eq(customers.stripeCustomer, purchases.stripeCustomer)),
          ),
          lt(purchases.createdAt, addDays(now(), -1)),
          notInArray(purchases.id, resting),
        ),
      )
      .orderBy(asc(purchases.id))
      .limit(BATCH),
  async handle({ db, payments }, { id, customer }) {
    await payments.removeCustomer(customer!)
    await db.update(purchases).set({ stripeCustomer: null }).where(eq(purchases.id, id))
  },
})

export const purchaseJobs = (kinds: readonly Kind[]): Job[] => [
  {
    // The process may have died, the answer may be lost, or the buyer may have abandoned the challenge.
    name: 'settle purchases',
    lane: 'payments',
    run: async (world) =>
      oneByOne(world, await postponeDue(world, kinds, 'paying'), ({ id, kind }) =>
        advanceUnattended(world, kindOf(kinds, kind), id, true),
      ),
  },
  {
    // These are paid and were never fetched, so this needs no provider.
    name: 'deliver purchases',
    lane: 'database',
    run: async (world) =>
      oneByOne(world, await postponeDue(world, kinds, 'paid'), (purchase) =>
        deliver(world, kindOf(kinds, purchase.kind), purchase, null),
      ),
  },
  {
    // The purchases of people with an account are erased with the account.
    name: 'forget strangers who bought nothing',
    lane: 'database',
    everyMinutes: 60,
    async run({ db, now }) {
      await db
        .update(purchases)
        .set({ email: '' })
        .where(
          and(
            inArray(purchases.state, ['refused', 'released', 'refunded']),
            isNull(purchases.userId),
            ne(purchases.email, ''),
            lt(purchases.createdAt, addDays(now(), -UNPAID_KEPT_DAYS)),
          ),
        )
      return 0
    },
  },
  leaveProvider,
]
