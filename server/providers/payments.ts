import type { Plan } from '#contract/memberships.ts'
import type { Currency } from '#contract/regions.ts'
import type { Db } from '../db/client.ts'
import type { Env } from '../env.ts'

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
  | { state: 'refused'; message: string }

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
}

/** An event that the provider signed. */
export interface ProviderEvent {
  id: string
  type: string
  at: Date
  /** The subscription and the customer that it is about, where it is about one. */
  subscription: string | null
  customer: string | null
}

/**
 * The door to the payment provider. Every method that changes something takes a key: the same key again does
 * nothing twice. A card that is refused is an answer; a provider that can not be reached throws PaymentsOutOfReach.
 */
export interface Payments {
  /** The key that pages use; null while the sandbox stands in. */
  publishableKey: string | null
  createCustomer(who: { email: string; name: string; userId: number }, key: string): Promise<string>
  updateCustomer(customer: string, who: { email: string; name: string }): Promise<void>
  /** Forgets a person at the provider. */
  removeCustomer(customer: string): Promise<void>
  /** Puts the card of a token on file and makes it the one that renewals are charged to; others go. */
  saveCard(customer: string, token: string, key: string): Promise<Attempt<{ card: Card }>>
  /** The same for a setup whose challenge was answered; one of another customer is refused as unknown. */
  finishSetup(customer: string, setup: string, key: string): Promise<Attempt<{ card: Card }>>
  /** Begins a subscription and charges its first payment to the card on file. */
  subscribe(
    order: { customer: string; plan: Plan; amount: number; currency: Currency; purchase: number },
    key: string,
  ): Promise<Attempt<{ subscription: Provided }>>
  /** Null: the provider does not know it. */
  subscription(id: string): Promise<Provided | null>
  cancelAtPeriodEnd(id: string, key: string): Promise<Provided>
  restart(id: string, key: string): Promise<Provided>
  /** Ends it at once. */
  endNow(id: string, key: string): Promise<void>
  /** The event in a body that the provider signed; null where the signature is wrong or too old. */
  eventOf(body: Buffer, signature: string): Promise<ProviderEvent | null>
}

export class PaymentsOutOfReach extends Error {}

export function openPayments(env: Pick<Env, 'stripe'>, _place: { db: Db; now?: () => Date }): Payments {
  const refuse = () => Promise.reject(new PaymentsOutOfReach())
  return new Proxy({} as Payments, {
    get: (_, name) => (name === 'publishableKey' ? (env.stripe?.publishableKey ?? null) : refuse),
  })
}
