import { createHmac } from 'node:crypto'
import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sandboxCard, sandboxChallenge, sandboxClock, sandboxFaults } from '#contract/sandbox.ts'
import { createWorld, type TestWorld } from '#test/world.ts'
import { PaymentsOutOfReach, type Attempt, type Payments, type Provided } from './payments.ts'

let world: TestWorld
let payments: Payments
let customer: string
let keys = 0
const key = () => `key-${++keys}`

beforeAll(async () => {
  world = await createWorld()
  payments = world.world.payments
})
afterAll(() => world.close())
beforeEach(async () => {
  customer = await payments.createCustomer({ email: 'thandi@example.com', name: 'Thandi', userId: 7 }, key())
})

/** The SDK itself, for what the door does not say. */
async function sdk() {
  const httpClient = payments.sandbox!.httpClient(Stripe)
  return new Stripe('sk_test_sandbox', { httpClient, maxNetworkRetries: 0, telemetry: false })
}
const typed = (number: string, cvc = '123') => ({ number, exp_month: 12, exp_year: 2099, cvc })
async function tokenOf(number: string) {
  const made = await payments.sandbox!.token({ ...typed(number), exp_year: '60' })
  if ('refused' in made) throw new Error(made.refused)
  return made.token
}
function done<T>(attempt: Attempt<T>): T {
  if (attempt.state !== 'done') throw new Error(JSON.stringify(attempt))
  return attempt
}
const order = (amount = 20_000) => ({
  customer,
  plan: 'monthly' as const,
  amount,
  currency: 'zar' as const,
  purchase: 12,
})
async function subscribed(token = 'tok_visa'): Promise<Provided> {
  done(await payments.saveCard(customer, token, key()))
  return done(await payments.subscribe(order(), key())).subscription
}

describe('a card', () => {
  it('is put on file, and a newer one takes its place', async () => {
    const first = done(await payments.saveCard(customer, 'tok_visa', key())).card
    expect(first).toMatchObject({ brand: 'visa', last4: '4242', expMonth: 12 })
    const { card } = done(await payments.saveCard(customer, 'tok_mastercard', key()))
    expect(card).toMatchObject({ brand: 'mastercard', last4: '4444' })
    const stripe = await sdk()
    const { data } = await stripe.paymentMethods.list({ customer, type: 'card' })
    expect(data.map(({ id }) => id)).toEqual([card.id])
    const kept = await stripe.customers.retrieve(customer)
    expect(kept).toMatchObject({ invoice_settings: { default_payment_method: card.id } })
    const other = done(await payments.saveCard(customer, await tokenOf('4242 4242 4242 4242'), key())).card
    expect(other.fingerprint).toBe(first.fingerprint)
  })

  it.each([
    ['tok_chargeDeclined', 'Your card was declined.'],
    ['tok_chargeDeclinedInsufficientFunds', 'Your card has insufficient funds.'],
    ['tok_of_nobody', 'Your card was refused. Please try another one.'],
  ])('%s is refused', async (token, message) => {
    expect(await payments.saveCard(customer, token, key())).toEqual({ state: 'refused', message })
  })

  it('by its token is used once', async () => {
    const token = await tokenOf('4242424242424242')
    const mine = key()
    done(await payments.saveCard(customer, token, mine))
    done(await payments.saveCard(customer, token, mine))
    expect(await payments.saveCard(customer, token, key())).toMatchObject({ state: 'refused' })
  })

  it('that wants a challenge is on file once it is passed, and not when it fails', async () => {
    for (const succeed of [false, true]) {
      const asked = await payments.saveCard(customer, 'tok_threeDSecure2Required', key())
      if (asked.state !== 'challenge') throw new Error(asked.state)
      expect(await payments.sandbox!.answerChallenge(asked.clientSecret, succeed)).toBe(
        succeed ? 'succeeded' : 'requires_payment_method',
      )
      expect((await payments.finishSetup(customer, asked.id, key())).state).toBe(succeed ? 'done' : 'refused')
      expect(await payments.finishSetup('cus_other', asked.id, key())).toMatchObject({ state: 'refused' })
    }
    expect(await payments.sandbox!.answerChallenge('seti_1_secret_2', true)).toBeNull()
  })

  it.each([
    [typed('4242424242424241'), 'Your card number is incorrect.'],
    [typed('4242'), 'Your card number is incorrect.'],
    [{ ...typed('4242424242424242'), exp_month: 13 }, "Your card's expiration month is invalid."],
    [{ ...typed('4242424242424242'), exp_year: 2020 }, "Your card's expiration year is invalid."],
    [typed('4242424242424242', '12'), "Your card's security code is invalid."],
  ])('typed wrongly is told so', async (card, message) => {
    const reply = await world.nobody.send(sandboxCard, { ...card, exp_year: Math.min(card.exp_year, 2060) })
    expect([reply.status, reply.body.errors]).toEqual([402, [message]])
  })

  it('that is somebody’s own is refused, and its number is kept nowhere', async () => {
    const token = await tokenOf('4111111111111111')
    expect(await payments.saveCard(customer, token, key())).toMatchObject({ state: 'refused' })
    const { sandboxObjects } = await import('#server/db/schema.ts')
    expect(JSON.stringify(await world.db.select().from(sandboxObjects))).not.toContain('4111111111111111')
  })
})

describe('a subscription', () => {
  it('begins with its first payment', async () => {
    const subscription = await subscribed()
    expect(subscription).toMatchObject({ customer, status: 'active', cancelAt: null, refusal: null })
    expect(await payments.subscription(subscription.id)).toEqual(subscription)
    expect(await payments.subscription('sub_none')).toBeNull()
  })

  it('is refused where the card is, and stays nowhere', async () => {
    done(await payments.saveCard(customer, 'tok_chargeCustomerFail', key()))
    expect(await payments.subscribe(order(), key())).toEqual({
      state: 'refused',
      message: 'Your card was declined.',
    })
    const stripe = await sdk()
    const { data } = await stripe.subscriptions.list({ customer, status: 'all' })
    expect(data.map(({ status }) => status)).toEqual(['incomplete_expired'])
  })

  it('waits for a challenge', async () => {
    done(await payments.saveCard(customer, 'tok_visa', key()))
    await payments.sandbox!.arm('POST /v1/subscriptions', 'challenge', 2)
    for (const succeed of [true, false]) {
      const asked = await payments.subscribe(order(), key())
      if (asked.state !== 'challenge') throw new Error(asked.state)
      expect(await payments.subscription(asked.id)).toMatchObject({
        status: 'incomplete',
        clientSecret: asked.clientSecret,
      })
      await payments.sandbox!.answerChallenge(asked.clientSecret, succeed)
      expect(await payments.subscription(asked.id)).toMatchObject(
        succeed
          ? { status: 'active', clientSecret: null }
          : { status: 'incomplete', clientSecret: null, refusal: expect.stringContaining('authenticate') },
      )
    }
  })

  it('is cancelled at the end of its period, restarted, and ended', async () => {
    const { id, currentPeriodEnd } = await subscribed()
    expect(await payments.cancelAtPeriodEnd(id, key())).toMatchObject({ cancelAt: currentPeriodEnd })
    expect(await payments.restart(id, key())).toMatchObject({ status: 'active', cancelAt: null })
    await payments.endNow(id, key())
    await payments.endNow(id, key())
    expect(await payments.restart(id, key())).toMatchObject({ status: 'canceled', endedAt: expect.any(Date) })
  })
})
