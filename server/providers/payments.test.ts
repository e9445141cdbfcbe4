import { Stripe } from 'stripe'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { sandboxCard, sandboxChallenge, sandboxClock } from '#contract/sandbox.ts'
import { DAY, MINUTE } from '#contract/time.ts'
import type { SandboxJob } from '#server/providers/stripe-sandbox/clockwork.ts'
import { createWorld } from '#test/world.ts'
import { type Attempt, type Provided, type ProviderEvent } from './payments.ts'

let customer: string
let keys = 0
const key = () => `key-${++keys}`

const world = await createWorld()
const payments = world.world.payments
beforeEach(async () => {
  customer = await payments.createCustomer({ email: 'thandi@example.com', name: 'Thandi', userId: 7 }, key())
})

/** Otherwise the memberships of all tests would renew with each jump of the clock. */
afterEach(() => payments.removeCustomer(customer))

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
async function subscribed(): Promise<Provided> {
  done(await payments.saveCard(customer, 'tok_visa', key()))
  return done(await payments.subscribe(order(), key())).subscription
}

it.each([
  ['tok_chargeDeclined', 'Your card was declined.'],
  ['tok_chargeDeclinedInsufficientFunds', 'Your card has insufficient funds.'],
  ['tok_of_nobody', 'Your card was declined. Please try another one.'],
  ['pm_of_nobody', 'Your card was declined. Please try another one.'],
  ['../customers', 'Your card was declined. Please try another one.'],
])('a card %s is refused', async (token, message) => {
  expect(await payments.saveCard(customer, token, key())).toEqual({ state: 'refused', message })
})

it("a card of somebody else can't be put on file", async () => {
  const { card } = done(await payments.saveCard(customer, 'tok_visa', key()))
  const other = await payments.createCustomer({ email: 'o@example.com', name: 'Other', userId: 9 }, key())
  expect(await payments.saveCard(other, card.id, key())).toMatchObject({ state: 'refused' })
  expect(done(await payments.saveCard(customer, card.id, key())).card).toEqual(card)
})

it('a card with a challenge is on file once that is passed, and not if it fails', async () => {
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
])('a card that is mistyped is refused with what is wrong', async (card, message) => {
  const reply = await world.nobody.send(sandboxCard, { ...card, exp_year: Math.min(card.exp_year, 2060) })
  expect([reply.status, reply.body.errors]).toEqual([402, [message]])
})

it('a card with a real number is refused, and the number is stored nowhere', async () => {
  const token = await tokenOf('4111111111111111')
  expect(await payments.saveCard(customer, token, key())).toMatchObject({ state: 'refused' })
  const { sandboxObjects } = await import('#server/db/schema.ts')
  expect(JSON.stringify(await world.db.select().from(sandboxObjects))).not.toContain('4111111111111111')
})

const paying = async (token: string, mine = key(), purchase = 40) => {
  const read = await payments.readCard(token, mine)
  if (read.state === 'refused') return read
  const { card } = read
  const what = 'One consult'
  return payments.charge({ customer, card: card.id, amount: 45_000, currency: 'zar', purchase, what }, mine)
}
const asked = (attempt: Awaited<ReturnType<typeof paying>>) => {
  if (attempt.state !== 'asked') throw new Error(JSON.stringify(attempt))
  return attempt.intent
}

it('a payment is made once however often its key is sent, and found by its purchase', async () => {
  const token = await tokenOf('4242424242424242')
  const mine = key()
  const intent = asked(await paying(token, mine))
  expect(intent).toMatchObject({ status: 'succeeded', amount: 45_000, clientSecret: null, refusal: null })
  expect(asked(await paying(token, mine)).id).toBe(intent.id)
  expect(await payments.intentOf(customer, 40)).toBe(intent.id)
  expect(await payments.intentOf(customer, 41)).toBeNull()
  expect(await payments.intent(intent.id)).toEqual(intent)
  expect(await payments.intent('pi_none')).toBeNull()
  expect(await paying(token)).toMatchObject({ state: 'refused', code: 'token_already_used' })
  await payments.cancelIntent(intent.id, key())
  expect((await payments.intent(intent.id))!.status).toBe('succeeded')
})

it.each([
  [{ percentOff: 20, months: null }, [8000, 10_000, 10_000, 10_000]],
  [{ amountOff: 3000, months: 2 }, [7000, 7000, 10_000, 10_000]],
  [{ percentOff: 100, months: 3 }, [0, 0, 0, 10_000]],
])('a subscription takes %o off as many payments as were promised', async (discount, amounts) => {
  done(await payments.saveCard(customer, 'tok_visa', key()))
  const mine = key()
  const { subscription } = done(await payments.subscribe({ ...order(10_000), discount }, mine))
  expect(subscription.paid).toMatchObject({ amount: amounts[0], first: true, currency: 'zar' })
  expect(subscription.paid!.intent === null).toBe(amounts[0] === 0)
  expect(done(await payments.subscribe({ ...order(10_000), discount }, mine)).subscription.id).toBe(
    subscription.id,
  )
  await world.nobody.call(sandboxClock, { days: 100 })
  await turnTheWheel()
  const paid = (await payments.paymentsOf(subscription.id)).toReversed()
  expect(paid.map(({ amount }) => amount)).toEqual(amounts.filter((amount) => amount > 0))
  expect(paid.filter(({ first }) => first)).toHaveLength(amounts[0] === 0 ? 0 : 1)
  expect(await payments.paymentsOf('sub_none')).toEqual([])
})

/** The provider's own jobs, with an endpoint that records what arrives. */
let inbox: ProviderEvent[] = []
let answers: number[] = []
let jobs: SandboxJob[] = []
beforeAll(() => {
  jobs = payments.sandbox!.jobs(async (body, signature) => {
    const status = answers.shift() ?? 200
    const event = await payments.eventOf(Buffer.from(body), signature)
    if (status === 200) inbox.push(event!)
    return status
  })
})
/** Runs them until nothing is due. */
async function turnTheWheel() {
  for (const job of jobs) while ((await job.run()) > 0) continue
}
async function eventsOf(subscription: string) {
  await turnTheWheel()
  return inbox.filter((event) => event.subscription === subscription).map(({ type }) => type)
}
beforeEach(async () => {
  await turnTheWheel()
  inbox = []
  answers = []
})

it('a renewal that is refused is retried on days 1, 3 and 5, and the subscription ends on day 7', async () => {
  const first = await subscribed()
  done(await payments.saveCard(customer, 'tok_chargeCustomerFail', key()))
  const due = first.currentPeriodEnd.getTime()
  const tries = async () =>
    (await eventsOf(first.id)).filter((type) => type === 'invoice.payment_failed').length
  const until = (days: number) =>
    world.nobody.call(sandboxClock, { until: new Date(due + days * DAY + MINUTE).toISOString() })
  for (const [days, failures] of [
    [0, 1],
    [0.9, 1],
    [1, 2],
    [3, 3],
    [5, 4],
    [6.9, 4],
  ] as const) {
    await until(days)
    expect([days, await tries()]).toEqual([days, failures])
    expect((await payments.subscription(first.id))!.status).toBe('past_due')
  }
  await until(7)
  expect((await eventsOf(first.id)).at(-1)).toBe('customer.subscription.deleted')
  expect(await payments.subscription(first.id)).toMatchObject({
    status: 'canceled',
    endedAt: new Date(due + 7 * DAY),
  })
})

it('a renewal needs a first payment: one that nobody confirmed is given up after 23 hours', async () => {
  done(await payments.saveCard(customer, 'tok_visa', key()))
  await payments.sandbox!.arm('POST /v1/subscriptions', 'challenge', 1)
  const asked = await payments.subscribe(order(), key())
  if (asked.state !== 'challenge') throw new Error(asked.state)
  await world.nobody.call(sandboxClock, { days: 22.9 / 24 })
  await turnTheWheel()
  expect((await payments.subscription(asked.id))!.status).toBe('incomplete')
  await world.nobody.call(sandboxClock, { days: 0.01 })
  await turnTheWheel()
  expect((await payments.subscription(asked.id))!.status).toBe('incomplete_expired')
})

it('an event arrives signed, says what it is about, and is repeated until it is accepted', async () => {
  answers = [500, 0, 404]
  const { id } = await subscribed()
  await turnTheWheel()
  const before = inbox.length
  world.advance({ minutes: 1 })
  expect(await eventsOf(id)).toEqual(
    expect.arrayContaining([
      'customer.subscription.created',
      'customer.subscription.updated',
      'invoice.paid',
    ]),
  )
  expect(inbox.length - before).toBe(3)
  expect(new Set(inbox.map((event) => event.id)).size).toBe(inbox.length)
  expect(inbox.filter((event) => event.customer !== customer)).toEqual([])
  const paid = inbox.find(({ type }) => type === 'payment_intent.succeeded')!
  expect(inbox.find(({ type }) => type === 'charge.succeeded')!.intent).toBe(paid.intent)
  expect(inbox.find(({ type }) => type === 'customer.subscription.created')!.purchase).toBe(12)
  world.advance({ days: 1 })
  await turnTheWheel()
  expect(inbox.length - before).toBe(3)
})

it('an event can be doubled and shuffled', async () => {
  await world.arm('duplicateEvents', '*')
  await payments.updateCustomer(customer, { email: 'new@example.com', name: 'Thandi' })
  await turnTheWheel()
  const about = inbox.filter((event) => event.customer === customer).map((event) => event.id)
  expect(about.length - new Set(about).size).toBe(1)

  inbox = []
  await payments.sandbox!.arm('*', 'shuffledEvents', 1)
  await subscribed()
  await turnTheWheel()
  expect(inbox[0]!.type).toBe('customer.subscription.updated')
})

it('the sandbox refuses what it doesn’t know, and a key that is repeated with other input, as Stripe does', async () => {
  const httpClient = payments.sandbox!.httpClient(Stripe)
  const stripe = new Stripe('sk_test_sandbox', { httpClient, maxNetworkRetries: 0, telemetry: false })
  await expect(stripe.accounts.list()).rejects.toMatchObject({ statusCode: 404 })
  await expect(stripe.customers.create({ tax_exempt: 'none' })).rejects.toMatchObject({
    code: 'parameter_unknown',
    param: 'tax_exempt',
  })
  const idempotencyKey = key()
  const one = await stripe.customers.create({ name: 'One' }, { idempotencyKey })
  expect((await stripe.customers.create({ name: 'One' }, { idempotencyKey })).id).toBe(one.id)
  await expect(stripe.customers.create({ name: 'Two' }, { idempotencyKey })).rejects.toMatchObject({
    rawType: 'idempotency_error',
  })
})

it('the calls of the sandbox make a token, answer a challenge and move the clock forward only', async () => {
  const { token } = await world.nobody.call(sandboxCard, {
    number: '4000 0025 0000 3155',
    exp_month: '12',
    exp_year: '40',
    cvc: '123',
  })
  const asked = await payments.saveCard(customer, token, key())
  if (asked.state !== 'challenge') throw new Error(asked.state)
  const answer = { client_secret: asked.clientSecret, succeed: true }
  expect(await world.nobody.call(sandboxChallenge, answer)).toEqual({ status: 'succeeded' })
  expect((await world.nobody.send(sandboxChallenge, { ...answer, client_secret: 'none' })).status).toBe(404)
  done(await payments.finishSetup(customer, asked.id, key()))
  done(await payments.subscribe(order(), key()))

  const before = world.now().getTime()
  const { now } = await world.nobody.call(sandboxClock, { until: '2001-01-01T00:00:00Z' })
  expect(Date.parse(now)).toBeGreaterThanOrEqual(before)
  for (const until of ['2027-99-99T00:00:00Z', '2999-01-01T00:00:00Z'])
    expect((await world.nobody.send(sandboxClock, { until })).status).toBe(400)
  expect(world.now().getTime()).toBeLessThan(before + DAY)
  expect((await world.nobody.from('10.1.2.3').send(sandboxClock, { days: 1 })).status).toBe(404)
})
