import { Stripe } from 'stripe'
import { expect, it } from 'vitest'
import { sandboxObjects } from '#server/db/schema.ts'
import { createWorld } from '#test/world.ts'
import { atOnce } from '#test/at-once.ts'

const world = await createWorld()
const payments = world.world.payments
const stripe = new Stripe('sk_test_sandbox', {
  httpClient: payments.sandbox!.httpClient(Stripe),
  maxNetworkRetries: 0,
  telemetry: false,
})
const customer = await payments.createCustomer(
  { email: 'race@example.com', name: 'Race', userId: 1 },
  'customer',
)

const order = { customer: '', plan: 'monthly', amount: 20_000, currency: 'zar', purchase: 1 } as const

it('one key makes one customer, however many requests arrive at the same time', async () => {
  const tries = await Promise.allSettled(
    Array.from({ length: 30 }, () => stripe.customers.create({ name: 'One' }, { idempotencyKey: 'one' })),
  )
  const made = tries.flatMap((tried) => (tried.status === 'fulfilled' ? [tried.value.id] : []))
  const refusals = tries.flatMap((tried) => (tried.status === 'rejected' ? [tried.reason.statusCode] : []))
  expect(new Set(made).size).toBe(1)
  expect(new Set(refusals)).toEqual(refusals.length > 0 ? new Set([409]) : new Set())
  const customers = await world.rows(sandboxObjects, { object: 'customer' })
  expect(customers.filter(({ data }) => (data as { name?: string }).name === 'One')).toHaveLength(1)
})

it('one key charges once, and a card that is saved twice in parallel is on file', async () => {
  await Promise.all(
    ['tok_visa', 'tok_mastercard'].map((token) => payments.saveCard(customer, token, `card ${token}`)),
  )
  expect((await stripe.paymentMethods.list({ customer, type: 'card' })).data).toHaveLength(1)
  const attempts = await atOnce(5, () => payments.subscribe({ ...order, customer }, 'membership'))
  expect(attempts.map(({ state }) => state)).toEqual(Array(5).fill('done'))
  expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toHaveLength(1)
  expect((await stripe.charges.list({ customer })).data).toHaveLength(1)
})

it('instances that renew at the same time charge a period once', async () => {
  world.advance({ days: 32 })
  const turn = () => payments.sandbox!.jobs(async () => 200)[0]!.run()
  await atOnce(5, turn)
  expect((await stripe.invoices.list({ customer })).data.map(({ status }) => status)).toEqual([
    'paid',
    'paid',
  ])
})

it('instances that deliver at the same time deliver an event once', async () => {
  const arrived: string[] = []
  const deliver = async (body: string) => {
    arrived.push((JSON.parse(body) as { id: string }).id)
    return 200
  }
  const turn = () => payments.sandbox!.jobs(deliver)[1]!.run()
  while ((await atOnce(5, turn)).some((count) => count > 0)) continue
  expect(arrived.length).toBeGreaterThan(10)
  expect(new Set(arrived).size).toBe(arrived.length)
})
