import { asc, eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { me } from '#contract/accounts.ts'
import { subscribe, upgrade } from '#contract/joining.ts'
import { listFailedRefunds, refundCharge } from '#contract/ledger.ts'
import { myPaymentMethod } from '#contract/payments.ts'
import { listPets } from '#contract/pets.ts'
import { confirmEmail } from '#contract/profile.ts'
import { REGIONS, type Region } from '#contract/regions.ts'
import { sandboxChallenge } from '#contract/sandbox.ts'
import {
  consents,
  coupons,
  couponUses,
  customers,
  giftCards,
  ledger,
  purchases,
  refunds,
  sandboxObjects,
  subscriptions,
  users,
} from '#server/db/schema.ts'
import { newcomer, solved, upgradeForm } from '#test/joining.ts'
import { AU } from '#test/shop.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld({ env: { SITES: 'au=http://au.localhost', SHOP_NAME: 'Petculture' } })

const at = (region: Region) => (region === 'au' ? AU : {})
const SUBSCRIPTIONS = 'POST /v1/subscriptions'

const userOf = async (email: string) => (await world.rows(users, { email }))[0]
/** What the provider charged the customer with this email. */
async function chargedTo(email: string) {
  const rows = await world.db.select().from(sandboxObjects).orderBy(asc(sandboxObjects.at))
  const everything = rows.map((row) => ({ ...row, data: row.data as { email?: string; amount: number } }))
  const theirs = everything.filter(({ data }) => data.email === email).map(({ id }) => id)
  return everything
    .filter(({ object, customer }) => object === 'charge' && theirs.includes(customer ?? ''))
    .map(({ data }) => data.amount)
}
async function joins(change?: Parameters<typeof newcomer>[1]) {
  const one = await newcomer(world, change)
  return { ...one, body: await one.browser.call(subscribe, one.form) }
}
const purchaseOf = async (email: string) => (await world.rows(purchases, { email })).at(-1)!
const coupon = (values: Partial<typeof coupons.$inferInsert>) =>
  world.add(coupons, {
    code: `C${Math.random().toString(36).slice(2, 10)}`,
    referrer: 'test',
    product: 'membership',
    ...values,
  })

it.each([
  ['za', 'annual', 200_000],
  ['au', 'monthly', 2_000],
] as const)(
  'joining in %s, %s, makes account, pet, membership and payment once [JOI-1, JOI-4]',
  async (region, plan, price) => {
    const { form, browser } = await newcomer(world, { plan })
    const { status, body } = await browser.send(subscribe, form, at(region))
    expect([status, body]).toMatchObject([
      200,
      { subscription: { plan, price, currency: REGIONS[region].currency, source: 'vetchat', end: null } },
    ])
    expect(await chargedTo(form.email)).toEqual([price])
    const owner = await world.signedIn(form.email)
    const account = await owner.call(me, {})
    expect(account).toMatchObject({
      firstName: 'Lerato',
      lastName: 'Nkosi',
      mobile: '082 555 1234',
      postcode: '8001',
      address: '1 Long Street',
      region,
    })
    const [pet, ...others] = await owner.call(listPets, {})
    expect(others).toEqual([])
    expect(pet).toMatchObject({ name: 'Biscuit', sex: 2, dob: '2021-03-04', cover: { state: 'waiting' } })
    expect(pet!.care).toHaveLength(5)
    expect(account.subscription).toMatchObject({ pets: [pet!.id], plan })
    expect(await owner.call(myPaymentMethod, {})).toMatchObject({ brand: 'visa', last4: '4242' })
    const lines = await world.rows(ledger, { userId: account.id })
    expect(lines).toMatchObject([
      { kind: 'charge', what: 'membership', amount: price, currency: REGIONS[region].currency, region },
    ])
    const agreed = await world.rows(consents, { userId: account.id })
    expect(agreed).toMatchObject([{ call: 'subscribe', ticked: true, terms: '1' }])
    const letters = (await world.mailsTo(form.email)).map(({ template }) => template)
    expect(letters.toSorted()).toEqual(['receipt', 'welcome'])
  },
)

it('joining stores the password only as a hash, and only in the account [JOI-1]', async () => {
  const { form } = await joins({ password: 'Un1queSecret' })
  const row = await purchaseOf(form.email)
  expect(Object.keys(row.order)).toEqual(['plan', 'petId'])
  expect(JSON.stringify(row)).not.toContain('argon2')
  const refused = await newcomer(world, { stripeToken: 'tok_chargeDeclined' })
  await refused.browser.send(subscribe, refused.form)
  expect(JSON.stringify(await purchaseOf(refused.form.email))).not.toContain('argon2')
})

it('a new member is welcomed by mail with the price, the gift and a link that confirms the email [SUB-7, JOI-4, ACC-1, D30]', async () => {
  const { form } = await joins({
    plan: 'monthly',
    promo: 'intro-20',
    stripeToken: 'tok_mastercard',
  })
  const letter = (await world.mailsTo(form.email, 'welcome'))[0]!
  for (const words of [
    'You paid R160 today',
    'for R200',
    'Biscuit is on it',
    'gift card of R200 from Petculture',
  ])
    expect(letter.text).toContain(words)
  const owner = await world.signedIn(form.email)
  expect((await owner.call(me, {})).email_confirmed).toBe(false)
  await world.nobody.call(confirmEmail, { code: await world.codeTo(form.email, 'email') })
  expect((await owner.call(me, {})).email_confirmed).toBe(true)
})

it("joining leaves a guest's consult with the same email where it is [D30]", async () => {
  const guest = await world.guest()
  const { form } = await joins({ email: guest.user.email })
  const made = await world.rows(users, { email: guest.user.email })
  expect(made).toHaveLength(2)
  const owner = await world.signedIn(form.email)
  expect((await owner.call(listPets, {})).map(({ name }) => name)).toEqual(['Biscuit'])
})

it('joining leaves out PawCare cover, and subscribes to news, if the boxes say so [JOI-1]', async () => {
  const { form } = await joins({ pawcare_out: true, emailSubscription: true })
  const owner = await world.signedIn(form.email)
  expect((await owner.call(listPets, {}))[0]).toMatchObject({
    pawcare_pets: [],
    cover: { state: 'opted_out' },
  })
  expect((await owner.call(me, {})).notifications.news).toBe(true)
})

it("joining accepts annually for annual, and a problem, which it doesn't need [D28, D31]", async () => {
  const { form, browser } = await newcomer(world, { query: 'He limps' })
  const { body } = await browser.send(subscribe, { ...form, plan: 'annually' })
  expect(body).toMatchObject({ subscription: { plan: 'annual' } })
})

it.each([
  ['intro-20', 160_000],
  ['intro-30', 140_000],
  ['INTRO-40', 200_000],
  ['intro-99', 200_000],
])(
  'what joining costs with the promo %s is %i now and the full price next time [JOI-2]',
  async (promo, first) => {
    const { form, body } = await joins({ promo })
    expect(body).toMatchObject({ subscription: { price: 200_000 } })
    expect(await chargedTo(form.email)).toEqual([first])
    const row = await purchaseOf(form.email)
    expect([row.amount, row.promo]).toEqual([first, first < 200_000 ? promo : null])
  },
)

it('what joining costs with a coupon of some months is less until they are over [JOI-2, SUB-4]', async () => {
  const { code } = await coupon({ percentOff: 50, length: 3 })
  const { form, body } = await joins({ plan: 'monthly', coupon: code })
  expect(body).toMatchObject({ subscription: { price: 10_000 } })
  const prices: number[] = []
  const told = new Set<string>()
  for (let month = 0; month < 4; month++) {
    // Twice in the five days before the renewal, however long its month is, and once after it.
    for (const days of [26, 2, 3]) {
      await world.pass({ days })
    }
    prices.push((await (await world.signedIn(form.email)).call(me, {})).subscription!.price)
    // The text of a mail is erased after three months.
    for (const { template, text } of await world.mailsTo(form.email))
      if (template === 'renewal ahead' && text !== '') told.add(/renews on (.*)\./.exec(text)![1]!)
  }
  const charged = await chargedTo(form.email)
  expect(charged.slice(0, 5)).toEqual([10_000, 10_000, 10_000, 20_000, 20_000])
  expect(prices.at(-1)).toBe(20_000)
  expect([...told].map((words) => /R\d+/.exec(words)![0]).slice(0, 4)).toEqual([
    'R100',
    'R100',
    'R200',
    'R200',
  ])
})

it('what joining costs is less by the larger of promo and coupon, and uses up the coupon only if it is larger [JOI-2]', async () => {
  const small = await coupon({ percentOff: 10 })
  const one = await joins({ promo: 'intro-40', coupon: small.code })
  expect(await chargedTo(one.form.email)).toEqual([120_000])
  expect(await world.rows(couponUses, { couponId: small.id })).toEqual([])
  const large = await coupon({ percentOff: 75 })
  const two = await joins({ promo: 'intro-40', couponCode: large.code.toLowerCase() })
  expect(await chargedTo(two.form.email)).toEqual([50_000])
  expect(await world.rows(couponUses, { couponId: large.id })).toHaveLength(1)
})

it('what joining costs with a coupon for an amount or a fixed price is what the coupon leaves [JOI-2, D11]', async () => {
  const off = await coupon({ amountOff: 40_000, region: 'za' })
  const one = await joins({ coupon: off.code })
  expect(await chargedTo(one.form.email)).toEqual([160_000])
  const left = await coupon({ leftToPay: 1_000, region: 'za' })
  const two = await newcomer(world, { coupon: left.code })
  expect(await two.browser.call(subscribe, two.form)).toMatchObject({ subscription: { price: 200_000 } })
  expect(await chargedTo(two.form.email)).toEqual([1_000])
})

it('what joining costs is nothing at first with a coupon for the full price, and the card pays once that is over [JOI-2, SAF-2]', async () => {
  const { code } = await coupon({ percentOff: 100, length: 3 })
  const bare = await newcomer(world, { plan: 'monthly', coupon: code, stripeToken: null })
  const refused = await bare.browser.send(subscribe, bare.form)
  expect([refused.status, refused.body.fields]).toEqual([
    400,
    { stripeToken: 'Missing / invalid payment card details.' },
  ])
  expect(await userOf(bare.form.email)).toBeUndefined()
  const { form, body } = await joins({ plan: 'monthly', coupon: code })
  expect(body).toMatchObject({ subscription: { price: 0 } })
  expect(await chargedTo(form.email)).toEqual([])
  const owner = await world.signedIn(form.email)
  expect(await owner.call(myPaymentMethod, {})).toMatchObject({ last4: '4242' })
  expect((await owner.call(listPets, {}))[0]!.cover.state).toBe('waiting')
  const { id } = await owner.call(me, {})
  expect(await world.rows(giftCards, { userId: id })).toEqual([])
  const mails = await world.mailsTo(form.email)
  expect(mails.map(({ template }) => template)).toEqual(['welcome'])
  expect(mails[0]!.text).toContain('Once the free period is over, we’ll charge your card R200 a month.')
  for (let month = 0; month < 4; month++) {
    await world.pass({ days: 31 })
  }
  expect(await chargedTo(form.email)).toContain(20_000)
})

it.each([
  [{ percentOff: 100, length: null }],
  [{ percentOff: 100, length: 1200 }],
  [{ leftToPay: 0, region: 'za' as const }],
  [{ amountOff: 500_000, region: 'za' as const }],
])('joining needs a card even if it costs nothing: %o [SAF-2]', async (values) => {
  const { code } = await coupon(values)
  for (const plan of ['annual', 'monthly'] as const) {
    const { form, browser } = await newcomer(world, { plan, coupon: code, stripeToken: null })
    expect(await browser.refusal(subscribe, form)).toBe('CARD_MISSING')
    const owner = await world.owner()
    const sent = await upgradeForm(world, { plan, coupon: code, stripeToken: null })
    expect(await owner.refusal(upgrade, sent)).toBe('CARD_MISSING')
    const rows = await world.rows(subscriptions, { userId: owner.id })
    expect(rows).toEqual([])
  }
})

it('joining is not charged if the coupon is invalid [JOI-2]', async () => {
  const over = await coupon({ percentOff: 50, end: new Date(world.now().getTime() - 1000) })
  const consult = await coupon({ percentOff: 50, product: 'consult' })
  const au = await coupon({ amountOff: 100, region: 'au' })
  for (const code of ['nothing', over.code, consult.code, au.code]) {
    const { form, browser } = await newcomer(world, { coupon: code })
    expect(await browser.refusal(subscribe, form)).toBe('COUPON_INVALID')
    expect(await userOf(form.email)).toBeUndefined()
    expect(await chargedTo(form.email)).toEqual([])
  }
})

it.each([
  [{ firstName: '' }, 'firstName', 'First name can not be empty'],
  [{ lastName: '' }, 'lastName', 'Last name can not be empty'],
  [{ email: 'x' }, 'email', 'Invalid Email address'],
  [{ mobile: ' ' }, 'mobile', 'Phone can not be empty'],
  [{ password: undefined }, 'password', 'Password is required'],
  [{ password: 'weak' }, 'password', /^Password must contain/],
  [{ plan: 'weekly' }, 'plan', 'Please choose an annual or a monthly plan.'],
  [{ stripeToken: null }, 'stripeToken', 'Missing / invalid payment card details.'],
  [{ stripeToken: '' }, 'stripeToken', 'Missing / invalid payment card details.'],
  [{ pet: { name: '', type: 1, breed: 1 } }, 'pet.name', 'Pet name is required'],
  [{ pet: { name: 'B', type: '', breed: 1 } }, 'pet.type', 'Pet type is required'],
  [{ pet: { name: 'B', type: 2, breed: '' } }, 'pet.breed', 'Pet breed is required'],
  [{ pet: { name: 'B', type: 3, sex: 'x' } }, 'pet.sex', 'Please check what you entered and try again.'],
  [{ pet: { name: 'B', type: 3, dob: '2999-01-01' } }, 'pet.dob', /^Please enter a date of birth/],
])(
  'joining is refused with a message beside the field for %o [JOI-3, BUY-4]',
  async (change, field, says) => {
    const { form, browser } = await newcomer(world)
    const { status, body } = await browser.send(subscribe, { ...form, ...change })
    expect(status).toBe(400)
    expect(body.fields![field]).toMatch(says)
    expect(await userOf(form.email)).toBeUndefined()
  },
)

it("joining is refused if the terms aren't agreed to [D18]", async () => {
  const { form, browser } = await newcomer(world)
  expect(await browser.refusal(subscribe, { ...form, agreed: false })).toBe('PURCHASE_TERMS_NOT_AGREED')
})

it('joining is refused without a human check for joining that is in time and unused, before any charge [JOI-6]', async () => {
  const { form, browser } = await newcomer(world)
  const used = form.userConfirmation!
  await browser.call(subscribe, form)
  const late = await solved(world, 'subscribe_annually')
  for (const userConfirmation of [null, 'nonsense', used, await solved(world, 'subscribe_monthly')]) {
    const other = await newcomer(world, { userConfirmation })
    expect(await other.browser.refusal(subscribe, other.form)).toBe('HUMAN_CHECK')
    expect(await chargedTo(other.form.email)).toEqual([])
  }
  world.advance({ minutes: 21 })
  const slow = await newcomer(world, { userConfirmation: late })
  expect(await slow.browser.refusal(subscribe, slow.form)).toBe('HUMAN_CHECK')
})

it('joining is refused with an email that has an account, after the human check and without a charge [D30]', async () => {
  const owner = await world.owner()
  const { form, browser } = await newcomer(world, { email: owner.email.toUpperCase() })
  expect(await browser.refusal(subscribe, { ...form, userConfirmation: null })).toBe('HUMAN_CHECK')
  expect(await browser.refusal(subscribe, form)).toBe('EMAIL_HAS_ACCOUNT')
  expect(await chargedTo(owner.email)).toEqual([])
  expect((await userOf(owner.email))!.passwordHash).toBe(owner.passwordHash)
})

it.each([
  ['tok_chargeDeclinedInsufficientFunds', 'CARD_REFUSED', 'Your card has insufficient funds.'],
  ['tok_chargeCustomerFail', 'CARD_REFUSED', 'Your card was declined.'],
])(
  'joining is refused with the card %s, which leaves nothing behind and frees the coupon [JOI-3]',
  async (stripeToken, code, says) => {
    const once = await coupon({ percentOff: 50, uses: 1 })
    const { form, browser } = await newcomer(world, { stripeToken, coupon: once.code })
    const { status, body } = await browser.send(subscribe, form)
    expect([status, body.code, body.errors]).toEqual([402, code, [says]])
    expect(await userOf(form.email)).toBeUndefined()
    const again = {
      ...form,
      stripeToken: 'tok_visa',
      userConfirmation: await solved(world, 'subscribe_annually'),
    }
    expect((await browser.send(subscribe, again)).status).toBe(200)
    expect(await chargedTo(form.email)).toEqual([100_000])
  },
)

it('joining is refused with a card that was refused; another card joins, however many were refused there [JOI-3, SAF-5]', async () => {
  const { form, browser } = await newcomer(world)
  for (let n = 0; n < 5; n++) {
    const tried = { ...form, stripeToken: n % 2 ? 'tok_chargeDeclined' : 'tok_visa_chargeDeclinedLostCard' }
    const userConfirmation = await solved(world, 'subscribe_annually')
    const key = { 'idempotency-key': `refused-${n}` }
    expect((await browser.send(subscribe, { ...tried, userConfirmation }, key)).status).toBe(402)
  }
  expect(await userOf(form.email)).toBeUndefined()
  const userConfirmation = await solved(world, 'subscribe_annually')
  expect((await browser.send(subscribe, { ...form, userConfirmation })).status).toBe(200)
})

it("a bank's challenge that is passed completes the same purchase [JOI-4, BUY-6]", async () => {
  const { form, browser } = await newcomer(world, {
    stripeToken: 'tok_threeDSecure2Required',
    plan: 'monthly',
  })
  const asked = await browser.call(subscribe, form)
  if (!('status' in asked)) throw new Error('No challenge')
  expect(await userOf(form.email)).toBeUndefined()
  const again = await browser.call(subscribe, { ...form, purchase: asked.purchase })
  expect(again).toMatchObject({ status: 'requires_action' })
  await world.nobody.call(sandboxChallenge, { client_secret: asked.client_secret, succeed: true })
  const done = await browser.call(subscribe, { ...form, purchase: asked.purchase })
  expect(done).toMatchObject({ subscription: { plan: 'monthly' } })
  expect(await chargedTo(form.email)).toEqual([20_000])
  await world.pass({ days: 33 })
  expect(await chargedTo(form.email)).toEqual([20_000, 20_000])
})

it("a bank's challenge that nobody answers is replaced by a second try with another card [JOI-4]", async () => {
  const { form, browser } = await joins({ stripeToken: 'tok_threeDSecure2Required' })
  const userConfirmation = await solved(world, 'subscribe_annually')
  await browser.call(subscribe, { ...form, stripeToken: 'tok_visa', userConfirmation })
  await world.pass({ hours: 2 })
  expect(await chargedTo(form.email)).toEqual([200_000])
  expect(await world.rows(subscriptions, { userId: (await userOf(form.email))!.id })).toHaveLength(1)
})

it('a purchase joins once, even after a second press, a lost answer or another key [JOI-4, BUY-9]', async () => {
  const { form, browser } = await newcomer(world)
  const key = { 'idempotency-key': 'one-press' }
  const [first, second] = await Promise.all([
    browser.send(subscribe, form, key),
    browser.send(subscribe, form, key),
  ])
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.body).toEqual(first.body)
  const later = { ...form, userConfirmation: await solved(world, 'subscribe_annually') }
  expect((await browser.send(subscribe, later, key)).body).toEqual(first.body)
  expect(await browser.refusal(subscribe, { ...later, firstName: 'Other' }, key)).toBe(
    'IDEMPOTENCY_KEY_REUSED',
  )
  expect(await browser.refusal(subscribe, later, { 'idempotency-key': 'two' })).toBe('EMAIL_HAS_ACCOUNT')
  expect(await chargedTo(form.email)).toEqual([200_000])
  expect(await world.rows(customers, { userId: (await userOf(form.email))!.id })).toHaveLength(1)
})

it.each(['lostAnswer', 'error500'] as const)(
  'a purchase with %s at the provider is finished by the clock, once [JOI-4, BUY-9]',
  async (fault) => {
    const { form, browser } = await newcomer(world)
    await world.arm(fault, SUBSCRIPTIONS, 3)
    const { status } = await browser.send(subscribe, form)
    expect(status).toBe(503)
    await world.pass({ minutes: 3 })
    expect(await chargedTo(form.email)).toEqual([200_000])
    const letters = (await world.mailsTo(form.email)).map(({ template }) => template)
    expect(letters.toSorted()).toEqual(['receipt', 'welcome'])
    expect((await (await world.signedIn(form.email)).call(me, {})).subscription).not.toBeNull()
  },
)

/** The email gets an account while the bank's challenge of its purchase is open. */
async function overtaken(fields: Parameters<typeof newcomer>[1] = {}) {
  const { form, browser } = await newcomer(world, { stripeToken: 'tok_threeDSecure2Required', ...fields })
  const asked = await browser.call(subscribe, form)
  if (!('status' in asked)) throw new Error('No challenge')
  const owner = await world.person({ email: form.email })
  await world.nobody.call(sandboxChallenge, { client_secret: asked.client_secret, succeed: true })
  return { form, owner, reply: await browser.send(subscribe, { ...form, purchase: asked.purchase }) }
}

it('a purchase is refunded and frees its coupon if the email got an account meanwhile [D30, BUY-8]', async () => {
  const { id: couponId, code } = await coupon({ percentOff: 10, uses: 1 })
  const { form, owner, reply } = await overtaken({ coupon: code })
  const { status, body } = reply
  expect([status, body.code]).toEqual([409, 'EMAIL_HAS_ACCOUNT'])
  world.advance({ minutes: 2 })
  const letters = await world.mailsTo(form.email)
  expect(letters.map(({ template }) => template)).toContain('membership undone')
  await world.pass({ minutes: 2 })
  const row = await purchaseOf(form.email)
  expect(row.state).toBe('refunded')
  const lines = await world.rows(ledger, { purchaseId: row.id })
  expect(lines.map(({ amount }) => amount)).toEqual([180_000, -180_000])
  const uses = await world.rows(couponUses, { couponId })
  expect(uses).toMatchObject([{ releasedAt: expect.any(Date) }])
  expect((await owner.call(me, {})).subscription).toBeNull()
  const theirs = eq(sandboxObjects.id, row.stripeSubscription!)
  const [ended] = await world.db.select().from(sandboxObjects).where(theirs)
  expect(ended!.data).toMatchObject({ status: 'canceled' })
})

it('a purchase that was refunded in part by hand is refunded in full [D30, ADM-8]', async () => {
  const { form } = await overtaken()
  const { id } = await purchaseOf(form.email)
  const lines = () => world.rows(ledger, { purchaseId: id })
  const [charge] = await lines()
  const admin = await world.admin()
  await admin.call(refundCharge, { id: charge!.id, amount: 50_000, reason: 'Called us' })
  await world.runDue()
  await world.pass({ minutes: 2 })
  await world.runDue()
  expect((await purchaseOf(form.email)).state).toBe('refunded')
  expect((await lines()).map(({ amount }) => amount)).toEqual([200_000, -50_000, -150_000])
})

it('a purchase whose refund the bank returns waits for an admin under Failed refunds [D30, ADM-8]', async () => {
  const { form } = await overtaken()
  const { id } = await purchaseOf(form.email)
  const [charge] = await world.rows(ledger, { purchaseId: id })
  await world.pass({ minutes: 2 })
  await world.runDue()
  expect(await world.rows(refunds, { chargeId: charge!.id })).toMatchObject([
    { why: 'undone', amount: 200_000, dueAt: null },
  ])
  await world.arm('refundFails', charge!.stripeId)
  for (let run = 0; run < 2; run++) await world.runDue()
  const { refunds: failed } = await (await world.admin()).call(listFailedRefunds, {})
  expect(failed).toMatchObject([{ amount: 200_000, came_back: 'returned', charge: { id: charge!.id } }])
})
