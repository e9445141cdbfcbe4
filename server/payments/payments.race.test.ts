import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { me } from '#contract/accounts.ts'
import { listPets } from '#contract/pets.ts'
import { manageSubscription, subscribePet, updatePaymentMethod } from '#contract/payments.ts'
import { customers, purchases, sandboxObjects } from '#server/db/schema.ts'
import { sampleRabbit } from '#test/samples.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

/** How many subscriptions a person has at the provider, and the states of their purchases here. */
async function soldTo(userId: number) {
  const [known] = await world.rows(customers, { userId })
  const objects = await world.rows(sandboxObjects, { customer: known!.stripeCustomer })
  const bought = await world.rows(purchases, { userId })
  return {
    subscriptions: objects.filter(({ object }) => object === 'subscription').length,
    states: bought.filter(({ amount }) => amount > 0).map(({ state }) => state),
  }
}

it('ten presses without a key are one too, whether they buy a place or find one [PET-5]', async () => {
  const member = await world.fullMember()
  for (const [name, pets] of [
    ['Sixth', 6],
    ['Seventh', 7],
  ] as const) {
    const send = () => member.send(subscribePet, { pet: sampleRabbit(name), plan: 'annual' })
    const replies = await Promise.all(Array.from({ length: 10 }, send))
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(replies[0]!.status).toBe(200)
    expect(await soldTo(member.id)).toEqual({ subscriptions: 2, states: ['delivered', 'delivered'] })
    expect(await member.call(listPets, {})).toHaveLength(pets)
  }
})

it('one of five tabs buys; the others retry and find its free places [PET-5]', async () => {
  const member = await world.fullMember()
  const send = (n: number) => member.send(subscribePet, { pet: sampleRabbit(`Of ${n}`), plan: 'annual' })
  const replies = await Promise.all([1, 2, 3, 4, 5].map(send))
  const late = replies.flatMap(({ status }, n) => (status === 200 ? [] : [n]))
  expect(late.length).toBeLessThan(5)
  for (const n of late) {
    expect(replies[n]!.body.code).toBe('CHANGED_UNDER_YOU')
    expect((await send(n + 1)).status).toBe(200)
  }
  expect((await soldTo(member.id)).subscriptions).toBe(2)
  expect(await member.call(listPets, {})).toHaveLength(10)
})

it('the clock and the buyer who finish one purchase in parallel deliver it once [PET-5]', async () => {
  const member = await world.fullMember()
  await world.arm('lostAnswer', 'POST /v1/subscriptions', 3)
  const input = { pet: sampleRabbit('Sixth'), plan: 'annual' }
  const send = () => member.send(subscribePet, input, { 'idempotency-key': 'lost-and-found' })
  expect((await send()).status).toBe(503)
  world.advance({ minutes: 3 })
  const [reply] = await Promise.all([send(), world.runDue(), send()])
  expect([200, 503]).toContain(reply.status)
  await world.pass({ minutes: 3 })
  expect((await send()).status).toBe(200)
  expect(await soldTo(member.id)).toEqual({ subscriptions: 2, states: ['delivered', 'delivered'] })
  expect(await member.call(listPets, {})).toHaveLength(6)
})

it('a membership cancelled ten times from two tabs ends once, with one mail [SUB-4]', async () => {
  const member = await world.memberWithCard()
  const cancel = () => member.send(manageSubscription, { action: 'cancel' })
  const replies = await Promise.all(Array.from({ length: 10 }, cancel))
  expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200))
  const letters = await world.mailsTo(member.email)
  expect(letters.filter(({ template }) => template === 'membership cancelled')).toHaveLength(1)
})

it("cancelling and restarting in parallel leave us with the provider's state [SUB-5]", async () => {
  const member = await world.memberWithCard()
  const id = member.subscription.stripe_subscription!
  for (let round = 0; round < 3; round++) {
    await Promise.all(
      (['cancel', 'restart', 'cancel', 'restart', 'cancel'] as const).map((action) =>
        member.send(manageSubscription, { action, subscription: member.subscription.id }),
      ),
    )
    await world.runDue()
    const there = await world.world.payments.subscription(id)
    const here = (await member.call(me, {})).subscriptions[0]!
    expect(here.end).toBe(there!.cancelAt?.toISOString() ?? null)
  }
})

it('ten parallel events about one change write it once and mail the member once [SUB-5]', async () => {
  const member = await world.memberWithCard()
  const id = member.subscription.stripe_subscription!
  await world.world.payments.cancelAtPeriodEnd(id, 'behind our back')
  const at = Math.floor(world.now().getTime() / 1000)
  const { webhookSecret } = world.world.payments.sandbox!
  const send = (n: number) => {
    const event = {
      id: `evt_race${n % 5}`,
      object: 'event',
      type: 'customer.subscription.updated',
      created: at,
    }
    const payload = JSON.stringify({ ...event, data: { object: { object: 'subscription', id } } })
    const mac = createHmac('sha256', webhookSecret).update(`${at}.${payload}`).digest('hex')
    const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${mac}` }
    return world.app.inject({ method: 'POST', url: '/api/stripe/webhook', headers, payload })
  }
  const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => send(n)))
  expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200))
  const letters = await world.mailsTo(member.email)
  expect(letters.filter(({ template }) => template === 'membership cancelled')).toHaveLength(1)
})

it('two tabs that save a card in parallel make one customer [PRO-4]', async () => {
  const owner = await world.owner()
  const put = (token: string) => owner.send(updatePaymentMethod, { payload: { token } })
  const replies = await Promise.all(['tok_visa', 'tok_mastercard', 'tok_amex'].map(put))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await world.rows(customers, { userId: owner.id })).toHaveLength(1)
})

it('of eight purchases under faults and double presses, none is paid twice and none lacks its pet [PET-5, D9]', async () => {
  const owners = await Promise.all(Array.from({ length: 8 }, () => world.owner()))
  await Promise.all(
    owners.map((owner) => owner.call(updatePaymentMethod, { payload: { token: 'tok_visa' } })),
  )
  const call = 'POST /v1/subscriptions'
  for (const [fault, times] of [
    ['lostAnswer', 24],
    ['error500', 8],
    ['decline', 2],
    ['challenge', 2],
  ] as const)
    await world.arm(fault, call, times)
  const press = (owner: (typeof owners)[number]) => {
    const input = { pet: sampleRabbit('First'), plan: 'monthly' }
    return owner.send(subscribePet, input, { 'idempotency-key': `press-${owner.id}` })
  }
  const pressed = await Promise.all([...owners, ...owners].map(press))
  for (const { status, text } of pressed) expect([200, 402, 503], text).toContain(status)
  for (const minutes of [3, 3, 61]) {
    await world.pass({ minutes })
  }
  for (const owner of owners) {
    const { status } = await press(owner)
    const isSold = status === 200
    const { subscriptions, states } = await soldTo(owner.id)
    const mine = (await owner.call(me, {})).subscriptions
    expect([isSold, mine.length, (await owner.call(listPets, {})).length]).toEqual([
      states[0] === 'delivered',
      isSold ? 1 : 0,
      isSold ? 1 : 0,
    ])
    expect(states).toHaveLength(1)
    expect(['delivered', 'refused', 'released']).toContain(states[0])
    const known = await Promise.all(
      mine.map(({ stripe_subscription: id }) => world.world.payments.subscription(id!)),
    )
    expect(known.map((one) => one!.status)).toEqual(isSold ? ['active'] : [])
    expect(subscriptions).toBeLessThanOrEqual(1)
  }
})
