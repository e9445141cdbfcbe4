import type Stripe from 'stripe'
import { sentenceOf } from '#contract/errors.ts'
import type { Currency } from '#contract/regions.ts'
import { PaymentsOutOfReach, type Card, type Intent, type PaidInvoice, type Refused } from './payments.ts'

/* Translates the provider's answers into our terms. */

export type Ask = <T>(work: (stripe: Stripe) => Promise<T>) => Promise<T>

/** An object has an id and a list has data. */
function isAnswer(said: unknown): boolean {
  if (typeof said !== 'object' || said === null) return false
  const { error, id, data } = said as { error?: unknown; id?: unknown; data?: unknown }
  return error !== undefined || typeof id === 'string' || Array.isArray(data)
}

/**
 * Refuses what isn't the provider's answer, such as a broken proxy's 200. Its missing fields would read as a payment
 * that never began or a refund that was made, and plain text in it crashes the process inside the SDK.
 */
export function checkingAnswers(client: Stripe.HttpClient): Stripe.HttpClient {
  const makeRequest = client.makeRequest.bind(client)
  client.makeRequest = async (...request) => {
    const response = await makeRequest(...request)
    const read = response.toJSON.bind(response)
    response.toJSON = async () => {
      const said: unknown = await read()
      if (!isAnswer(said)) throw new Error('This isn’t an answer of the payment provider')
      return said
    }
    return response
  }
  return client
}

export const CARD_AGAIN = sentenceOf('CARD_REFUSED')

export const idOf = (value: string | { id: string } | null | undefined) =>
  typeof value === 'string' ? value : (value?.id ?? null)
export const dateOf = (seconds: number) => new Date(seconds * 1000)
export const dateOrNull = (seconds: number | null | undefined) => (seconds == null ? null : dateOf(seconds))

export function cardOf({ id, card }: Stripe.PaymentMethod): Card {
  if (!card) throw new Error(`Payment method ${id} is no card`)
  const { brand, last4, exp_month: expMonth, exp_year: expYear, fingerprint } = card
  return { id, brand, last4, expMonth, expYear, fingerprint: fingerprint ?? id }
}

export function aboutOf(object: Record<string, unknown>) {
  const parent = object['parent'] as {
    subscription_details?: { subscription?: string | { id: string } }
  } | null
  const is = object['object'] as string
  const named = object['subscription'] ?? parent?.subscription_details?.subscription
  const own = (kind: string) => idOf((is === kind ? object['id'] : object[kind]) as string)
  const purchase = Number((object['metadata'] as Record<string, string> | undefined)?.['purchase'])
  return {
    subscription: idOf((is === 'subscription' ? object['id'] : named) as string),
    customer: own('customer'),
    intent: own('payment_intent'),
    purchase: Number.isSafeInteger(purchase) && purchase > 0 ? purchase : null,
  }
}

export const paidOf = (invoice: Stripe.Invoice): PaidInvoice => ({
  id: invoice.id,
  intent: idOf(invoice.payments?.data[0]?.payment.payment_intent),
  amount: invoice.amount_paid,
  currency: invoice.currency as Currency,
  at: dateOf(invoice.status_transitions.paid_at ?? invoice.created),
  first: invoice.billing_reason === 'subscription_create',
})

export const intentFrom = ({
  id,
  status,
  amount_received: amount,
  client_secret,
  last_payment_error,
}: Stripe.PaymentIntent): Intent => ({
  id,
  status,
  amount,
  clientSecret: status === 'requires_action' ? client_secret : null,
  refusal: last_payment_error?.message ?? null,
})

export const isA = (error: unknown, type: string) => (error as { type?: string } | null)?.type === type
export const codeOf = (error: unknown) => (error as { code?: string } | null)?.code

/** Whether the provider refused because the request was wrong, such as for a missing object. */
export const isInvalid = (error: unknown) => isA(error, 'StripeInvalidRequestError')

/** The provider refuses to end or remove what another request already ended or removed. */
export const unlessInvalid = (error: unknown) => {
  if (!isInvalid(error)) throw error
}

export function unlessMissing(error: unknown): null {
  if (codeOf(error) === 'resource_missing') return null
  throw error
}

/** Calls the provider. A refused card and a wrong request stay SDK errors; everything else counts as out of reach. */
export async function reached<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    // The provider's status must not become the status of our answer.
    if (error instanceof Error) Reflect.deleteProperty(error, 'statusCode')
    const isBusy = codeOf(error) === 'idempotency_key_in_use'
    if (!isBusy && (isA(error, 'StripeCardError') || isInvalid(error))) throw error
    if (!isBusy && isA(error, 'StripeIdempotencyError')) throw error
    throw new PaymentsOutOfReach(error)
  }
}

const asRefusal = (error: unknown): Refused => {
  if (isA(error, 'StripeCardError')) return { state: 'refused', message: (error as Error).message }
  if (codeOf(error) === 'token_already_used')
    return { state: 'refused', message: sentenceOf('token_already_used'), code: 'token_already_used' }
  const { param = '' } = error as { param?: string }
  // A deleted customer has no card; a new card creates a new customer.
  const isGone = param === 'customer' && codeOf(error) === 'resource_missing'
  const isOurs = !isGone && (/^(customer|items)/.test(param) || codeOf(error)?.startsWith('parameter_'))
  if (isInvalid(error) && !isOurs) return { state: 'refused', message: CARD_AGAIN }
  throw error
}

/** What was asked for, unless a bank refused, or the token or card is used up, somebody else's or unknown. */
export const orRefused = <T>(work: () => Promise<T>): Promise<T | Refused> => work().catch(asRefusal)
