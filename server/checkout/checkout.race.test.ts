import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { newUserConsultation, payForConsult } from '#contract/checkout.ts'
import { sandboxChallenge } from '#contract/sandbox.ts'
import { consultations, coupons, ledger, purchases, users } from '#server/db/schema.ts'
import { checkLedger } from '#server/ledger/jobs.ts'
import { openShop, order } from '#test/shop.ts'

const shop = await openShop()
const { world, begin } = shop
beforeEach(() => shop.duty(true))

const ten = <T>(work: (n: number) => Promise<T>) => Promise.all(Array.from({ length: 10 }, (_, n) => work(n)))
const rowsOf = (email: string) => world.rows(purchases, { email })

/** Charges at the provider, ledger entries and consultations of an address. */
async function cameOf(email: string) {
  const rows = await rowsOf(email)
  const found = { states: rows.map(({ state }) => state).toSorted(), charges: 0, lines: 0, consults: 0 }
  for (const { id, stripeCustomer, consultationId } of rows) {
    found.charges += (await shop.chargesOf(stripeCustomer)).length
    found.lines += (await world.rows(ledger, { purchaseId: id })).length
    if (consultationId !== null) found.consults++
  }
  const guests = await world.rows(users, { email })
  for (const { id } of guests) expect(await world.rows(consultations, { userId: id })).toHaveLength(1)
  expect(guests).toHaveLength(found.consults)
  return found
}
const ONCE = { states: ['delivered'], charges: 1, lines: 1, consults: 1 }

it.each([
  ['with a key', true],
  ['without one', false],
])('ten presses at the same time %s make one charge and one consult [BUY-9]', async (_, keyed) => {
  const sent = order()
  const headers: Record<string, string> = keyed ? { 'idempotency-key': randomUUID() } : {}
  const replies = await ten(() => world.nobody.send(payForConsult, sent, headers))
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  expect(replies[0]!.body.status).toBe('succeeded')
  const begun = await ten(() => world.nobody.call(newUserConsultation, begin(replies[0]!.body, sent)))
  expect(new Set(begun.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(await cameOf(sent.user.email)).toEqual(ONCE)
})

it('two tabs are two purchases, each charged and begun once [BUY-9]', async () => {
  const sent = order()
  await Promise.all(
    ['a', 'b'].map(async (tab) => {
      const headers = { 'idempotency-key': `tab-${tab}` }
      const [paid] = await Promise.all([
        world.nobody.send(payForConsult, sent, headers),
        world.nobody.send(payForConsult, sent, headers),
      ])
      await world.nobody.call(newUserConsultation, begin(paid.body, sent))
    }),
  )
  const came = await cameOf(sent.user.email)
  expect(came).toEqual({ states: ['delivered', 'delivered'], charges: 2, lines: 2, consults: 2 })
})

const told = () => order({ details: shop.details() })

it('the same consult on several devices at the same moment is charged once [BUY-9]', async () => {
  const sent = told()
  const replies = await ten((n) =>
    world.nobody.from(`10.31.1.${n}`).send(payForConsult, sent, { 'idempotency-key': randomUUID() }),
  )
  const said = replies.map(({ body }) => body.code ?? body.status)
  expect(said.toSorted()).toEqual([...Array(9).fill('CONSULT_PAID_ALREADY'), 'succeeded'])
  expect(await cameOf(sent.user.email)).toMatchObject({ states: ['paid'], charges: 1 })
})

it('the same consult on several devices at the same moment is begun once when banks ask first, and the payments that settle later are refunded [BUY-9]', async () => {
  const sent = { ...told(), card: { token: 'tok_threeDSecure2Required' } }
  const { email } = sent.user
  const press = (n: number) =>
    world.nobody.from(`10.31.2.${n}`).send(payForConsult, sent, { 'idempotency-key': randomUUID() })
  const asked = (await Promise.all([1, 2, 3].map(press))).map(({ body }) => body)
  for (const { client_secret } of asked)
    await world.nobody.call(sandboxChallenge, { client_secret: client_secret!, succeed: true })
  // The provider's events and the clock look at the same payments meanwhile.
  const [replies] = await Promise.all([
    Promise.all(asked.map(({ purchase }) => world.nobody.send(payForConsult, { ...sent, purchase }))),
    world.runDue(),
  ])
  const said = replies.map(({ body }) => body.code ?? body.status)
  expect(said.toSorted()).toEqual(['CONSULT_PAID_TWICE', 'CONSULT_PAID_TWICE', 'succeeded'])
  const begun = await Promise.all(
    asked.map((paid) => world.nobody.send(newUserConsultation, begin(paid, sent))),
  )
  expect(begun.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  await world.pass({ minutes: 11 })
  const states = ['delivered', 'refunded', 'refunded']
  expect(await cameOf(email)).toEqual({ states, charges: 3, lines: 5, consults: 1 })
  for (const { state, order } of await rowsOf(email)) if (state === 'refunded') expect(order).toEqual({})
  expect((await checkLedger(world.world, 1)).wrong).toEqual([])
  const [letter, ...others] = await world.mailsTo(email, 'refund')
  expect(others).toHaveLength(1)
  expect(letter!.text).toContain('You paid for the same consult twice at the same moment')
  const receipts = await world.mailsTo(email, 'receipt')
  expect(receipts.filter(({ text }) => text.includes('Open the consult'))).toHaveLength(1)
})

it('a coupon’s last use goes to one buyer, and nobody else is charged [BUY-8]', async () => {
  await world.add(coupons, { code: 'LAST', percentOff: 10, referrer: 'Race', uses: 1 })
  const orders = Array.from({ length: 10 }, () => order({ coupon_code: 'LAST', amount: 40_500 }))
  const replies = await Promise.all(
    orders.map((sent, n) => world.nobody.from(`10.30.0.${n}`).send(payForConsult, sent)),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(404)])
  for (const [n, { status }] of replies.entries())
    expect((await cameOf(orders[n]!.user.email)).charges).toBe(status === 200 ? 1 : 0)
})

it('buyer, clock and events at the same moment deliver once, whichever answer was lost [BUY-9]', async () => {
  for (const details of [undefined, shop.details()]) {
    await shop.duty(true)
    await shop.arm('lostAnswer', 3)
    const sent = order({ ...(details && { details }) })
    const lost = await world.nobody.call(payForConsult, sent)
    expect(lost.status).toBe('processing')
    world.advance({ minutes: 3 })
    const again = { ...sent, purchase: lost.purchase }
    await Promise.all([
      world.runDue(),
      ...[1, 2, 3].map(() => world.nobody.send(payForConsult, again)),
      ...[1, 2, 3].map(() => world.nobody.send(newUserConsultation, begin(lost, sent))),
    ])
    world.advance({ minutes: 11 })
    await Promise.all([
      world.runDue(),
      ...[1, 2, 3].map(() => world.nobody.call(newUserConsultation, begin(lost, sent))),
    ])
    expect(await cameOf(sent.user.email)).toEqual(ONCE)
  }
})
