import { declined, verdictOnCharging } from './cards.ts'
import { methodNamed } from './customers.ts'
import { metadataIn, needed, wholeIn, type Fields } from './form.ts'
import { invalid, Refusal } from './refusal.ts'
import {
  putAndTell,
  tell,
  the,
  type Charge,
  type Customer,
  type Dispute,
  type Failing,
  type PaymentIntent,
  type PaymentMethod,
  type Refund,
  type Shop,
} from './shop.ts'
import { listOf, newId, put } from './store.ts'

export interface Order {
  customer: string | null
  amount: number
  currency: string
  method: string | null
  metadata: Record<string, string>
  invoice: string | null
  /** Whether the customer is present to answer a challenge. */
  present: boolean
}

export async function openIntent(shop: Shop, order: Order): Promise<PaymentIntent> {
  const id = newId('pi')
  return put<PaymentIntent>(shop.db, {
    id,
    object: 'payment_intent',
    created: shop.at,
    amount: order.amount,
    amount_received: 0,
    client_secret: `${id}_secret_${newId('').slice(1)}`,
    currency: order.currency,
    customer: order.customer,
    metadata: order.metadata,
    payment_method: order.method,
    status: order.method ? 'requires_confirmation' : 'requires_payment_method',
    last_payment_error: null,
    latest_charge: null,
    sandbox: { invoice: order.invoice, present: order.present },
  })
}

/** Asks the bank. The intent stores the answer: succeeded, requires_action, or the last attempt's error. */
export async function charge(shop: Shop, intent: PaymentIntent, confirmed = false): Promise<PaymentIntent> {
  const method = await the<PaymentMethod>(shop, 'payment_method', intent.payment_method!, 'payment_method')
  const { behaviour, setUp } = method.sandbox
  const { present } = intent.sandbox
  const verdict = verdictOnCharging(behaviour, { whim: shop.whim, present, setUp, confirmed })
  if (verdict.says === 'no') return failIntent(shop, intent, declined(verdict.decline))
  if (verdict.says === 'challenge') {
    const waits = { status: 'requires_action' as const, last_payment_error: null }
    return putAndTell(shop, { ...intent, ...waits }, 'payment_intent.requires_action')
  }
  const paid: Charge = {
    id: newId('ch'),
    object: 'charge',
    created: shop.at,
    amount: intent.amount,
    amount_captured: intent.amount,
    amount_refunded: 0,
    disputed: false,
    currency: intent.currency,
    customer: intent.customer!,
    metadata: intent.metadata,
    payment_intent: intent.id,
    status: 'succeeded',
  }
  // A card that isn't on file can be charged once.
  if (!method.customer) await put(shop.db, { ...method, sandbox: { ...method.sandbox, detached: true } })
  await putAndTell(shop, paid, 'charge.succeeded')
  const done = {
    ...intent,
    status: 'succeeded' as const,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: paid.id,
  }
  return putAndTell(shop, done, 'payment_intent.succeeded')
}

export function failIntent(shop: Shop, intent: PaymentIntent, error: Failing): Promise<PaymentIntent> {
  const failed = {
    ...intent,
    status: 'requires_payment_method' as const,
    payment_method: null,
    last_payment_error: error,
  }
  return putAndTell(shop, failed, 'payment_intent.payment_failed')
}

export async function cancelIntent(shop: Shop, id: string): Promise<PaymentIntent> {
  const intent = await the<PaymentIntent>(shop, 'payment_intent', id)
  if (intent.status === 'succeeded' || intent.status === 'canceled')
    throw invalid(`You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`, {
      code: 'payment_intent_unexpected_state',
    })
  return putAndTell(shop, { ...intent, status: 'canceled' as const }, 'payment_intent.canceled')
}

/** A customer can't pay with another's card, and nobody can with one that is used up. */
async function usableBy(shop: Shop, customer: string, fields: Fields): Promise<PaymentMethod> {
  const method = await methodNamed(shop, fields)
  if (method.customer && method.customer !== customer)
    throw invalid(
      `The customer does not have a payment method with the ID ${method.id}. The payment method must be attached to the customer.`,
      { param: 'payment_method' },
    )
  if (method.sandbox.detached)
    throw invalid(
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.',
      { param: 'payment_method' },
    )
  return method
}

/** Answers with the bank's refusal, if that is how an attempt ended. */
export function refusing(intent: PaymentIntent) {
  if (!intent.last_payment_error) return intent
  const { code, message } = intent.last_payment_error
  throw new Refusal(402, code, message)
}

export async function createIntent(shop: Shop, fields: Fields): Promise<PaymentIntent> {
  const { id: customer } = await the<Customer>(shop, 'customer', needed(fields, 'customer'), 'customer')
  const amount = wholeIn(fields, 'amount')
  if (amount === 0)
    throw invalid('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    })
  const currency = needed(fields, 'currency').toLowerCase()
  const { id: method } = await usableBy(shop, customer, fields)
  needed(fields, 'confirm')
  const metadata = metadataIn(fields)
  const order = { customer, amount, currency, method, metadata, invoice: null, present: true }
  const intent = await openIntent(shop, order)
  await tell(shop, 'payment_intent.created', intent)
  const tried = await charge(shop, intent)
  return refusing(tried)
}

export async function createRefund(shop: Shop, fields: Fields) {
  const named = needed(fields, 'payment_intent')
  const intent = await the<PaymentIntent>(shop, 'payment_intent', named, 'payment_intent')
  if (!intent.latest_charge)
    throw invalid(`PaymentIntent ${intent.id} does not have a successful charge to refund.`)
  const before = await the<Charge>(shop, 'charge', intent.latest_charge)
  const left = before.amount - before.amount_refunded
  const amount = 'amount' in fields ? wholeIn(fields, 'amount') : left
  const disputes = await listOf<Dispute>(shop.db, 'dispute', {
    field: ['payment_intent', before.payment_intent],
  })
  if (disputes.some(({ status }) => status !== 'won'))
    throw invalid(`Charge ${before.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    })
  if (left === 0)
    throw invalid(`Charge ${before.id} has already been refunded.`, { code: 'charge_already_refunded' })
  if (amount === 0 || amount > left)
    throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left}).`, {
      param: 'amount',
    })
  const refund: Refund = {
    id: newId('re'),
    object: 'refund',
    created: shop.at,
    amount,
    charge: before.id,
    currency: before.currency,
    metadata: metadataIn(fields),
    payment_intent: before.payment_intent,
    status: 'succeeded',
  }
  await putAndTell(shop, refund, 'refund.created')
  await putAndTell(shop, { ...before, amount_refunded: before.amount_refunded + amount }, 'charge.refunded')
  return refund
}
