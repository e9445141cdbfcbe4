import { Failure } from '#contract/errors.ts'
import type { Plan } from '#contract/memberships.ts'
import type { Currency } from '#contract/regions.ts'
import { HOUR } from '#contract/time.ts'
import type { Movements } from './money-movements.ts'
import type { PaymentSandbox } from './stripe-sandbox/sandbox.ts'

export interface Card {
  id: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
  /** The same card always has the same fingerprint, for every customer. */
  fingerprint: string
}

/** The outcome of an attempt that a bank may challenge. */
export type Attempt<T> =
  | ({ state: 'done' } & T)
  | { state: 'challenge'; clientSecret: string; id: string }
  /** In the provider's words, for the person. */
  | Refused

export interface Refused {
  state: 'refused'
  message: string
  code?: 'token_already_used'
}

/** A payment's current state at the provider. */
export interface Intent {
  id: string
  /** succeeded, requires_action, processing, canceled, … */
  status: string
  amount: number
  /** Set while the bank's challenge is open. */
  clientSecret: string | null
  /** Why the last attempt was refused, in the provider's words. */
  refusal: string | null
}

export interface PaidInvoice {
  id: string
  /** Null if a discount left nothing to pay. */
  intent: string | null
  amount: number
  currency: Currency
  at: Date
  /** The first payment belongs to the purchase; all others are renewals. */
  first: boolean
}

/** A coupon's discount for some months of payments; without months, for the first payment only. */
export type ProvidedDiscount = ({ percentOff: number } | { amountOff: number }) & { months: number | null }

/** A subscription's current state at the provider. */
export interface Provided {
  id: string
  customer: string
  /** active, past_due, canceled, incomplete, … */
  status: string
  currentPeriodStart: Date
  currentPeriodEnd: Date
  /** Whether it ends with its period. */
  cancelAt: Date | null
  endedAt: Date | null
  /** Set while the bank's challenge of the first payment is open. */
  clientSecret: string | null
  /** Why the first payment was refused, in the provider's words. */
  refusal: string | null
  /** The latest invoice, once it is paid. */
  paid: PaidInvoice | null
}

export interface ProviderEvent {
  id: string
  type: string
  at: Date
  /** The subscription and the customer that it is about, if any. */
  subscription: string | null
  customer: string | null
  intent: string | null
  /** The id of the purchase that it was begun for. */
  purchase: number | null
}

/** Customers at the provider, and the card that each has on file. */
export interface Cards {
  createCustomer(who: { email: string; name: string; userId?: number }, key: string): Promise<string>
  /** False once a customer was removed. */
  hasCustomer(customer: string): Promise<boolean>
  updateCustomer(customer: string, who: { email: string; name: string }): Promise<void>
  removeCustomer(customer: string): Promise<void>
  /** Puts a token's card on file for renewals, in place of any other card. */
  saveCard(customer: string, token: string, key: string): Promise<Attempt<{ card: Card }>>
  /** The same for a setup whose challenge was answered; another customer's is refused as unknown. */
  finishSetup(customer: string, setup: string, key: string): Promise<Attempt<{ card: Card }>>
  /** Exchanges a token for its card; the token can't be used again. Doesn't ask the bank yet. */
  readCard(token: string, key: string): Promise<{ state: 'done'; card: Card } | Refused>
  /** Makes a card that was read the customer's default. The bank is asked with the first payment. */
  useCard(customer: string, card: string, key: string): Promise<{ state: 'done' } | Refused>
}

export interface Subscriptions {
  /** Begins a subscription and charges its first payment to the card on file. If nothing is to pay, it needs no card. */
  subscribe(
    order: {
      customer: string
      plan: Plan
      amount: number
      currency: Currency
      purchase: number
      discount?: ProvidedDiscount
    },
    key: string,
  ): Promise<Attempt<{ subscription: Provided }>>
  /** A subscription's successful payments, latest first; its very first belongs to the purchase. */
  paymentsOf(subscription: string): Promise<PaidInvoice[]>
  /** The subscription that was begun for a purchase; null if there was none. */
  subscriptionOf(customer: string, purchase: number): Promise<string | null>
  /** Null if the provider doesn't know it. */
  subscription(id: string): Promise<Provided | null>
  /** For an ended subscription, this and restart just return its state. */
  cancelAtPeriodEnd(id: string, key: string): Promise<Provided>
  restart(id: string, key: string): Promise<Provided>
  /** Ends it straight away; does nothing if it has ended. */
  endNow(id: string, key: string): Promise<void>
  /** Ends a subscription whose first payment was abandoned, unless it has just been paid. */
  letGo(id: string, key: string): Promise<void>
  /** Charges a failed payment to the card on file again. The subscription shows whether it worked. */
  payAgain(id: string, key: string): Promise<void>
}

/**
 * The payment provider's interface. Every method that changes something takes a key: when repeated with the same key, it
 * does nothing twice. A refused card is an answer; a provider that can't be reached throws PaymentsOutOfReach.
 * Never call it within a transaction: the sandbox keeps its state in the same database.
 */
export interface Payments extends Cards, Subscriptions, Movements {
  /** The public key for pages; null while the sandbox replaces the provider. */
  publishableKey: string | null
  /** Null with the real provider, and while payments are off. */
  sandbox: PaymentSandbox | null
  /** There are neither keys nor a sandbox, so nothing can be paid. */
  isOff: boolean
  /** Charges a card that was read, once. The intent shows the outcome. */
  charge(
    order: {
      customer: string
      card: string
      amount: number
      currency: Currency
      purchase: number
      what: string
    },
    key: string,
  ): Promise<{ state: 'asked'; intent: Intent } | Refused>
  /** Null if the provider doesn't know it. */
  intent(id: string): Promise<Intent | null>
  /** The payment that was begun for a purchase; null if there was none. */
  intentOf(customer: string, purchase: number): Promise<string | null>
  /** Cancels an abandoned payment, unless it has just succeeded. */
  cancelIntent(id: string, key: string): Promise<void>
  /** The event in a body that the provider signed; null if the signature is wrong or has expired. */
  eventOf(body: Buffer, signature: string): Promise<ProviderEvent | null>
}

/** The provider keeps keys for a day; a request repeated after that might charge or refund again. */
export const KEYS_VALID_FOR = 20 * HOUR

/** We don't know whether the provider did it. Repeat the request with the same key. */
export class PaymentsOutOfReach extends Failure {
  override name = 'PaymentsOutOfReach'
  constructor(cause: unknown) {
    super('PAYMENTS_OUT_OF_REACH', { retryAfter: 5 })
    // The SDK keeps the connection's error in a field of its own.
    this.cause = (cause as { detail?: unknown } | null)?.detail ?? cause
  }
}
