import type Stripe from 'stripe'
import { Failure, words } from '#contract/errors.ts'
import type { Plan } from '#contract/memberships.ts'
import type { Currency } from '#contract/regions.ts'
import type { Env } from '../env.ts'
import { inTurn } from '../limits.ts'
import { openSandbox, type PaymentSandbox } from './stripe-sandbox/sandbox.ts'
import type { Place } from './stripe-sandbox/api.ts'

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
  /** In the provider's words why the first payment was refused. */
  refusal: string | null
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
 * Never called within a transaction: the sandbox has its state in the same database.
 */
export interface Payments {
  /** The key that pages use; null while the sandbox stands in. */
  publishableKey: string | null
  /** Null where the real provider is. */
  sandbox: PaymentSandbox | null
  createCustomer(who: { email: string; name: string; userId: number }, key: string): Promise<string>
  /** False once a customer was removed. */
  hasCustomer(customer: string): Promise<boolean>
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

const TIMEOUT_MS = 20_000
const RETRIES = 2
const SIGNATURE_LASTS_S = 300
const PRODUCT = 'vetchat_membership'
const CARD_AGAIN = words('CARD_REFUSED')

type Sdk = typeof Stripe
const isA = (error: unknown, type: string) => (error as { type?: string } | null)?.type === type
const codeOf = (error: unknown) => (error as { code?: string } | null)?.code

/** What the provider refused for the asker's own fault, such as an object that is not there. */
const isInvalid = (error: unknown) => isA(error, 'StripeInvalidRequestError')
const wordsOf = (error: unknown) => (error as Error).message

/** Speaks with the provider; a refused card and a wrong request are errors of the SDK, all else is out of reach. */
async function reached<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    // What the provider answered us is no answer of ours.
    if (error instanceof Error) Reflect.deleteProperty(error, 'statusCode')
    const isBusy = codeOf(error) === 'idempotency_key_in_use'
    if (!isBusy && (isA(error, 'StripeCardError') || isInvalid(error))) throw error
    if (!isBusy && isA(error, 'StripeIdempotencyError')) throw error
    throw new PaymentsOutOfReach(error)
  }
}

const idOf = (value: string | { id: string } | null | undefined) =>
  typeof value === 'string' ? value : (value?.id ?? null)
const dateOf = (seconds: number) => new Date(seconds * 1000)
const dateOrNull = (seconds: number | null | undefined) => (seconds == null ? null : dateOf(seconds))

function cardOf({ id, card }: Stripe.PaymentMethod): Card {
  if (!card) throw new Error(`Payment method ${id} is no card`)
  const { brand, last4, exp_month: expMonth, exp_year: expYear, fingerprint } = card
  return { id, brand, last4, expMonth, expYear, fingerprint: fingerprint ?? id }
}

/** The subscription and the customer that an event's object is about. */
function aboutOf(object: Record<string, unknown>) {
  const parent = object['parent'] as {
    subscription_details?: { subscription?: string | { id: string } }
  } | null
  const is = object['object'] as string
  const named = object['subscription'] ?? parent?.subscription_details?.subscription
  return {
    subscription: is === 'subscription' ? (object['id'] as string) : idOf(named as string),
    customer: is === 'customer' ? (object['id'] as string) : idOf(object['customer'] as string),
  }
}

export function openPayments(env: Pick<Env, 'stripe'>, place: Place): Payments {
  const sandbox = env.stripe ? null : openSandbox(place)
  let opened: Promise<{ stripe: Stripe; Sdk: Sdk }> | undefined

  /** The SDK is loaded at the first use, so that a process that sells nothing stays small. */
  async function open() {
    const { default: Sdk } = await import('stripe')
    const httpClient = sandbox && (await sandbox.httpClient(Sdk))
    const stripe = new Sdk(env.stripe?.secretKey ?? 'sk_test_sandbox', {
      maxNetworkRetries: RETRIES,
      timeout: TIMEOUT_MS,
      telemetry: false,
      ...(httpClient && { httpClient }),
    })
    return { stripe, Sdk }
  }
  const provider = async () => (await (opened ??= open())).stripe
  const ask = async <T>(work: (stripe: Stripe) => Promise<T>) => reached(work(await provider()))

  /** The first payment, where a subscription still waits for it. */
  async function firstPayment(subscription: Stripe.Subscription) {
    const invoice = subscription.latest_invoice
    if (!subscription.status.startsWith('incomplete') || !invoice || typeof invoice === 'string') return null
    const payment = invoice.payments?.data[0]?.payment.payment_intent
    const id = idOf(payment)
    return id && (await ask((stripe) => stripe.paymentIntents.retrieve(id)))
  }

  async function provided(subscription: Stripe.Subscription): Promise<Provided> {
    const item = subscription.items.data[0]!
    const payment = await firstPayment(subscription)
    const waits = payment && payment.status === 'requires_action'
    return {
      id: subscription.id,
      customer: idOf(subscription.customer)!,
      status: subscription.status,
      currentPeriodStart: dateOf(item.current_period_start),
      currentPeriodEnd: dateOf(item.current_period_end),
      cancelAt: dateOrNull(subscription.cancel_at),
      endedAt: dateOrNull(subscription.ended_at),
      clientSecret: waits ? payment.client_secret : null,
      refusal: (payment && payment.last_payment_error?.message) ?? null,
    }
  }

  const EXPANDED = { expand: ['latest_invoice.payments'] }
  const retrieve = (id: string) => ask((stripe) => stripe.subscriptions.retrieve(id, EXPANDED))

  /** One that is over can not be changed; how it is says that better than an error. */
  async function change(id: string, fields: Stripe.SubscriptionUpdateParams, idempotencyKey: string) {
    try {
      return await provided(
        await ask((stripe) =>
          stripe.subscriptions.update(id, { ...fields, ...EXPANDED }, { idempotencyKey }),
        ),
      )
    } catch (error) {
      if (!isInvalid(error)) throw error
      return provided(await retrieve(id))
    }
  }

  /** The card that was set up becomes the only one. */
  async function keepOnly(customer: string, method: string): Promise<Attempt<{ card: Card }>> {
    const { data } = await ask((stripe) => stripe.paymentMethods.list({ customer, type: 'card', limit: 100 }))
    const kept = data.find(({ id }) => id === method)
    // Another card took its place since.
    if (!kept) return { state: 'refused', message: CARD_AGAIN }
    await ask((stripe) =>
      stripe.customers.update(customer, { invoice_settings: { default_payment_method: method } }),
    )
    for (const { id } of data)
      if (id !== method)
        await ask((stripe) => stripe.paymentMethods.detach(id)).catch((error: unknown) => {
          // Somebody else took it off in the meantime.
          if (!isInvalid(error)) throw error
        })
    return { state: 'done', card: cardOf(kept) }
  }

  /** Two at once would take each other's card off. */
  const keep = (customer: string, method: string) =>
    inTurn(`card of ${customer}`, () => keepOnly(customer, method))

  function outcomeOf(
    customer: string,
    setup: Stripe.SetupIntent,
  ): Promise<Attempt<{ card: Card }>> | Attempt<never> {
    const method = idOf(setup.payment_method)
    if (setup.status === 'succeeded' && method) return keep(customer, method)
    if (setup.status === 'requires_action')
      return { state: 'challenge', clientSecret: setup.client_secret!, id: setup.id }
    return { state: 'refused', message: setup.last_setup_error?.message ?? CARD_AGAIN }
  }

  /** Refused by a bank, or what was named is used up, somebody else's, or was never there. */
  const asRefusal = (error: unknown): Attempt<never> => {
    if (isA(error, 'StripeCardError')) return { state: 'refused', message: wordsOf(error) }
    const { param = '' } = error as { param?: string }
    // One who was removed has no card any more; a new card makes a new one.
    const isGone = param === 'customer' && codeOf(error) === 'resource_missing'
    const isOurs = !isGone && (/^(customer|items)/.test(param) || codeOf(error)?.startsWith('parameter_'))
    if (isInvalid(error) && !isOurs) return { state: 'refused', message: CARD_AGAIN }
    throw error
  }

  async function product() {
    const wanted = { id: PRODUCT, name: 'VetChat membership' }
    await ask((stripe) => stripe.products.retrieve(PRODUCT)).catch(async (error: unknown) => {
      if (codeOf(error) !== 'resource_missing') throw error
      await ask((stripe) => stripe.products.create(wanted)).catch((error: unknown) => {
        if (codeOf(error) !== 'resource_already_exists') throw error
      })
    })
  }
  let ready: Promise<void> | undefined
  /** Made once an account; asked for once a process. */
  const productReady = () =>
    (ready ??= product().catch((error: unknown) => {
      ready = undefined
      throw error
    }))

  return {
    publishableKey: env.stripe?.publishableKey ?? null,
    sandbox,
    async createCustomer(who, idempotencyKey) {
      const { email, name, userId } = who
      const metadata = { user: String(userId) }
      const { id } = await ask((stripe) =>
        stripe.customers.create({ email, name, metadata }, { idempotencyKey }),
      )
      // The key may have made one that was removed since.
      return (await this.hasCustomer(id)) ? id : this.createCustomer(who, `${idempotencyKey}-${id}`)
    },
    async hasCustomer(id) {
      try {
        return (await ask((stripe) => stripe.customers.retrieve(id))).deleted !== true
      } catch (error) {
        if (codeOf(error) === 'resource_missing') return false
        throw error
      }
    },
    async updateCustomer(customer, { email, name }) {
      await ask((stripe) => stripe.customers.update(customer, { email, name }))
    },
    async removeCustomer(customer) {
      await ask((stripe) => stripe.customers.del(customer)).catch((error: unknown) => {
        if (codeOf(error) !== 'resource_missing') throw error
      })
    },
    async saveCard(customer, token, key) {
      if (!/^(tok|pm)_\w+$/.test(token)) return { state: 'refused', message: CARD_AGAIN }
      try {
        const method = token.startsWith('pm_')
          ? token
          : (
              await ask((stripe) =>
                stripe.paymentMethods.create(
                  { type: 'card', card: { token } },
                  { idempotencyKey: `${key}-method` },
                ),
              )
            ).id
        const setup = await ask((stripe) =>
          stripe.setupIntents.create(
            {
              customer,
              payment_method: method,
              allowed_payment_method_types: ['card'],
              usage: 'off_session',
              confirm: true,
              use_stripe_sdk: true,
            },
            { idempotencyKey: `${key}-setup` },
          ),
        )
        return await outcomeOf(customer, setup)
      } catch (error) {
        return asRefusal(error)
      }
    },
    async finishSetup(customer, id) {
      if (!/^seti_\w+$/.test(id)) return { state: 'refused', message: CARD_AGAIN }
      try {
        const setup = await ask((stripe) => stripe.setupIntents.retrieve(id))
        if (idOf(setup.customer) !== customer) return { state: 'refused', message: CARD_AGAIN }
        return await outcomeOf(customer, setup)
      } catch (error) {
        return asRefusal(error)
      }
    },
    async subscribe({ customer, plan, amount, currency, purchase }, key) {
      await productReady()
      try {
        const begun = await ask((stripe) =>
          stripe.subscriptions.create(
            {
              customer,
              items: [
                {
                  price_data: {
                    product: PRODUCT,
                    currency,
                    unit_amount: amount,
                    recurring: { interval: plan === 'annual' ? 'year' : 'month' },
                  },
                },
              ],
              payment_behavior: 'allow_incomplete',
              metadata: { purchase: String(purchase) },
              ...EXPANDED,
            },
            { idempotencyKey: key },
          ),
        )
        // An answer that is repeated tells how it was then.
        const latest = begun.status === 'incomplete' ? await retrieve(begun.id) : begun
        const subscription = await provided(latest)
        const { id, status, clientSecret, refusal } = subscription
        if (status === 'active') return { state: 'done', subscription }
        if (clientSecret) return { state: 'challenge', clientSecret, id }
        if (status === 'incomplete' && !refusal)
          throw new PaymentsOutOfReach(new Error(`The first payment of ${id} is not settled`))
        await this.endNow(id, `${key}-end`)
        return { state: 'refused', message: refusal ?? CARD_AGAIN }
      } catch (error) {
        return asRefusal(error)
      }
    },
    async subscriptionOf(customer, purchase) {
      try {
        const { data } = await ask((stripe) =>
          stripe.subscriptions.list({ customer, status: 'all', limit: 100 }),
        )
        return data.find(({ metadata }) => metadata['purchase'] === String(purchase))?.id ?? null
      } catch (error) {
        if (isInvalid(error)) return null
        throw error
      }
    },
    async subscription(id) {
      try {
        return await provided(await retrieve(id))
      } catch (error) {
        if (codeOf(error) === 'resource_missing') return null
        throw error
      }
    },
    cancelAtPeriodEnd: (id, key) => change(id, { cancel_at_period_end: true }, key),
    restart: (id, key) => change(id, { cancel_at_period_end: false }, key),
    async endNow(id, idempotencyKey) {
      await ask((stripe) => stripe.subscriptions.cancel(id, {}, { idempotencyKey })).catch(
        (error: unknown) => {
          if (!isInvalid(error)) throw error
        },
      )
    },
    async letGo(id, key) {
      const invoice = idOf((await retrieve(id)).latest_invoice)
      try {
        // Of a payment and this, one comes first, and the other is refused.
        if (invoice !== null)
          await ask((stripe) => stripe.invoices.voidInvoice(invoice, {}, { idempotencyKey: `${key}-void` }))
      } catch (error) {
        if (!isInvalid(error)) throw error
        return
      }
      await this.endNow(id, key)
    },
    async payAgain(id, idempotencyKey) {
      const invoice = idOf((await retrieve(id)).latest_invoice)
      if (invoice === null) return
      await ask((stripe) => stripe.invoices.pay(invoice, {}, { idempotencyKey })).catch((error: unknown) => {
        if (!isA(error, 'StripeCardError') && !isInvalid(error)) throw error
      })
    },
    async eventOf(body, signature) {
      const stripe = await provider()
      const secret = env.stripe?.webhookSecret ?? sandbox!.webhookSecret
      try {
        const event = await stripe.webhooks.constructEventAsync(
          body,
          signature,
          secret,
          SIGNATURE_LASTS_S,
          undefined,
          place.now().getTime(),
        )
        const { id, type, created } = event
        return {
          id,
          type,
          at: dateOf(created),
          ...aboutOf(event.data.object as unknown as Record<string, unknown>),
        }
      } catch {
        return null
      }
    },
  }
}
