import { desc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { me } from '#contract/accounts.ts'
import type { Input } from '#contract/call.ts'
import { newUserConsultation, pay } from '#contract/checkout.ts'
import { getConsultation } from '#contract/consultations.ts'
import { LIMITS } from '#contract/limits.ts'
import { setDuty } from '#contract/line.ts'
import { sandboxCard, sandboxChallenge, sandboxFaults } from '#contract/sandbox.ts'
import { COUPONS } from '#server/db/demo/coupons.ts'
import {
  breeds,
  consents,
  consultations,
  coupons,
  couponUses,
  ledger,
  newsletter,
  pets,
  purchases,
  sandboxObjects,
  users,
} from '#server/db/schema.ts'
import { newChallenge } from '#server/human/rules.ts'
import { createHash } from 'node:crypto'
import { createWorld, type TestWorld } from '#test/world.ts'

const AU = { host: 'au.localhost' }
let world: TestWorld
let vet: { id: number }
let breed: number
beforeAll(async () => {
  world = await createWorld({ env: { SITES: 'au=http://au.localhost' } })
  vet = await world.vet()
  await world.db
    .insert(coupons)
    .values(COUPONS.map((coupon) => ({ ...coupon, referrer: 'VetChat', demo: true })))
  const [dog] = await world.db.select().from(breeds).where(eq(breeds.speciesId, 1)).limit(1)
  breed = dog!.id
  // Both regions are open now: midday in Sydney.
  const hour = world.now().getUTCHours()
  world.advance({ hours: (26 - hour) % 24 })
})
/** Sessions of staff are short, and the clock jumps. */
const duty = async (on: boolean) => world.nobody.with(await world.signIn(vet.id)).call(setDuty, { on })
beforeEach(async () => void (await duty(true)))
afterAll(() => world.close())

let count = 0
/** Somebody at an address of their own. */
const visitor = () => world.nobody.from(`10.20.${++count % 250}.${count >> 8}`)
const person = () => ({
  firstName: 'Thandi',
  lastName: 'Mokoena',
  email: `buyer${++count}@example.com`,
  mobile: '082 123 4567',
})
type Pay = Input<typeof pay>
const order = (change: Partial<Pay> = {}) => ({
  card: { token: 'tok_visa' },
  amount: 45_000,
  currency: 'ZAR',
  consult: 1,
  user: person(),
  agreed: true,
  terms: '1',
  ...change,
})
const details = (change: object = {}) => ({
  name: 'Biscuit',
  pet_species: 1,
  pet_breed: breed,
  pet_age: '3',
  pet_dob: '',
  pet_sex: 0,
  query: 'She will not eat',
  postcode: '8001',
  address: '1 Long Street',
  user_clinic: 'Two Oaks',
  emailSubscription: false,
  ...change,
})
const begin = (paid: { purchase: string; customer: { id: string } }, sent: Pay, change: object = {}) => ({
  purchase: paid.purchase,
  customer_id: paid.customer.id,
  ...sent.user,
  ...details(),
  consult_type: sent.consult,
  coupon_code: '',
  ...change,
})
const purchaseOf = async (email: string) =>
  (await world.db.select().from(purchases).where(eq(purchases.email, email)))[0]!
const chargesOf = async (customer: string | null) =>
  customer === null
    ? []
    : (await world.db.select().from(sandboxObjects).where(eq(sandboxObjects.customer, customer))).filter(
        ({ object }) => object === 'charge',
      )
const arm = (fault: 'decline' | 'challenge' | 'lostAnswer' | 'error500', call: string, times = 1) =>
  world.nobody.call(sandboxFaults, { fault, call, times })
const INTENTS = 'POST /v1/payment_intents'

/** A solution of the sum, as a browser finds it. */
function solved(action: 'pay' | 'contact' = 'pay') {
  const { challenge, salt, signature, algorithm, maxnumber } = newChallenge(
    world.world.secret,
    action,
    new Date(world.now().getTime() + 600_000),
  )
  for (let number = 0; number <= maxnumber; number++)
    if (createHash('sha256').update(`${salt}${number}`).digest('hex') === challenge)
      return Buffer.from(JSON.stringify({ algorithm, challenge, number, salt, signature })).toString('base64')
  throw new Error('no solution')
}

describe('one consult', () => {
  it.each([
    ['za', 45_000, 'zar', 'ZAR', {}],
    ['au', 3995, 'aud', 'aud', AU],
  ] as const)(
    'is paid for in %s, begins once, and stands in the books [BUY-6, BUY-9, BUY-10]',
    async (region, amount, currency, sentCurrency, headers) => {
      const buyer = visitor()
      const sent = order({ amount, currency: sentCurrency })
      const paid = await buyer.send(pay, sent, headers)
      expect(paid.body).toEqual({
        status: 'succeeded',
        customer: { id: expect.stringMatching(/^cus_/) },
        purchase: expect.stringMatching(/^[\w-]{22,}$/),
      })
      const stored = await purchaseOf(sent.user.email)
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
      expect(again.body.consultation).toEqual({ id })
      expect(again.body.token).not.toBe(begun.body.token)
      const [guest] = await world.db.select().from(users).where(eq(users.email, sent.user.email))
      expect(guest).toMatchObject({ guest: true, region, postcode: '8001', userClinic: 'Two Oaks' })
      expect(guest!.publicId).toBe(paid.body.customer.id)
      expect(guest!.notifications).toEqual({ news: false })
      expect(await world.db.select().from(pets).where(eq(pets.ownerId, guest!.id))).toMatchObject([
        { name: 'Biscuit', sex: 2, breedId: breed },
      ])
      expect(await world.db.select().from(consents).where(eq(consents.userId, guest!.id))).toMatchObject([
        { call: 'pay', ticked: true, terms: '1' },
      ])
      const lines = await world.db.select().from(ledger).where(eq(ledger.purchaseId, stored.id))
      expect(lines).toMatchObject([{ kind: 'charge', what: 'consult', amount, currency, region }])
      expect(lines[0]!.stripeId).toBe(stored.stripeIntent)
      expect(await chargesOf(stored.stripeCustomer)).toHaveLength(1)
    },
  )

  it('is mailed a receipt with its number, amount and tax, and a link back that opens it [BUY-11]', async () => {
    const sent = order({ consult: 2 })
    const paid = await visitor().call(pay, sent)
    await visitor().call(newUserConsultation, begin(paid, sent))
    const letters = await world.mailsTo(sent.user.email)
    expect(letters).toHaveLength(1)
    expect(letters[0]!.text).toMatch(/R450[\s\S]*VAT 15%/)
    expect(letters[0]!.text).toContain('VC-')
    expect(letters[0]!.text).toMatch(
      new RegExp(`http://localhost/userVideo/${paid.customer.id}/\\d+\\?expires=\\d+&signature=`),
    )
  })

  it('who ticks that they want news is asked by mail first, and others are not [BUY-12]', async () => {
    for (const emailSubscription of [true, false]) {
      const sent = order()
      const paid = await visitor().call(pay, sent)
      await visitor().call(newUserConsultation, begin(paid, sent, { emailSubscription }))
      const templates = (await world.mailsTo(sent.user.email)).map(({ template }) => template)
      expect(templates.includes('newsletter')).toBe(emailSubscription)
      const list = await world.db.select().from(newsletter).where(eq(newsletter.email, sent.user.email))
      expect(list.map(({ confirmedAt }) => confirmedAt)).toEqual(emailSubscription ? [null] : [])
    }
  })

  it('of a known email signs in to nothing; bought while signed in it is in the account [BUY-10, D30]', async () => {
    const owner = await world.owner()
    const pet = await world.pet(owner.id, { name: 'biscuit', speciesId: 1 })
    const sent = order({ user: { ...person(), email: owner.email } })
    const paid = await visitor().call(pay, sent)
    const { consultation, token } = await visitor().call(newUserConsultation, begin(paid, sent))
    expect((await visitor().with(token).send(me, {})).status).toBe(403)
    const rowOf = async (id: number) =>
      (await world.db.select().from(consultations).where(eq(consultations.id, id)))[0]!
    expect((await rowOf(consultation.id)).userId).not.toBe(owner.id)
    const mine = order({ user: { ...person(), email: owner.email } })
    const bought = await owner.call(pay, mine)
    expect(bought.customer.id).toBe(owner.publicId)
    const own = await visitor().call(newUserConsultation, begin(bought, mine))
    expect(await rowOf(own.consultation.id)).toMatchObject({ userId: owner.id, petId: pet.id })
    expect((await owner.call(getConsultation, { id: own.consultation.id })).consultation.id).toBe(
      own.consultation.id,
    )
  })

  it('opens for nobody without its purchase, nor as something that was not paid for [BUY-10, D27]', async () => {
    const sent = order({ coupon_code: 'TENOFF', amount: 40_500 })
    const paid = await visitor().call(pay, sent)
    const none = { purchase: 'x'.repeat(43), customer: paid.customer }
    expect((await visitor().send(newUserConsultation, begin(none, sent))).status).toBe(404)
    for (const change of [{ consult_type: 2 }, { coupon_code: 'R50OFF' }, { coupon_code: '' }]) {
      const other = await visitor().send(
        newUserConsultation,
        begin(paid, sent, { coupon_code: 'TENOFF', ...change }),
      )
      expect([other.status, other.body.code]).toEqual([409, 'PURCHASE_DIFFERS'])
    }
    const right = begin(paid, sent, { coupon_code: ' tenoff ', customer_id: 'cus_other' })
    const begun = await visitor().call(newUserConsultation, right)
    world.advance({ hours: 23 })
    expect((await visitor().call(newUserConsultation, right)).consultation).toEqual(begun.consultation)
    world.advance({ hours: 1, minutes: 1 })
    expect((await visitor().send(newUserConsultation, right)).status).toBe(404)
  })
})

describe('what is said', () => {
  it('is looked over field by field, before anything is charged [BUY-4, BUY-12]', async () => {
    const empty = { firstName: '', lastName: '', email: 'no', mobile: '' }
    const refused = await visitor().send(pay, order({ user: empty as never }))
    expect(refused.status).toBe(400)
    expect(refused.body.fields).toEqual({
      'user.firstName': 'First name can not be empty',
      'user.lastName': 'Last name can not be empty',
      'user.email': 'Invalid Email address',
      'user.mobile': 'Phone can not be empty',
    })
    const noCard = await visitor().send(pay, order({ card: null }))
    expect([noCard.status, noCard.body.errors]).toEqual([400, ['Missing / invalid payment card details.']])
    const sent = order()
    const paid = await visitor().call(pay, sent)
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
      [2, breed],
    ]) {
      const noBreed = await visitor().send(newUserConsultation, begin(paid, sent, { pet_species, pet_breed }))
      expect(noBreed.body.fields).toEqual({ pet_breed: 'Pet breed is required' })
    }
    const untrue = await visitor().send(newUserConsultation, begin(paid, sent, { pet_dob: '2999-01-01' }))
    expect(Object.keys(untrue.body.fields!)).toEqual(['pet_dob'])
    const early = await visitor().send(pay, order({ details: details({ pet_breed: '' }) as never }))
    expect([early.status, early.body.code]).toEqual([400, 'PET_BREED_MISSING'])
    expect((await visitor().send(newUserConsultation, begin(paid, sent))).status).toBe(200)
  })

  it('has a date of birth win over an age, and an age make one [BUY-12]', async () => {
    for (const [pet_dob, born] of [
      ['2020-02-29', '2020-02-29'],
      ['', new Date(world.now().getTime() - 3 * 365.25 * 86_400_000).toISOString().slice(0, 7)],
    ]) {
      const sent = order()
      const paid = await visitor().call(pay, sent)
      await visitor().call(newUserConsultation, begin(paid, sent, { pet_dob, pet_age: 3, pet_sex: 'male' }))
      const [pet] = await world.db.select().from(pets).orderBy(desc(pets.id)).limit(1)
      expect(pet!.dob).toContain(born)
      expect(pet!.sex).toBe(1)
    }
  })

  it('of a name that was cut in the middle of an emoji is sold [BUY-9, API-3]', async () => {
    const sent = order({ user: { ...person(), firstName: 'Thandi \udc36' } })
    expect((await visitor().send(pay, sent)).body.status).toBe('succeeded')
  })

  it('by a robot or without agreement to the terms is refused and not charged [BUY-2, BUY-5]', async () => {
    const robot = order({ website: 'http://spam.example' })
    expect((await visitor().send(pay, robot)).body.code).toBe('HONEYPOT')
    const loth = order({ agreed: false })
    expect((await visitor().send(pay, loth)).body.code).toBe('PURCHASE_TERMS_NOT_AGREED')
    for (const { user } of [robot, loth]) expect(await purchaseOf(user.email)).toBeUndefined()
  })
})

describe('the price', () => {
  it.each([
    ['za', {}, { amount: 45_000, currency: 'zar' }],
    ['au', AU, { amount: 3995, currency: 'aud' }],
  ] as const)(
    'of %s is the one that counts; another is told the right one [BUY-8, D8]',
    async (_, headers, price) => {
      for (const change of [
        { amount: 1 },
        { amount: price.amount + 1 },
        { currency: 'usd' },
        { amount: 0 },
      ]) {
        const sent = order({ ...price, ...change })
        const reply = await visitor().send(pay, sent, headers)
        expect([reply.status, reply.body.code]).toEqual([409, 'price_changed'])
        expect(reply.body).toMatchObject({ price })
        expect(await purchaseOf(sent.user.email)).toBeUndefined()
      }
    },
  )

  it('with a coupon is the one it leaves, here and for floodsupport in both regions [BUY-8, D11]', async () => {
    const cases = [
      ['tenoff', 40_500, {}],
      ['R50OFF', 40_000, {}],
      ['floodsupport', 1000, {}],
      ['floodsupport', 500, AU],
    ] as const
    for (const [coupon_code, amount, headers] of cases) {
      const currency = headers === AU ? 'AUD' : 'ZAR'
      const full = order({ coupon_code, amount: currency === 'AUD' ? 3995 : 45_000, currency })
      expect((await visitor().send(pay, full, headers)).body).toMatchObject({ price: { amount } })
      const sent = order({ coupon_code, amount, currency })
      expect((await visitor().send(pay, sent, headers)).body.status).toBe('succeeded')
      expect((await chargesOf((await purchaseOf(sent.user.email)).stripeCustomer))[0]!.data).toMatchObject({
        amount,
      })
    }
    const wrong = await visitor().send(pay, order({ coupon_code: 'NONE' }))
    expect([wrong.status, wrong.body.errors]).toEqual([404, ['Invalid coupon']])
  })

  it('of nothing needs no card, charges none, and has its way back by mail [BUY-6]', async () => {
    const sent = order({ card: null, amount: 0, coupon_code: 'FREECONSULT' })
    const buyer = visitor()
    const paid = await buyer.call(pay, sent)
    expect(paid.status).toBe('succeeded')
    const { token } = await buyer.call(newUserConsultation, begin(paid, sent, { coupon_code: 'FREECONSULT' }))
    expect(token).toBeTruthy()
    const stored = await purchaseOf(sent.user.email)
    expect(stored).toMatchObject({ state: 'delivered', amount: 0, stripeCustomer: null, stripeIntent: null })
    expect(await world.db.select().from(ledger).where(eq(ledger.purchaseId, stored.id))).toEqual([])
    const letters = await world.mailsTo(sent.user.email)
    expect(letters.map(({ template }) => template)).toEqual(['consult begun'])
    expect(letters[0]!.text).toContain(`/userVideo/${paid.customer.id}/`)
  })

  it('of nothing, asked for in the same words from elsewhere, opens nothing of the first buyer [BUY-9, BUY-10]', async () => {
    const sent = order({ card: null, amount: 0, coupon_code: 'FREECONSULT' })
    const buyer = visitor()
    const mine = await buyer.call(pay, sent)
    expect(await buyer.call(pay, sent)).toEqual(mine)
    const { consultation } = await buyer.call(
      newUserConsultation,
      begin(mine, sent, { coupon_code: 'FREECONSULT' }),
    )
    const stranger = visitor()
    const theirs = await stranger.call(pay, sent)
    expect(theirs.purchase).not.toBe(mine.purchase)
    expect(theirs.customer.id).not.toBe(mine.customer.id)
    const begun = await stranger.call(
      newUserConsultation,
      begin(theirs, sent, { coupon_code: 'FREECONSULT' }),
    )
    expect(begun.consultation.id).not.toBe(consultation.id)
  })

  it('gives a coupon back when the card is refused [BUY-8]', async () => {
    const [once] = await world.db
      .insert(coupons)
      .values({ code: 'ONLYONCE', percentOff: 10, referrer: 'Test', uses: 1 })
      .returning()
    const sent = order({ coupon_code: 'ONLYONCE', amount: 40_500, card: { token: 'tok_chargeDeclined' } })
    expect((await visitor().send(pay, sent)).status).toBe(402)
    const second = order({ coupon_code: 'ONLYONCE', amount: 40_500 })
    expect((await visitor().send(pay, second)).status).toBe(200)
    expect((await visitor().send(pay, order({ coupon_code: 'ONLYONCE', amount: 40_500 }))).status).toBe(404)
    const uses = await world.db.select().from(couponUses).where(eq(couponUses.couponId, once!.id))
    expect(uses.filter(({ releasedAt }) => releasedAt === null)).toHaveLength(1)
  })
})

describe('the same press', () => {
  it('with a key is one purchase, and another payload is refused [BUY-9]', async () => {
    const sent = order()
    const headers = { 'idempotency-key': 'press-1' }
    const first = await visitor().send(pay, sent, headers)
    expect((await visitor().send(pay, sent, headers)).body).toEqual(first.body)
    const other = await visitor().send(pay, { ...sent, consult: 2 }, headers)
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED'])
    const { stripeCustomer } = await purchaseOf(sent.user.email)
    expect(await chargesOf(stripeCustomer)).toHaveLength(1)
  })

  it('without a key is known by its token and what came with it; the token is used once [BUY-9]', async () => {
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 40, cvc: '123' }
    const sent = order({ card: await world.nobody.call(sandboxCard, card) })
    const first = await visitor().call(pay, sent)
    expect(await visitor().call(pay, sent)).toEqual(first)
    const stolen = await visitor().send(pay, { ...sent, user: person() })
    expect([stolen.status, stolen.body]).toMatchObject([
      402,
      { code: 'token_already_used', errors: ['Failed to make a payment. Try again.'] },
    ])
  })

  it('is answered alike after it was refused, in the words of the bank [BUY-6]', async () => {
    const sent = order({ card: { token: 'tok_chargeDeclinedInsufficientFunds' } })
    const buyer = visitor()
    const first = await buyer.send(pay, sent)
    expect([first.status, first.body.errors]).toEqual([402, ['Your card has insufficient funds.']])
    expect((await buyer.send(pay, sent)).text).toBe(first.text)
    expect(await purchaseOf(sent.user.email)).toMatchObject({ state: 'refused', dueAt: null })
    expect(JSON.stringify((await purchaseOf(sent.user.email)).order)).not.toContain('Thandi')
  })
})

describe("a bank's challenge", () => {
  const challenge = async () => {
    const sent = order({ card: { token: 'tok_threeDSecure2Required' } })
    const paid = await visitor().call(pay, sent)
    expect(paid.status).toBe('requires_action')
    return { sent, paid }
  }

  it('is run by the page, which asks again with its purchase [BUY-6]', async () => {
    const { sent, paid } = await challenge()
    const early = await visitor().send(newUserConsultation, begin(paid, sent))
    expect([early.status, early.body.errors]).toEqual([402, ['Failed to capture the payment']])
    await world.nobody.call(sandboxChallenge, { client_secret: paid.client_secret!, succeed: true })
    const after = await visitor().call(pay, { ...sent, purchase: paid.purchase })
    expect(after).toEqual({ status: 'succeeded', customer: paid.customer, purchase: paid.purchase })
    expect((await visitor().send(newUserConsultation, begin(paid, sent))).status).toBe(200)
    const unknown = await visitor().send(pay, { ...sent, purchase: 'nobodys' })
    expect(unknown.status).toBe(404)
  })

  it('that fails is refused and can not be paid later [BUY-6]', async () => {
    const { sent, paid } = await challenge()
    await world.nobody.call(sandboxChallenge, { client_secret: paid.client_secret!, succeed: false })
    expect((await visitor().send(pay, { ...sent, purchase: paid.purchase })).status).toBe(402)
    const { stripeIntent } = await purchaseOf(sent.user.email)
    expect((await world.world.payments.intent(stripeIntent!))!.status).toBe('canceled')
  })

  it('that nobody answers is let go after an hour; passed while the page is gone it is delivered [BUY-9]', async () => {
    const { sent, paid } = await challenge()
    const { sent: other, paid: passed } = await challenge()
    await world.nobody.call(sandboxChallenge, { client_secret: passed.client_secret!, succeed: true })
    await world.runDue()
    expect((await purchaseOf(other.user.email)).state).toBe('paid')
    world.advance({ minutes: 61 })
    await world.runDue()
    expect((await purchaseOf(other.user.email)).state).toBe('delivered')
    expect((await purchaseOf(sent.user.email)).state).toBe('released')
    await world.nobody.send(sandboxChallenge, { client_secret: paid.client_secret!, succeed: true })
    await world.runDue()
    expect((await purchaseOf(sent.user.email)).state).toBe('released')
    expect(await chargesOf((await purchaseOf(sent.user.email)).stripeCustomer)).toEqual([])
  })
})

describe('trouble', () => {
  it('a lost answer says processing and finishes by itself, paid once [BUY-6, BUY-9]', async () => {
    for (const fault of ['lostAnswer', 'error500'] as const) {
      await arm(fault, INTENTS, 3)
      const sent = order()
      const buyer = visitor()
      const lost = await buyer.call(pay, sent)
      expect(lost.status).toBe('processing')
      expect((await buyer.send(newUserConsultation, begin(lost, sent))).status).toBe(200)
      const { stripeCustomer } = await purchaseOf(sent.user.email)
      expect(await chargesOf(stripeCustomer)).toHaveLength(1)
    }
    await arm('lostAnswer', INTENTS, 3)
    const left = order()
    const lost = await visitor().call(pay, left)
    world.advance({ seconds: 11 })
    await world.runDue()
    expect((await purchaseOf(left.user.email)).state).toBe('paid')
    expect((await visitor().call(pay, { ...left, purchase: lost.purchase })).status).toBe('succeeded')
  })

  it('what nobody fetched in ten minutes begins with what was said to pay, and mails the link [BUY-9, D27]', async () => {
    const told = order({ details: details() as never })
    const silent = order()
    for (const sent of [told, silent]) await visitor().call(pay, sent)
    world.advance({ minutes: 9 })
    await world.runDue()
    expect((await purchaseOf(told.user.email)).state).toBe('paid')
    expect(await world.mailsTo(told.user.email)).toEqual([])
    world.advance({ minutes: 2 })
    await world.runDue()
    for (const [sent, name, issue] of [
      [told, 'Biscuit', 'She will not eat'],
      [silent, 'Your pet', 'Not told yet'],
    ] as const) {
      const { consultationId } = await purchaseOf(sent.user.email)
      const [row] = await world.db
        .select({ issue: consultations.petIssue, name: pets.name })
        .from(consultations)
        .innerJoin(pets, eq(pets.id, consultations.petId))
        .where(eq(consultations.id, consultationId!))
      expect(row).toEqual({ name, issue })
      const letters = await world.mailsTo(sent.user.email)
      expect(letters.map(({ template }) => template).toSorted()).toEqual(['consult begun', 'receipt'])
      expect(letters.every(({ text }) => text.includes('/userVideo/'))).toBe(true)
    }
  })

  it('a process that died before it asked is finished after a day too, or let go [BUY-9]', async () => {
    await arm('error500', INTENTS, 1000)
    const sent = order()
    await visitor().call(pay, sent)
    world.advance({ hours: 21 })
    await arm('error500', INTENTS, 0)
    await world.runDue()
    expect(await purchaseOf(sent.user.email)).toMatchObject({ state: 'released', dueAt: null })
    await duty(true)
    await arm('lostAnswer', INTENTS, 3)
    const paid = order()
    await visitor().call(pay, paid)
    world.advance({ hours: 21 })
    await world.runDue()
    expect(['paid', 'delivered']).toContain((await purchaseOf(paid.user.email)).state)
    world.advance({ hours: 3 })
  })
})

describe('card testing', () => {
  const declined = (n: number) =>
    order({ card: { token: 'tok_chargeDeclinedProcessingError' }, user: { ...person(), lastName: `N${n}` } })

  it('needs a person after two refusals from an address, and waits after five [D23]', async () => {
    const buyer = visitor()
    const tokens = [
      'tok_chargeDeclined',
      'tok_chargeDeclinedInsufficientFunds',
      'tok_visa_chargeDeclinedLostCard',
      'tok_visa_chargeDeclinedStolenCard',
      'tok_chargeDeclinedExpiredCard',
    ]
    for (const [at, token] of tokens.entries()) {
      const sent = order({ card: { token } })
      if (at >= 2) {
        const unchecked = await buyer.send(pay, sent)
        expect([unchecked.status, unchecked.body.code]).toEqual([403, 'HUMAN_CHECK'])
        const wrong = await buyer.send(pay, { ...sent, userConfirmation: solved('contact') })
        expect(wrong.body.code).toBe('HUMAN_CHECK')
      }
      const reply = await buyer.send(pay, { ...sent, ...(at >= 2 && { userConfirmation: solved() }) })
      expect(reply.status).toBe(402)
    }
    const full = await buyer.send(pay, order({ userConfirmation: solved() }))
    expect([full.status, full.body.code]).toEqual([429, 'TOO_MANY_TRIES'])
    expect(full.headers['retry-after']).toBeTruthy()
    expect((await visitor().send(pay, order())).status).toBe(200)
    world.advance({ minutes: LIMITS.paymentsHere.minutes + 1 })
    expect((await buyer.send(pay, order())).status).toBe(200)
  })

  it('of one card waits after five refusals, from whatever address [BUY-9]', async () => {
    for (let n = 0; n < LIMITS.cardRefused.max; n++)
      expect((await visitor().send(pay, declined(n))).status).toBe(402)
    const sixth = await visitor().send(pay, declined(6))
    expect([sixth.status, sixth.body.code]).toEqual([429, 'TOO_MANY_TRIES'])
    expect((await visitor().send(pay, order())).status).toBe(200)
    world.advance({ minutes: LIMITS.cardRefused.minutes + 1 })
    expect((await visitor().send(pay, declined(7))).status).toBe(402)
  })
})

describe('no vet', () => {
  it('on duty, no payment; what was paid is answered all the same [BUY-13]', async () => {
    const before = order()
    const paid = await visitor().call(pay, before)
    await duty(false)
    const sent = order()
    const reply = await visitor().send(pay, sent)
    expect([reply.status, reply.body.code]).toEqual([409, 'NOBODY_ON_DUTY'])
    expect(await purchaseOf(sent.user.email)).toBeUndefined()
    expect(await visitor().call(pay, before)).toEqual(paid)
    expect((await visitor().send(newUserConsultation, begin(paid, before))).status).toBe(200)
  })

  it('out of the hours of the region, no payment; za never closes [BUY-13, D4]', async () => {
    while (new Date(world.now()).getUTCHours() !== 15) world.advance({ hours: 1 })
    await duty(true)
    const closed = await visitor().send(pay, order({ amount: 3995, currency: 'aud' }), AU)
    expect([closed.status, closed.body.code]).toEqual([409, 'CONSULT_CLOSED_HOURS'])
    expect(closed.text).toContain('6:00am to 12:00am SYD Time')
    expect((await visitor().send(pay, order())).status).toBe(200)
  })
})
