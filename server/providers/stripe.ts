import type Stripe from 'stripe'
import type { Currency } from '#contract/regions.ts'
import { fail } from '#contract/errors.ts'
import type { Env } from '../env.ts'
import { inTurn } from '../identity/in-turn.ts'
import {
  PaymentsOutOfReach,
  type Attempt,
  type Card,
  type Payments,
  type Provided,
  type ProvidedDiscount,
} from './payments.ts'
import {
  aboutOf,
  asRefusal,
  CARD_AGAIN,
  cardOf,
  codeOf,
  dateOf,
  dateOrNull,
  idOf,
  intentFrom,
  isA,
  isInvalid,
  paidOf,
  reached,
} from './stripe-answers.ts'
import { movementsOf } from './stripe-movements.ts'
import { openSandbox } from './stripe-sandbox/sandbox.ts'
import type { Place } from './stripe-sandbox/shop.ts'

/** A provider that hangs counts as out of reach after half a minute: this long for each try with the same key. */
const TIMEOUT_MS = 10_000
const RETRIES = 2
const SIGNATURE_LASTS_S = 300
const PRODUCT = 'vetchat_membership'

type Sdk = typeof Stripe

/** The provider refuses to end or remove what another request already ended or removed. */
const unlessInvalid = (error: unknown) => {
  if (!isInvalid(error)) throw error
}

function unlessMissing(error: unknown): null {
  if (codeOf(error) === 'resource_missing') return null
  throw error
}

export function openPayments(env: Pick<Env, 'stripe' | 'sandbox' | 'isIdle'>, place: Place): Payments {
  const isOff = env.isIdle || (!env.stripe && env.sandbox === 'off')
  const sandbox = env.stripe || isOff ? null : openSandbox(place)
  let opened: Promise<{ stripe: Stripe; Sdk: Sdk }> | undefined

  /** Loads the SDK at its first use, so that a process that sells nothing stays small. */
  async function open() {
    if (isOff) fail('PAYMENTS_OFF')
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
  const ask = async <T>(work: (stripe: Stripe) => Promise<T>) => {
    const stripe = await provider()
    return reached(work(stripe))
  }

  /** The first payment, if a subscription still waits for it. */
  async function firstPayment(subscription: Stripe.Subscription) {
    const invoice = subscription.latest_invoice
    if (!subscription.status.startsWith('incomplete') || !invoice || typeof invoice === 'string') return null
    const id = idOf(invoice.payments?.data[0]?.payment.payment_intent)
    return id && (await ask((stripe) => stripe.paymentIntents.retrieve(id)))
  }

  async function provided(subscription: Stripe.Subscription): Promise<Provided> {
    const item = subscription.items.data[0]!
    const payment = await firstPayment(subscription)
    const waits = payment && payment.status === 'requires_action'
    const latest = subscription.latest_invoice
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
      paid: latest && typeof latest !== 'string' && latest.status === 'paid' ? paidOf(latest) : null,
    }
  }

  const EXPANDED = { expand: ['latest_invoice.payments'] }
  const retrieve = (id: string) => ask((stripe) => stripe.subscriptions.retrieve(id, EXPANDED))

  /** An ended subscription can't be changed. We return its state instead of an error. */
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

  /** Makes the card that was set up the only one. */
  async function keepOnly(customer: string, method: string): Promise<Attempt<{ card: Card }>> {
    const { data } = await ask((stripe) => stripe.paymentMethods.list({ customer, type: 'card', limit: 100 }))
    const kept = data.find(({ id }) => id === method)
    // Another card has replaced it since.
    if (!kept) return { state: 'refused', message: CARD_AGAIN }
    await ask((stripe) =>
      stripe.customers.update(customer, { invoice_settings: { default_payment_method: method } }),
    )
    for (const { id } of data)
      if (id !== method) await ask((stripe) => stripe.paymentMethods.detach(id)).catch(unlessInvalid)
    return { state: 'done', card: cardOf(kept) }
  }

  /** Two in parallel would remove each other's card. */
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

  async function ensureProduct() {
    const found = await ask((stripe) => stripe.products.retrieve(PRODUCT)).catch(unlessMissing)
    if (found) return
    const wanted = { id: PRODUCT, name: 'VetChat membership' }
    await ask((stripe) => stripe.products.create(wanted)).catch((error: unknown) => {
      if (codeOf(error) !== 'resource_already_exists') throw error
    })
  }

  /** Each purchase has its own coupon at the provider; we have already checked what it may be used for. */
  async function couponFor(discount: ProvidedDiscount, currency: Currency, key: string): Promise<string> {
    const { months } = discount
    const { id } = await ask((stripe) =>
      stripe.coupons.create(
        {
          ...('percentOff' in discount
            ? { percent_off: discount.percentOff }
            : { amount_off: discount.amountOff, currency }),
          ...(months === null
            ? { duration: 'once' as const }
            : { duration: 'repeating' as const, duration_in_months: months }),
          max_redemptions: 1,
        },
        { idempotencyKey: `${key}-coupon` },
      ),
    )
    return id
  }

  let ready: Promise<void> | undefined
  /** Created once per provider account, looked up once per process. */
  const productReady = () =>
    (ready ??= ensureProduct().catch((error: unknown) => {
      ready = undefined
      throw error
    }))

  return {
    publishableKey: env.stripe?.publishableKey ?? null,
    isOff,
    sandbox,
    async createCustomer(who, idempotencyKey) {
      const { email, name, userId } = who
      const metadata: Record<string, string> = userId === undefined ? {} : { user: String(userId) }
      const { id } = await ask((stripe) =>
        stripe.customers.create({ email, name, metadata }, { idempotencyKey }),
      )
      // The key may belong to a customer that has been deleted since.
      return (await this.hasCustomer(id)) ? id : this.createCustomer(who, `${idempotencyKey}-${id}`)
    },
    async hasCustomer(id) {
      const customer = await ask((stripe) => stripe.customers.retrieve(id)).catch(unlessMissing)
      return customer !== null && customer.deleted !== true
    },
    async updateCustomer(customer, { email, name }) {
      await ask((stripe) => stripe.customers.update(customer, { email, name }))
    },
    async removeCustomer(customer) {
      await ask((stripe) => stripe.customers.del(customer)).catch(unlessMissing)
    },
    async saveCard(customer, token, key) {
      try {
        const read = await this.readCard(token, key)
        if (read.state === 'refused') return read
        const method = read.card.id
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
    async readCard(token, key) {
      if (!/^(tok|pm)_\w+$/.test(token)) return { state: 'refused', message: CARD_AGAIN }
      try {
        const method = await ask((stripe) =>
          token.startsWith('pm_')
            ? stripe.paymentMethods.retrieve(token)
            : stripe.paymentMethods.create(
                { type: 'card', card: { token } },
                { idempotencyKey: `${key}-method` },
              ),
        )
        return { state: 'done', card: cardOf(method) }
      } catch (error) {
        return asRefusal(error)
      }
    },
    async useCard(customer, card, idempotencyKey) {
      try {
        await ask((stripe) => stripe.paymentMethods.attach(card, { customer }, { idempotencyKey }))
        await ask((stripe) =>
          stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } }),
        )
        return { state: 'done' }
      } catch (error) {
        return asRefusal(error)
      }
    },
    async charge({ customer, card, amount, currency, purchase, what }, idempotencyKey) {
      try {
        const asked = await ask((stripe) =>
          stripe.paymentIntents.create(
            {
              customer,
              payment_method: card,
              amount,
              currency,
              description: what,
              allowed_payment_method_types: ['card'],
              confirm: true,
              use_stripe_sdk: true,
              metadata: { purchase: String(purchase) },
            },
            { idempotencyKey },
          ),
        )
        // A repeated answer has the state of that time, so we ask for the current one.
        const intent =
          asked.status === 'succeeded'
            ? intentFrom(asked)
            : ((await this.intent(asked.id)) ?? intentFrom(asked))
        return { state: 'asked', intent }
      } catch (error) {
        return asRefusal(error)
      }
    },
    async intent(id) {
      const intent = await ask((stripe) => stripe.paymentIntents.retrieve(id)).catch(unlessMissing)
      return intent && intentFrom(intent)
    },
    async intentOf(customer, purchase) {
      const { data } = await ask((stripe) => stripe.paymentIntents.list({ customer, limit: 100 }))
      return data.find(({ metadata }) => metadata['purchase'] === String(purchase))?.id ?? null
    },
    async cancelIntent(id, idempotencyKey) {
      await ask((stripe) => stripe.paymentIntents.cancel(id, {}, { idempotencyKey })).catch(unlessInvalid)
    },
    async subscribe({ customer, plan, amount, currency, purchase, discount }, key) {
      await productReady()
      try {
        const coupon = discount && (await couponFor(discount, currency, key))
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
              ...(coupon && { discounts: [{ coupon }] }),
              payment_behavior: 'allow_incomplete',
              metadata: { purchase: String(purchase) },
              ...EXPANDED,
            },
            { idempotencyKey: key },
          ),
        )
        // A repeated answer has the state of that time, so we ask for the current one.
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
    async paymentsOf(subscription) {
      const { data } = await ask((stripe) =>
        stripe.invoices.list({ subscription, status: 'paid', limit: 100, expand: ['data.payments'] }),
      )
      return data.map(paidOf).filter(({ intent }) => intent !== null)
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
      const subscription = await retrieve(id).catch(unlessMissing)
      return subscription && provided(subscription)
    },
    cancelAtPeriodEnd: (id, key) => change(id, { cancel_at_period_end: true }, key),
    restart: (id, key) => change(id, { cancel_at_period_end: false }, key),
    async endNow(id, idempotencyKey) {
      await ask((stripe) => stripe.subscriptions.cancel(id, {}, { idempotencyKey })).catch(unlessInvalid)
    },
    async letGo(id, key) {
      const invoice = idOf((await retrieve(id)).latest_invoice)
      try {
        // If a payment is faster, the provider refuses this.
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
      if (isOff) return null
      const stripe = await provider()
      const secret = env.stripe?.webhookSecret ?? sandbox!.webhookSecret
      const signedAt = Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1])
      // The SDK checks only for timestamps that have expired, not for those in the future.
      if (signedAt * 1000 > place.now().getTime() + SIGNATURE_LASTS_S * 1000) return null
      try {
        const event = await stripe.webhooks.constructEventAsync(
          body,
          signature,
          secret,
          SIGNATURE_LASTS_S,
          undefined,
          place.now().getTime(),
        )
        const about = aboutOf(event.data.object as unknown as Record<string, unknown>)
        return { id: event.id, type: event.type, at: dateOf(event.created), ...about }
      } catch {
        return null
      }
    },
    ...movementsOf(ask),
  }
}
