import { count, eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { subscribe, upgrade } from '#contract/joining.ts'
import { joiningAction } from '#contract/human.ts'
import { subscribePet, updatePaymentMethod } from '#contract/payments.ts'
import { customers, ledger, pets, sandboxObjects, subscriptions, users } from '#server/db/schema.ts'
import { atOnce } from '#test/at-once.ts'
import { newcomer, solved, upgradeForm } from '#test/joining.ts'
import { sampleRabbit } from '#test/samples.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

const charges = async () =>
  (await world.db.select({ n: count() }).from(sandboxObjects).where(eq(sandboxObjects.object, 'charge')))[0]!
    .n
const rowsOf = async (
  table: typeof pets | typeof subscriptions | typeof customers | typeof ledger | typeof users,
) => (await world.db.select({ n: count() }).from(table))[0]!.n
const everything = async () => ({
  charges: await charges(),
  users: await rowsOf(users),
  pets: await rowsOf(pets),
  memberships: await rowsOf(subscriptions),
  customers: await rowsOf(customers),
  ledger: await rowsOf(ledger),
})
const oneMore = (before: Awaited<ReturnType<typeof everything>>) =>
  Object.fromEntries(Object.entries(before).map(([name, n]) => [name, n + 1]))

it('eight presses of one key join once [JOI-4, BUY-9]', async () => {
  const before = await everything()
  const { form, browser } = await newcomer(world)
  const replies = await atOnce(8, () => browser.send(subscribe, form, { 'idempotency-key': 'press' }))
  expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  expect(await everything()).toEqual(oneMore(before))
  expect((await world.mailsTo(form.email)).map(({ template }) => template).toSorted()).toEqual([
    'receipt',
    'welcome',
  ])
})

it('of eight people who join with one email at the same time, one succeeds and nobody else is charged [JOI-4, D30]', async () => {
  const before = await everything()
  const { form } = await newcomer(world)
  const solutions = await atOnce(8, () => solved(world, joiningAction('annual')))
  const replies = await Promise.all(
    solutions.map((userConfirmation, n) =>
      world.nobody
        .from(`10.9.0.${n}`)
        .send(subscribe, { ...form, userConfirmation }, { 'idempotency-key': `email-${n}` }),
    ),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(7).fill(409)])
  expect(await everything()).toEqual(oneMore(before))
})

it("a lost answer is delivered by the provider's events, the clock and the next press, once [JOI-4, SUB-5]", async () => {
  const before = await everything()
  const { form, browser } = await newcomer(world)
  const key = { 'idempotency-key': 'lost' }
  await world.arm('lostAnswer', 'POST /v1/subscriptions', 3)
  await world.arm('duplicateEvents', '*', 50)
  expect((await browser.send(subscribe, form, key)).status).toBe(503)
  world.advance({ minutes: 3 })
  const later = { ...form, userConfirmation: await solved(world, joiningAction('annual')) }
  const [reply] = await Promise.all([browser.send(subscribe, later, key), world.runDue(), world.runDue()])
  expect(reply.status).toBe(200)
  await world.runDue()
  expect(await everything()).toEqual(oneMore(before))
  await world.arm('duplicateEvents', '*', 0)
})

it('two tabs that upgrade, and a third that buys for a pet, buy one membership [JOI-5]', async () => {
  const owner = await world.owner()
  await owner.call(updatePaymentMethod, { payload: { token: 'tok_mastercard' } })
  const before = await everything()
  const replies = await Promise.all([
    owner.send(upgrade, { plan: 'monthly' }, { 'idempotency-key': 'tab-1' }),
    owner.send(upgrade, await upgradeForm(world), { 'idempotency-key': 'tab-2' }),
    owner.send(subscribePet, { pet: sampleRabbit(), plan: 'monthly', agreed: true, terms: '1' }),
  ])
  expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  const after = await everything()
  expect([after.memberships, after.charges]).toEqual([before.memberships + 1, before.charges + 1])
})
