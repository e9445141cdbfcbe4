import { desc } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { me } from '#contract/accounts.ts'
import { newUserConsultation, payForConsult } from '#contract/checkout.ts'
import { getConsultation } from '#contract/consultations.ts'
import { DAY } from '#contract/time.ts'
import {
  consents,
  consultations,
  ledger,
  newsletter,
  pets,
  sandboxObjects,
  users,
} from '#server/db/schema.ts'
import { contractCalls } from '#test/contract-calls.ts'
import { solved } from '#test/joining.ts'
import { AU, openShop, order, person } from '#test/shop.ts'

const shop = await openShop()
const { world, visitor, begin } = shop
beforeEach(async () => void (await shop.duty(true)))

it.each([
  ['za', 45_000, 'zar', 'ZAR', {}],
  ['au', 3995, 'aud', 'aud', AU],
] as const)(
  'one consult is paid for in %s, begins once, and is in the ledger [BUY-6, BUY-9, BUY-10]',
  async (region, amount, currency, sentCurrency, headers) => {
    const buyer = visitor()
    const sent = order({ amount, currency: sentCurrency })
    const paid = await buyer.send(payForConsult, sent, headers)
    expect(paid.body).toEqual({
      status: 'succeeded',
      customer: { id: expect.stringMatching(/^buyer_/) },
      purchase: expect.stringMatching(/^[\w-]{22,}$/),
    })
    const stored = await shop.purchaseOf(sent.user.email)
    expect(stored).toMatchObject({ state: 'paid', region, amount, currency, kind: 'consult' })
    expect(JSON.stringify(stored)).not.toContain(paid.body.purchase)
    expect(JSON.stringify(stored.order)).not.toContain('tok_visa')
    const begun = await buyer.send(newUserConsultation, begin(paid.body, sent), headers)
    expect(begun.body).toEqual({ consultation: { id: expect.any(Number) }, token: expect.any(String) })
    const { id } = begun.body.consultation
    const inside = buyer.with(begun.body.token)
    expect((await inside.call(getConsultation, { id })).consultation).toMatchObject({
      id,
      type: 1,
      query: 'She will not eat',
    })
    const again = await buyer.send(newUserConsultation, begin(paid.body, sent, { name: 'Other' }), headers)
    expect(again.body).toEqual(begun.body)
    const [guest] = await world.rows(users, { email: sent.user.email })
    expect(guest).toMatchObject({ guest: true, region, postcode: '8001', userClinic: 'Two Oaks' })
    expect(guest!.publicId).toMatch(/^person_/)
    expect(guest!.notifications).toEqual({ news: false })
    expect(await world.rows(pets, { ownerId: guest!.id })).toMatchObject([
      { name: 'Biscuit', sex: 2, breedId: shop.breed },
    ])
    expect(await world.rows(consents, { userId: guest!.id })).toMatchObject([
      { call: 'pay', ticked: true, terms: '1' },
    ])
    const lines = await world.rows(ledger, { purchaseId: stored.id })
    expect(lines).toMatchObject([{ kind: 'charge', what: 'consult', amount, currency, region }])
    expect(lines[0]!.stripeId).toBe(stored.stripeIntent)
    expect(await shop.chargesOf(stored.stripeCustomer)).toHaveLength(1)
  },
)

it('one consult is mailed a receipt with its number, amount and tax, and a link back that opens it [BUY-11]', async () => {
  const { sent } = await shop.buy(order({ consult: 2 }))
  const letters = await world.mailsTo(sent.user.email)
  expect(letters).toHaveLength(1)
  expect(letters[0]!.text).toMatch(/R450[\s\S]*VAT 15%/)
  expect(letters[0]!.text).toContain('VC-')
  expect(letters[0]!.text).toMatch(/http:\/\/localhost\/userVideo\/person_\w+\/\d+\?expires=\d+&signature=/)
})

it('one consult never shows the payment provider’s customer id, and no link has an id that paying returns [D14]', async () => {
  const owner = await world.memberWithCard()
  const { sent, paid, id, guest } = await shop.buy()
  const mine = order({ user: { ...person(), email: owner.email } })
  const bought = (await shop.buy(mine, {}, owner)).paid
  const { sent: nothing, paid: free } = await shop.buy(await shop.free())

  const stored = await world.db.select({ id: sandboxObjects.customer }).from(sandboxObjects)
  const ids = [...new Set(stored.flatMap(({ id }) => id ?? []))]
  expect(ids.length).toBeGreaterThan(1)
  const said = [JSON.stringify([paid, bought, free])]
  for (const who of [owner, guest, await world.admin(), await world.vet()])
    for (const definition of await contractCalls())
      if (definition.method === 'GET' && !definition.sandbox)
        said.push((await who.send(definition, { id, userId: owner.id })).text)
  const letters: string[] = []
  for (const { email } of [sent.user, nothing.user, owner])
    for (const { text, html } of await world.mailsTo(email)) letters.push(text + html)
  expect(letters.join('')).toContain('/userVideo/person_')
  for (const id of ids) expect(said.concat(letters).filter((text) => text.includes(id))).toEqual([])
  for (const { customer } of [paid, bought, free]) expect(letters.join('')).not.toContain(customer.id)
})

it('buyers of a consult who want news confirm that by mail first, and nobody else is mailed [BUY-12]', async () => {
  for (const emailSubscription of [true, false]) {
    const { sent } = await shop.buy(order(), { emailSubscription })
    const templates = (await world.mailsTo(sent.user.email)).map(({ template }) => template)
    expect(templates.includes('newsletter')).toBe(emailSubscription)
    const list = await world.rows(newsletter, { email: sent.user.email })
    expect(list.map(({ confirmedAt }) => confirmedAt)).toEqual(emailSubscription ? [null] : [])
  }
})

it('one consult bought with a known email signs nobody in; bought while signed in, it is in the account [BUY-10, D30]', async () => {
  const owner = await world.owner()
  const pet = await world.pet(owner.id, { name: 'biscuit', speciesId: 1 })
  const { id, guest } = await shop.buy(order({ user: { ...person(), email: owner.email } }))
  expect((await guest.send(me)).status).toBe(401)
  const rowOf = async (id: number) => (await world.rows(consultations, { id }))[0]!
  expect((await rowOf(id)).userId).not.toBe(owner.id)
  const mine = order({ user: { ...person(), email: owner.email } })
  const bought = await owner.call(payForConsult, mine)
  const own = await visitor().call(newUserConsultation, begin(bought, mine))
  expect(await rowOf(own.consultation.id)).toMatchObject({ userId: owner.id, petId: pet.id })
  expect((await owner.call(getConsultation, { id: own.consultation.id })).consultation.id).toBe(
    own.consultation.id,
  )
})

it('one consult begins only with its own purchase, and only as what was paid for [BUY-10, D27]', async () => {
  const sent = order({ coupon_code: 'TENOFF', amount: 40_500 })
  const paid = await visitor().call(payForConsult, sent)
  const none = { purchase: 'x'.repeat(43), customer: paid.customer }
  expect((await visitor().send(newUserConsultation, begin(none, sent))).status).toBe(404)
  for (const change of [{ consult_type: 2 }, { coupon_code: 'R50OFF' }, { coupon_code: '' }]) {
    expect(await visitor().refusal(newUserConsultation, begin(paid, sent, change))).toBe('PURCHASE_DIFFERS')
  }
  const right = begin(paid, sent, { coupon_code: ' tenoff ', customer_id: 'cus_other' })
  const begun = await visitor().call(newUserConsultation, right)
  world.advance({ hours: 23 })
  expect(await visitor().call(newUserConsultation, right)).toEqual(begun)
  world.advance({ hours: 1, minutes: 1 })
  expect((await visitor().send(newUserConsultation, right)).status).toBe(404)
})

it('what the buyer enters is checked field by field before anything is charged [BUY-4, BUY-12]', async () => {
  const empty = { firstName: '', lastName: '', email: 'no', mobile: '' }
  const refused = await visitor().send(payForConsult, order({ user: empty }))
  expect(refused.status).toBe(400)
  expect(refused.body.fields).toEqual({
    'user.firstName': 'First name can not be empty',
    'user.lastName': 'Last name can not be empty',
    'user.email': 'Invalid Email address',
    'user.mobile': 'Phone can not be empty',
  })
  expect(await visitor().refusal(payForConsult, order({ card: null }))).toBe('CARD_MISSING')
  const sent = order()
  const paid = await visitor().call(payForConsult, sent)
  const missing = await visitor().send(
    newUserConsultation,
    begin(paid, sent, { name: '', pet_species: '', query: '' }),
  )
  expect(missing.body.fields).toEqual({
    name: 'Pet name is required',
    pet_species: 'Pet type is required',
    query: 'Pet issue is required',
  })
  for (const [pet_species, pet_breed] of [
    [1, ''],
    [2, shop.breed],
  ]) {
    const noBreed = await visitor().send(newUserConsultation, begin(paid, sent, { pet_species, pet_breed }))
    expect(noBreed.body.fields).toEqual({ pet_breed: 'Pet breed is required' })
  }
  const untrue = await visitor().send(newUserConsultation, begin(paid, sent, { pet_dob: '2999-01-01' }))
  expect(Object.keys(untrue.body.fields!)).toEqual(['pet_dob'])
  expect(await visitor().refusal(payForConsult, order({ details: shop.details({ pet_breed: '' }) }))).toBe(
    'PET_BREED_MISSING',
  )
  expect((await visitor().send(newUserConsultation, begin(paid, sent))).status).toBe(200)
})

it('a buyer’s date of birth counts even if an age is given too, and an age alone becomes one [BUY-12]', async () => {
  for (const [pet_dob, born] of [
    ['2020-02-29', '2020-02-29'],
    ['', new Date(world.now().getTime() - 3 * 365.25 * DAY).toISOString().slice(0, 7)],
  ]) {
    await shop.buy(order(), { pet_dob, pet_age: 3, pet_sex: 'male' })
    const [pet] = await world.db.select().from(pets).orderBy(desc(pets.id)).limit(1)
    expect(pet!.dob).toContain(born)
    expect(pet!.sex).toBe(1)
  }
})

it('a buyer may have a name that was cut in the middle of an emoji [BUY-9, API-3]', async () => {
  const sent = order({ user: { ...person(), firstName: 'Thandi \udc36' } })
  expect((await visitor().send(payForConsult, sent)).body.status).toBe('succeeded')
})

it('a buyer who looks like a robot is told where to find a person [BUY-5]', async () => {
  const { body } = await visitor().send(payForConsult, order({ website: 'filled in by the browser' }))
  expect(body.errors).toEqual(['We couldn’t take this order. Please write to us on the contact page.'])
})

it("an order is refused and not charged if a robot sent it or the terms aren't agreed to [BUY-2, BUY-5]", async () => {
  const robot = order({ website: 'http://spam.example' })
  expect(await visitor().refusal(payForConsult, robot)).toBe('HONEYPOT')
  const loth = order({ agreed: false })
  expect(await visitor().refusal(payForConsult, loth)).toBe('PURCHASE_TERMS_NOT_AGREED')
  for (const { user } of [robot, loth]) expect(await shop.purchaseOf(user.email)).toBeUndefined()
})

it.each([
  ['za', {}, { amount: 45_000, currency: 'zar' }],
  ['au', AU, { amount: 3995, currency: 'aud' }],
] as const)(
  'the price of %s is the only one accepted; a buyer with another one is shown the right one [BUY-8, D8]',
  async (_, headers, price) => {
    for (const change of [{ amount: 1 }, { amount: price.amount + 1 }, { currency: 'usd' }, { amount: 0 }]) {
      const sent = order({ ...price, ...change })
      const reply = await visitor().send(payForConsult, sent, headers)
      expect([reply.status, reply.body.code]).toEqual([409, 'price_changed'])
      expect(reply.body).toMatchObject({ price })
      expect(await shop.purchaseOf(sent.user.email)).toBeUndefined()
    }
  },
)

it('the price is what the coupon leaves, also for floodsupport in both regions [BUY-8, D11]', async () => {
  const cases = [
    ['tenoff', 40_500, {}],
    ['R50OFF', 40_000, {}],
    ['floodsupport', 1000, {}],
    ['floodsupport', 500, AU],
  ] as const
  for (const [coupon_code, amount, headers] of cases) {
    const currency = headers === AU ? 'AUD' : 'ZAR'
    const full = order({ coupon_code, amount: currency === 'AUD' ? 3995 : 45_000, currency })
    expect((await visitor().send(payForConsult, full, headers)).body).toMatchObject({
      price: { amount },
    })
    const sent = order({ coupon_code, amount, currency })
    expect((await visitor().send(payForConsult, sent, headers)).body.status).toBe('succeeded')
    expect(
      (await shop.chargesOf((await shop.purchaseOf(sent.user.email)).stripeCustomer))[0]!.data,
    ).toMatchObject({
      amount,
    })
  }
  expect(await visitor().refusal(payForConsult, order({ coupon_code: 'NONE' }))).toBe('COUPON_INVALID')
})

it('the price of zero needs no card, charges nothing, and mails the link back to the consult [BUY-6]', async () => {
  const { sent, paid, token } = await shop.buy(await shop.free())
  expect([paid.status, typeof token]).toEqual(['succeeded', 'string'])
  const stored = await shop.purchaseOf(sent.user.email)
  expect(stored).toMatchObject({ state: 'delivered', amount: 0, stripeCustomer: null, stripeIntent: null })
  expect(await world.rows(ledger, { purchaseId: stored.id })).toEqual([])
  const letters = await world.mailsTo(sent.user.email)
  expect(letters.map(({ template }) => template)).toEqual(['consult begun'])
  expect(letters[0]!.text).toContain('/userVideo/person_')
})

it('the price of zero, requested in the same words from elsewhere, opens nothing of the first buyer’s [BUY-9, BUY-10]', async () => {
  const sent = await shop.free()
  const buyer = visitor()
  const mine = await buyer.call(payForConsult, sent)
  expect(await buyer.call(payForConsult, sent)).toEqual(mine)
  const { consultation } = await buyer.call(newUserConsultation, begin(mine, sent))
  const stranger = visitor()
  const userConfirmation = await solved(world, 'pay')
  const theirs = await stranger.call(payForConsult, { ...sent, userConfirmation })
  expect(theirs.purchase).not.toBe(mine.purchase)
  expect(theirs.customer.id).not.toBe(mine.customer.id)
  const begun = await stranger.call(newUserConsultation, begin(theirs, sent))
  expect(begun.consultation.id).not.toBe(consultation.id)
})
