import { Failure } from '#contract/errors.ts'
import type { Plan } from '#contract/memberships.ts'
import type { Currency } from '#contract/regions.ts'
import type { Movements } from './movements.ts'
import type { PaymentSandbox } from './stripe-sandbox/sandbox.ts'

/** A card as the provider tells it. */
export interface Card {
  id: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
  /** The same card has the same one, whoever uses it. */
  fingerprint: string
}

/** What became of an attempt that a bank may want to have confirmed. */
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

/** A payment as the provider has it now. */
export interface Intent {
  id: string
  /** succeeded, requires_action, processing, canceled, … */
  status: string
  /** What was received. */
  amount: number
  /** The bank wants it confirmed. */
  clientSecret: string | null
  /** In the provider's words why the last try was refused. */
  refusal: string | null
}

/** What was paid for a subscription. */
export interface PaidInvoice {
  id: string
  /** Null where a discount left nothing to pay. */
  intent: string | null
  amount: number
  currency: Currency
  at: Date
  /** The first payment, which the purchase is about; all others renew. */
  first: boolean
}

/** What a coupon takes off the payments of so many months; of none, off the first one. */
export type ProvidedDiscount = ({ percentOff: number } | { amountOff: number }) & { months: number | null }

/** A subscription as the provider has it now. */
export interface Provided {
  id: string
  customer: string
  /** active, past_due, canceled, incomplete, … */
  status: string
  currentPeriodStart: Date
  currentPeriodEnd: Date
  /** It ends at the period's end. */
  cancelAt: Date | null
  endedAt: Date | null
  /** The bank wants the first payment confirmed. */
  clientSecret: string | null
  /** In the provider's words why the first payment was refused. */
  refusal: string | null
  /** The latest invoice, once it is paid. */
  paid: PaidInvoice | null
}

/** An event that the provider signed. */
export interface ProviderEvent {
  id: string
  type: string
  at: Date
  /** The subscription and the customer that it is about, where it is about one. */
  subscription: string | null
  customer: string | null
  invoice: string | null
  intent: string | null
  charge: string | null
  /** Our number of the purchase that it was begun for. */
  purchase: number | null
  /** What was received, or paid back so far; null where it tells of neither. */
  amount: number | null
}

/**
 * The door to the payment provider. Every method that changes something takes a key: the same key again does
 * nothing twice. A card that is refused is an answer; a provider that can not be reached throws PaymentsOutOfReach.
 * Never called within a transaction: the sandbox has its state in the same database.
 */
export interface Payments extends Movements {
  /** The key that pages use; null while the sandbox stands in. */
  publishableKey: string | null
  /** Null where the real provider is. */
  sandbox: PaymentSandbox | null
  createCustomer(who: { email: string; name: string; userId?: number }, key: string): Promise<string>
  /** False once a customer was removed. */
  hasCustomer(customer: string): Promise<boolean>
  updateCustomer(customer: string, who: { email: string; name: string }): Promise<void>
  /** Forgets a person at the provider. */
  removeCustomer(customer: string): Promise<void>
  /** Puts the card of a token on file and makes it the one that renewals are charged to; others go. */
  saveCard(customer: string, token: string, key: string): Promise<Attempt<{ card: Card }>>
  /** The same for a setup whose challenge was answered; one of another customer is refused as unknown. */
  finishSetup(customer: string, setup: string, key: string): Promise<Attempt<{ card: Card }>>
  /** The card of a token, which is used up by it. A bank is not asked yet. */
  readCard(token: string, key: string): Promise<{ state: 'done'; card: Card } | Refused>
  /** A card that was read is the one that a customer's payments are charged to. A bank is asked with the first of them. */
  useCard(customer: string, card: string, key: string): Promise<{ state: 'done' } | Refused>
  /** Charges a card that was read, once. How that stands is in the intent. */
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
  /** Null: the provider does not know it. */
  intent(id: string): Promise<Intent | null>
  /** The one that was begun for a purchase; null where none was. */
  intentOf(customer: string, purchase: number): Promise<string | null>
  /** Lets a payment go that nobody waits for any more; one that was made in that very moment stays. */
  cancelIntent(id: string, key: string): Promise<void>
  /** Begins a subscription and charges its first payment to the card on file; where nothing is to pay it needs none. */
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
  /** The payments of a subscription that were made, latest first; the first one belongs to its purchase. */
  paymentsOf(subscription: string): Promise<PaidInvoice[]>
  /** The one that was begun for a purchase; null where none was. */
  subscriptionOf(customer: string, purchase: number): Promise<string | null>
  /** Null: the provider does not know it. */
  subscription(id: string): Promise<Provided | null>
  /** Of one that is over already, this and restart answer how it is. */
  cancelAtPeriodEnd(id: string, key: string): Promise<Provided>
  restart(id: string, key: string): Promise<Provided>
  /** Ends it at once; of one that is over already nothing is left to do. */
  endNow(id: string, key: string): Promise<void>
  /** Ends one whose first payment nobody waits for any more; one that was paid in that very moment stays. */
  letGo(id: string, key: string): Promise<void>
  /** Asks the card on file again for a payment that failed. Whether that was paid now, the subscription tells. */
  payAgain(id: string, key: string): Promise<void>
  /** The event in a body that the provider signed; null where the signature is wrong or too old. */
  eventOf(body: Buffer, signature: string): Promise<ProviderEvent | null>
}

/** Whether the provider did what it was asked is not known: the same may be asked again with the same key. */
export class PaymentsOutOfReach extends Failure {
  override name = 'PaymentsOutOfReach'
  constructor(cause: unknown) {
    super('PAYMENTS_OUT_OF_REACH', { retryAfter: 5 })
    // The SDK keeps what happened to the connection elsewhere.
    this.cause = (cause as { detail?: unknown } | null)?.detail ?? cause
  }
}
