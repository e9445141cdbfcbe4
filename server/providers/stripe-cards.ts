import type Stripe from 'stripe'
import { inTurn } from '../concurrency/in-turn.ts'
import type { Attempt, Card, Cards } from './payments.ts'
import {
  type Ask,
  orRefused,
  CARD_AGAIN,
  cardOf,
  idOf,
  unlessInvalid,
  unlessMissing,
} from './stripe-answers.ts'

/** Customers, and the card that each has on file. */
export function cardsOf(ask: Ask): Cards {
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

  return {
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
      return orRefused(async () => {
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
      })
    },
    async finishSetup(customer, id) {
      if (!/^seti_\w+$/.test(id)) return { state: 'refused', message: CARD_AGAIN }
      return orRefused(async () => {
        const setup = await ask((stripe) => stripe.setupIntents.retrieve(id))
        if (idOf(setup.customer) !== customer) return { state: 'refused', message: CARD_AGAIN }
        return await outcomeOf(customer, setup)
      })
    },
    async readCard(token, key) {
      if (!/^(tok|pm)_\w+$/.test(token)) return { state: 'refused', message: CARD_AGAIN }
      return orRefused(async () => {
        const method = await ask((stripe) =>
          token.startsWith('pm_')
            ? stripe.paymentMethods.retrieve(token)
            : stripe.paymentMethods.create(
                { type: 'card', card: { token } },
                { idempotencyKey: `${key}-method` },
              ),
        )
        return { state: 'done', card: cardOf(method) }
      })
    },
    async useCard(customer, card, idempotencyKey) {
      return orRefused(async () => {
        await ask((stripe) => stripe.paymentMethods.attach(card, { customer }, { idempotencyKey }))
        await ask((stripe) =>
          stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } }),
        )
        return { state: 'done' }
      })
    },
  }
}
