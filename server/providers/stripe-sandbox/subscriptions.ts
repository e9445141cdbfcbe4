import { addMonths, secondsOf } from '#contract/time.ts'
import { detach } from './customers.ts'
import { redeem, reduced } from './coupons.ts'
import { fieldsIn, isOn, listIn, metadataIn, needed, textIn, wholeIn, type Fields } from './form.ts'
import { charge, failIntent, refusing } from './intents.ts'
import { cardFor, giveUp, markPaid, openInvoice, payable, tryInvoice } from './invoices.ts'
import { invalid, missing } from './refusal.ts'
import {
  putAndTell,
  tell,
  the,
  type Customer,
  type Invoice,
  type PaymentIntent,
  type PaymentMethod,
  type Price,
  type Shop,
  type Subscription,
} from './shop.ts'
import { find, findAny, listOf, newId, put, type Thing } from './store.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const INCOMPLETE_LASTS = 23 * HOUR
/** The days after a failed renewal on which it is retried, and the day on which the subscription ends. */
const RETRY_DAYS = [1, 3, 5]
const END_DAY = 7

const isOver = ({ status }: Subscription) => status === 'canceled' || status === 'incomplete_expired'

/** The end of the nth period, counted from the anchor, so that the 31st returns after a short month. */
export const periodEnd = (anchor: number, interval: Price['recurring']['interval'], n: number) =>
  secondsOf(addMonths(new Date(anchor * 1000), interval === 'year' ? 12 * n : n))

export async function createProduct(shop: Shop, fields: Fields): Promise<Thing> {
  const id = needed(fields, 'id')
  if (await findAny(shop.db, id))
    throw invalid('Product already exists.', { code: 'resource_already_exists', param: 'id' })
  return put<Thing>(shop.db, { id, object: 'product', created: shop.at })
}

async function priceIn(shop: Shop, fields: Fields): Promise<Price> {
  await the(shop, 'product', needed(fields, 'product'), 'product')
  const interval = needed(fieldsIn(fields, 'recurring'), 'interval') as Price['recurring']['interval']
  const currency = needed(fields, 'currency').toLowerCase()
  return { currency, unit_amount: wholeIn(fields, 'unit_amount'), recurring: { interval } }
}

export async function createSubscription(shop: Shop, fields: Fields): Promise<Subscription> {
  const customer = await the<Customer>(shop, 'customer', needed(fields, 'customer'), 'customer')
  const [item] = listIn(fields, 'items')
  const price = await priceIn(shop, fieldsIn(item as Fields, 'price_data'))
  const [discount] = listIn(fields, 'discounts')
  const coupon = (typeof discount === 'object' && textIn(discount, 'coupon')) || null
  const subscription: Subscription = {
    id: newId('sub'),
    object: 'subscription',
    created: shop.at,
    customer: customer.id,
    status: 'incomplete',
    cancel_at_period_end: false,
    cancel_at: null,
    ended_at: null,
    billing_cycle_anchor: shop.at,
    latest_invoice: null,
    metadata: metadataIn(fields),
    items: {
      data: [
        {
          price,
          current_period_start: shop.at,
          current_period_end: periodEnd(shop.at, price.recurring.interval, 1),
        },
      ],
    },
    sandbox: { due: shop.at + INCOMPLETE_LASTS, periods: 1, failures: 0, coupon, couponUntil: null },
  }
  const isFree = coupon !== null && (await isNothing(shop, coupon, price.unit_amount))
  if (!isFree && !(await cardFor(shop, subscription)))
    throw invalid(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      { code: 'resource_missing' },
    )
  if (coupon !== null)
    subscription.sandbox.couponUntil = await redeem(shop, coupon, (months) =>
      periodEnd(shop.at, 'month', months),
    )
  const opened = await openInvoice(shop, subscription, 'subscription_create')
  const begun = { ...subscription, latest_invoice: opened.id }
  await putAndTell(shop, begun, 'customer.subscription.created')
  const { invoice, intent } = await tryInvoice(shop, opened, begun, true)
  return settle(shop, begun, invoice, intent)
}

/** Whether a coupon leaves nothing to pay on a first invoice. */
const isNothing = async (shop: Shop, coupon: string, amount: number) =>
  (await reduced(shop, { coupon, couponUntil: null }, amount, { first: true, start: shop.at })) === 0

/** Updates a subscription after its invoice was paid or failed. */
async function settle(
  shop: Shop,
  subscription: Subscription,
  invoice: Invoice,
  intent: PaymentIntent | null,
): Promise<Subscription> {
  if (invoice.status === 'paid')
    return changed(shop, {
      ...subscription,
      status: 'active',
      sandbox: {
        ...subscription.sandbox,
        failures: 0,
        due: subscription.items.data[0].current_period_end,
      },
    })
  if (subscription.status === 'incomplete') {
    if (intent?.status === 'requires_action') await tell(shop, 'invoice.payment_action_required', invoice)
    else await tell(shop, 'invoice.payment_failed', invoice)
    return subscription
  }
  const failures = subscription.sandbox.failures + 1
  const since = subscription.items.data[0].current_period_start
  const next = since + (RETRY_DAYS[failures - 1] ?? END_DAY) * DAY
  await tell(shop, 'invoice.payment_failed', invoice)
  return changed(shop, {
    ...subscription,
    status: 'past_due',
    sandbox: { ...subscription.sandbox, failures, due: next },
  })
}

const changed = (shop: Shop, subscription: Subscription): Promise<Subscription> =>
  putAndTell(shop, subscription, 'customer.subscription.updated')

export async function updateSubscription(shop: Shop, fields: Fields, id: string): Promise<Subscription> {
  const before = await the<Subscription>(shop, 'subscription', id)
  if (isOver(before))
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.')
  const ends = isOn(fields, 'cancel_at_period_end')
  const cancel_at = ends ? before.items.data[0].current_period_end : null
  return changed(shop, { ...before, cancel_at_period_end: ends, cancel_at })
}

export async function cancelSubscription(shop: Shop, _: Fields, id: string): Promise<Subscription> {
  const before = await the<Subscription>(shop, 'subscription', id)
  if (isOver(before)) throw missing('subscription', id)
  return endSubscription(shop, before)
}

async function endSubscription(shop: Shop, subscription: Subscription): Promise<Subscription> {
  const incomplete = subscription.status === 'incomplete'
  await giveUp(shop, subscription.latest_invoice)
  const over = {
    ...subscription,
    status: incomplete ? ('incomplete_expired' as const) : ('canceled' as const),
    ended_at: shop.at,
    sandbox: { ...subscription.sandbox, due: null },
  }
  return putAndTell(shop, over, `customer.subscription.${incomplete ? 'updated' : 'deleted'}`)
}

const subscriptionOf = (shop: Shop, { parent: { subscription_details: its } }: Invoice) =>
  the<Subscription>(shop, 'subscription', its.subscription)

export async function payInvoice(shop: Shop, _: Fields, id: string): Promise<Invoice> {
  const open = await payable(shop, id)
  const subscription = await subscriptionOf(shop, open)
  const { invoice, intent } = await tryInvoice(shop, open, subscription, true)
  await settle(shop, subscription, invoice, intent)
  if (intent) refusing(intent)
  return invoice
}

/** Voiding the first invoice ends a subscription that was never paid. */
export async function voidInvoice(shop: Shop, _: Fields, id: string): Promise<Invoice> {
  const open = await payable(shop, id)
  const subscription = await subscriptionOf(shop, open)
  if (subscription.status === 'incomplete') await endSubscription(shop, subscription)
  else await giveUp(shop, id)
  return the<Invoice>(shop, 'invoice', id)
}

/** The customer passed or failed the bank's challenge of a payment. */
export async function answerPayment(shop: Shop, intent: PaymentIntent, succeed: boolean) {
  if (intent.status !== 'requires_action') return intent
  const method = await the<PaymentMethod>(shop, 'payment_method', intent.payment_method!)
  // A subscription's first challenge also covers the payments that follow.
  if (succeed && intent.sandbox.invoice)
    await put(shop.db, { ...method, sandbox: { ...method.sandbox, setUp: true } })
  const answered = succeed
    ? await charge(shop, intent, true)
    : await failIntent(shop, intent, {
        code: 'payment_intent_authentication_failure',
        message:
          'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
      })
  const invoice = intent.sandbox.invoice && (await find<Invoice>(shop.db, 'invoice', intent.sandbox.invoice))
  if (!invoice || invoice.status !== 'open') return answered
  const subscription = await subscriptionOf(shop, invoice)
  const settled = answered.status === 'succeeded' ? await markPaid(shop, invoice) : invoice
  await settle(shop, subscription, settled, answered)
  return answered
}

/** Does what is due for a subscription, at the time it was due. */
export async function turnOver(shop: Shop, subscription: Subscription): Promise<Subscription> {
  const [item] = subscription.items.data
  if (subscription.status === 'incomplete') return endSubscription(shop, subscription)
  if (subscription.status === 'past_due') {
    if (subscription.sandbox.failures > RETRY_DAYS.length) return endSubscription(shop, subscription)
    const open = await find<Invoice>(shop.db, 'invoice', subscription.latest_invoice!)
    const { invoice, intent } = await tryInvoice(shop, open!, subscription, false)
    return settle(shop, subscription, invoice, intent)
  }
  if (subscription.cancel_at_period_end) return endSubscription(shop, subscription)
  const periods = subscription.sandbox.periods + 1
  const start = item.current_period_end
  const end = periodEnd(subscription.billing_cycle_anchor, item.price.recurring.interval, periods)
  const moved: Subscription = {
    ...subscription,
    items: { data: [{ ...item, current_period_start: start, current_period_end: end }] },
    sandbox: { ...subscription.sandbox, periods, failures: 0 },
  }
  const opened = await openInvoice(shop, moved, 'subscription_cycle')
  const begun = await put(shop.db, { ...moved, latest_invoice: opened.id })
  const { invoice, intent } = await tryInvoice(shop, opened, begun, false)
  return settle(shop, begun, invoice, intent)
}

/** Deletes a customer, detaches their cards and ends their subscriptions. */
export async function removeCustomer(shop: Shop, _: Fields, id: string): Promise<Thing> {
  const customer = await the<Customer>(shop, 'customer', id)
  for (const one of await listOf<Subscription>(shop.db, 'subscription', { customer: id }))
    if (!isOver(one)) await endSubscription(shop, one)
  for (const method of await listOf<PaymentMethod>(shop.db, 'payment_method', { customer: id }))
    await detach(shop, method.id)
  await tell(shop, 'customer.deleted', customer)
  return put<Customer>(shop.db, { ...customer, deleted: true })
}
