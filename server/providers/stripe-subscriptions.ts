import type Stripe from 'stripe'
import type { Currency } from '#contract/regions.ts'
import { PaymentsOutOfReach, type Provided, type ProvidedDiscount, type Subscriptions } from './payments.ts'
import {
  type Ask,
  orRefused,
  CARD_AGAIN,
  codeOf,
  dateOf,
  dateOrNull,
  idOf,
  isA,
  isInvalid,
  paidOf,
  unlessInvalid,
  unlessMissing,
} from './stripe-answers.ts'

const PRODUCT = 'vetchat_membership'

/** Memberships as the provider renews them. */
export function subscriptionsOf(ask: Ask): Subscriptions {
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
    async subscribe({ customer, plan, amount, currency, purchase, discount }, key) {
      await productReady()
      return orRefused(async () => {
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
      })
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
  }
}
