import { addMonths, secondsOf } from '#contract/time.ts'
import { detach } from './customers.ts'
import { redeem, reduced } from './coupons.ts'
import { fieldsIn, isOn, listIn, metadataIn, needed, textIn, wholeIn, type Fields } from './form.ts'
import { charge, failIntent } from './intents.ts'
import { cardFor, giveUp, markFailed, markPaid, openInvoice, payable, tryInvoice } from './invoices.ts'
import { invalid, missing, Refusal } from './refusal.ts'
import {
  basics,
  putAndTell,
  shown,
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
  const id = textIn(fields, 'id') ?? newId('prod')
  if (await findAny(shop.db, id))
    throw invalid('Product already exists.', { code: 'resource_already_exists', param: 'id' })
  return put(shop.db, {
    id,
    object: 'product',
    ...basics(shop),
    active: true,
    name: needed(fields, 'name'),
    metadata: {},
  } as Thing)
}

async function createPrice(shop: Shop, fields: Fields): Promise<Price> {
  const product = needed(fields, 'product')
  await the(shop, 'product', product, 'product')
  const interval = needed(fieldsIn(fields, 'recurring'), 'interval')
  if (interval !== 'month' && interval !== 'year')
    throw invalid('Invalid recurring[interval]: only month and year are known here', {
      param: 'recurring[interval]',
    })
  return put<Price>(shop.db, {
    id: newId('price'),
    object: 'price',
    ...basics(shop),
    currency: needed(fields, 'currency').toLowerCase(),
    unit_amount: wholeIn(fields, 'unit_amount'),
    product,
    recurring: { interval, interval_count: 1 },
  })
}

export async function createSubscription(shop: Shop, fields: Fields): Promise<Subscription> {
  const customer = await the<Customer>(shop, 'customer', needed(fields, 'customer'), 'customer')
  const [item, ...others] = listIn(fields, 'items')
  if (!item || typeof item === 'string' || others.length > 0)
    throw invalid('Exactly one of items is known here.', { code: 'parameter_missing', param: 'items' })
  if ((textIn(fields, 'payment_behavior') ?? 'allow_incomplete') !== 'allow_incomplete')
    throw invalid('Only allow_incomplete is known here.', { param: 'payment_behavior' })
  const price = await createPrice(shop, fieldsIn(item, 'price_data'))
  const [discount] = listIn(fields, 'discounts')
  const coupon = (typeof discount === 'object' && textIn(discount, 'coupon')) || null
  const id = newId('sub')
  const subscription: Subscription = {
    id,
    object: 'subscription',
    ...basics(shop),
    customer: customer.id,
    status: 'incomplete',
    cancel_at_period_end: false,
    cancel_at: null,
    canceled_at: null,
    ended_at: null,
    start_date: shop.at,
    billing_cycle_anchor: shop.at,
    collection_method: 'charge_automatically',
    currency: price.currency,
    default_payment_method: null,
    latest_invoice: null,
    metadata: metadataIn(fields),
    items: {
      object: 'list',
      data: [
        {
          id: newId('si'),
          object: 'subscription_item',
          price,
          quantity: 1,
          current_period_start: shop.at,
          current_period_end: periodEnd(shop.at, price.recurring.interval, 1),
        },
      ],
      has_more: false,
    },
    sandbox: {
      due: shop.at + INCOMPLETE_LASTS,
      periods: 1,
      failures: 0,
      coupon,
      couponUntil: null,
    },
  } as Subscription
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
        due: subscription.items.data[0]!.current_period_end,
      },
    })
  if (subscription.status === 'incomplete') {
    if (intent?.status === 'requires_action') await tell(shop, 'invoice.payment_action_required', invoice)
    else await markFailed(shop, invoice, null)
    return subscription
  }
  const failures = subscription.sandbox.failures + 1
  const since = subscription.items.data[0]!.current_period_start
  const next = since + (RETRY_DAYS[failures - 1] ?? END_DAY) * DAY
  await markFailed(shop, invoice, failures <= RETRY_DAYS.length ? next : null)
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
  const ends =
    'cancel_at_period_end' in fields ? isOn(fields, 'cancel_at_period_end') : before.cancel_at_period_end
  return changed(shop, {
    ...before,
    cancel_at_period_end: ends,
    cancel_at: ends ? before.items.data[0]!.current_period_end : null,
    canceled_at: ends ? (before.canceled_at ?? shop.at) : null,
  })
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
    canceled_at: subscription.canceled_at ?? shop.at,
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
  if (intent?.last_payment_error) {
    const { code, message } = intent.last_payment_error
    throw new Refusal(402, code, message, { ...intent.last_payment_error })
  }
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
export async function answerPayment(
  shop: Shop,
  intent: PaymentIntent,
  succeed: boolean,
): Promise<PaymentIntent> {
  if (intent.status !== 'requires_action') return intent
  const method = await the<PaymentMethod>(shop, 'payment_method', intent.payment_method!)
  // A subscription's first challenge also covers the payments that follow.
  if (succeed && intent.sandbox.invoice)
    await put(shop.db, { ...method, sandbox: { ...method.sandbox, setUp: true } })
  const answered = succeed
    ? await charge(shop, intent, true)
    : await failIntent(shop, intent, {
        type: 'invalid_request_error',
        code: 'payment_intent_authentication_failure',
        message:
          'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
        payment_method: shown(method),
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
  const start = item!.current_period_end
  const end = periodEnd(subscription.billing_cycle_anchor, item!.price.recurring.interval, periods)
  const moved: Subscription = {
    ...subscription,
    items: {
      ...subscription.items,
      data: [{ ...item!, current_period_start: start, current_period_end: end }],
    },
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
  return put(shop.db, { id, object: 'customer', deleted: true } as Thing)
}
