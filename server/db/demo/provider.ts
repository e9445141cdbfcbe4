import { and, eq, like } from 'drizzle-orm'
import { secondsOf } from '#contract/time.ts'
import type { Customer, PaymentMethod, Subscription } from '../../providers/stripe-sandbox/shop.ts'
import { putNew } from '../../providers/stripe-sandbox/store.ts'
import type { Db } from '../client.ts'
import { cards, customers, subscriptions, users } from '../schema.ts'
import { paidAtProvider } from './paid.ts'

/** Gives the payment sandbox the same data about the demo's people as our database has. */
export async function fillProvider(db: Db): Promise<void> {
  await putNew(db, await paidAtProvider(db))
  const rows = await db
    .select({ user: users, customer: customers.stripeCustomer, card: cards, subscription: subscriptions })
    .from(customers)
    .innerJoin(users, eq(users.id, customers.userId))
    .leftJoin(cards, eq(cards.userId, users.id))
    .leftJoin(
      subscriptions,
      and(eq(subscriptions.userId, users.id), like(subscriptions.stripeSubscription, 'sub_demo_%')),
    )
    .where(like(customers.stripeCustomer, 'cus_demo_%'))
  for (const { user: row, customer, card, subscription } of rows) {
    const user = { ...row, customer }
    await putNew(db, [
      customerOf(user, card),
      ...(card ? [methodOf(user, card)] : []),
      ...(subscription ? [subscriptionOf(user, subscription)] : []),
    ])
  }
}

type User = typeof users.$inferSelect & { customer: string }
type CardRow = typeof cards.$inferSelect

const customerOf = (user: User, card: CardRow | null): Customer => ({
  id: user.customer,
  object: 'customer',
  created: secondsOf(user.createdAt),
  email: user.email,
  name: `${user.firstName} ${user.lastName}`,
  metadata: { user: String(user.id) },
  invoice_settings: { default_payment_method: card?.stripePaymentMethod ?? null },
})

const methodOf = (user: User, card: CardRow): PaymentMethod => ({
  id: card.stripePaymentMethod,
  object: 'payment_method',
  created: secondsOf(user.createdAt),
  card: {
    brand: card.brand,
    last4: card.last4,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    fingerprint: `demo_${user.id}`,
  },
  customer: user.customer,
  sandbox: { behaviour: {}, setUp: true, detached: false },
})

function subscriptionOf(user: User, row: typeof subscriptions.$inferSelect): Subscription {
  const { plan, price, currency, recurringStart, endedAt } = row
  const start = secondsOf(recurringStart)
  const end = secondsOf(row.currentPeriodEnd!)
  const ended = endedAt && secondsOf(endedAt)
  return {
    id: row.stripeSubscription!,
    object: 'subscription',
    created: start,
    customer: user.customer,
    status: ended ? 'canceled' : 'active',
    cancel_at_period_end: false,
    cancel_at: null,
    ended_at: ended,
    billing_cycle_anchor: start,
    latest_invoice: null,
    metadata: {},
    items: {
      data: [
        {
          price: {
            currency,
            unit_amount: price,
            recurring: { interval: plan === 'annual' ? 'year' : 'month' },
          },
          current_period_start: start,
          current_period_end: end,
        },
      ],
    },
    sandbox: { due: ended ? null : end, periods: 1, failures: 0, coupon: null, couponUntil: null },
  }
}
