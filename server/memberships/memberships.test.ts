import { afterAll, beforeAll, expect, it } from 'vitest'
import { providerSubscriptions } from '#contract/memberships.ts'
import { myPaymentMethod } from '#contract/payments.ts'
import { cards } from '#server/db/schema.ts'
import { createWorld, type TestWorld } from '#test/world.ts'

let world: TestWorld
beforeAll(async () => void (world = await createWorld()))
afterAll(() => world.close())

it("answers the provider's subscriptions to oneself and an admin, and to nobody else [API-5]", async () => {
  const [member, other, admin] = [await world.member(), await world.owner(), await world.admin()]
  const expected = [
    { id: member.subscription.stripeSubscription, status: 'active', current_period_end: expect.any(String) },
  ]
  expect(await member.call(providerSubscriptions, { userId: member.id })).toEqual(expected)
  expect(await admin.call(providerSubscriptions, { userId: member.id })).toEqual(expected)
  expect((await other.send(providerSubscriptions, { userId: member.id })).status).toBe(404)
})

it('answers the card on file, or null [PRO-4]', async () => {
  const owner = await world.owner()
  const none = await owner.send(myPaymentMethod)
  expect([none.status, none.text]).toEqual([200, 'null'])
  const card = { brand: 'visa', last4: '4242', expMonth: 1, expYear: 2031 }
  await world.db.insert(cards).values({ userId: owner.id, stripePaymentMethod: 'pm_x', ...card })
  expect(await owner.call(myPaymentMethod, {})).toEqual({
    object: 'card',
    brand: 'visa',
    last4: '4242',
    exp_month: 1,
    exp_year: 2031,
  })
})
