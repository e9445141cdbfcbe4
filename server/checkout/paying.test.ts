import { eq } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { newUserConsultation, payForConsult } from '#contract/checkout.ts'
import { refundCharge } from '#contract/ledger.ts'
import { deleteAccount } from '#contract/profile.ts'
import { takeConsultation } from '#contract/queue.ts'
import { sandboxCard, sandboxChallenge } from '#contract/sandbox.ts'
import { consultations, ledger, pets } from '#server/db/schema.ts'
import { PASSWORD } from '#test/people.ts'
import { AU, openShop, order, person } from '#test/shop.ts'

const shop = await openShop()
const { world, visitor, begin } = shop
beforeEach(async () => void (await shop.duty(true)))

/** Whether the provider no longer knows the customer that was made for this order, a day later. */
async function forgotten({ user }: { user: { email: string } }) {
  const { payments } = world.world
  const { stripeCustomer } = await shop.purchaseOf(user.email)
  expect(await payments.hasCustomer(stripeCustomer!)).toBe(true)
  await world.pass({ hours: 25 })
  return !(await payments.hasCustomer(stripeCustomer!))
}

it('the same press with a key is one purchase, and another payload is refused [BUY-9]', async () => {
  const sent = order()
  const headers = { 'idempotency-key': 'press-1' }
  const first = await visitor().send(payForConsult, sent, headers)
  expect((await visitor().send(payForConsult, sent, headers)).body).toEqual(first.body)
  expect(await visitor().refusal(payForConsult, { ...sent, consult: 2 }, headers)).toBe(
    'IDEMPOTENCY_KEY_REUSED',
  )
  const { stripeCustomer } = await shop.purchaseOf(sent.user.email)
  expect(await shop.chargesOf(stripeCustomer)).toHaveLength(1)
})

it('the same press without a key is recognised by its token and what came with it; the token is used once [BUY-9]', async () => {
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 40, cvc: '123' }
  const sent = order({ card: await world.nobody.call(sandboxCard, card) })
  const first = await visitor().call(payForConsult, sent)
  expect(await visitor().call(payForConsult, sent)).toEqual(first)
  const stolen = await visitor().send(payForConsult, { ...sent, user: person() })
  expect([stolen.status, stolen.body]).toMatchObject([
    402,
    { code: 'token_already_used', errors: ['Failed to make a payment. Try again.'] },
  ])
})

it("the same press gets the same answer after a refusal, in the bank's words, and the provider forgets the buyer [BUY-6]", async () => {
  const sent = order({ card: { token: 'tok_chargeDeclinedInsufficientFunds' } })
  const buyer = visitor()
  const first = await buyer.send(payForConsult, sent)
  expect([first.status, first.body.errors]).toEqual([402, ['Your card has insufficient funds.']])
  expect((await buyer.send(payForConsult, sent)).text).toBe(first.text)
  expect(await shop.purchaseOf(sent.user.email)).toMatchObject({ state: 'refused', dueAt: null })
  expect(await forgotten(sent)).toBe(true)
  expect(JSON.stringify((await shop.purchaseOf(sent.user.email)).order)).not.toContain('Thandi')
})

it('the provider forgets a buyer a day after the consult began, and can still refund them [BUY-6]', async () => {
  const { sent, id } = await shop.buy()
  await (await world.vet()).call(takeConsultation, { id })
  expect(await forgotten(sent)).toBe(true)
  const { id: purchaseId, stripeIntent } = await shop.purchaseOf(sent.user.email)
  const [charge] = await world.rows(ledger, { purchaseId })
  await (await world.admin()).call(refundCharge, { id: charge!.id, reason: 'Nobody answered.' })
  await world.runDue()
  expect(await world.world.payments.refundsOf(stripeIntent!)).toMatchObject([{ amount: 45_000 }])
})

const challenge = async () => {
  const sent = order({ card: { token: 'tok_threeDSecure2Required' } })
  const paid = await visitor().call(payForConsult, sent)
  expect(paid.status).toBe('requires_action')
  return { sent, paid }
}

it("a bank's challenge is shown by the page, which then asks again with its purchase [BUY-6]", async () => {
  const { sent, paid } = await challenge()
  expect(await visitor().refusal(newUserConsultation, begin(paid, sent))).toBe('PAYMENT_NOT_CAPTURED')
  await world.nobody.call(sandboxChallenge, { client_secret: paid.client_secret!, succeed: true })
  const after = await visitor().call(payForConsult, { ...sent, purchase: paid.purchase })
  expect(after).toEqual({ status: 'succeeded', customer: paid.customer, purchase: paid.purchase })
  expect((await visitor().send(newUserConsultation, begin(paid, sent))).status).toBe(200)
  const unknown = await visitor().send(payForConsult, { ...sent, purchase: 'nobodys' })
  expect(unknown.status).toBe(404)
})

it("a bank's challenge that fails is refused and can't be paid later [BUY-6]", async () => {
  const { sent, paid } = await challenge()
  await world.nobody.call(sandboxChallenge, { client_secret: paid.client_secret!, succeed: false })
  expect((await visitor().send(payForConsult, { ...sent, purchase: paid.purchase })).status).toBe(402)
  const { stripeIntent } = await shop.purchaseOf(sent.user.email)
  expect((await world.world.payments.intent(stripeIntent!))!.status).toBe('canceled')
  expect(await forgotten(sent)).toBe(true)
})

it("a bank's challenge that nobody answers expires after an hour; one passed after the page closed is delivered [BUY-9]", async () => {
  const { sent, paid } = await challenge()
  const { sent: other, paid: passed } = await challenge()
  await world.nobody.call(sandboxChallenge, { client_secret: passed.client_secret!, succeed: true })
  await world.runDue()
  expect((await shop.purchaseOf(other.user.email)).state).toBe('paid')
  await world.pass({ minutes: 61 })
  expect((await shop.purchaseOf(other.user.email)).state).toBe('delivered')
  expect((await shop.purchaseOf(sent.user.email)).state).toBe('released')
  await world.nobody.send(sandboxChallenge, { client_secret: paid.client_secret!, succeed: true })
  await world.runDue()
  expect((await shop.purchaseOf(sent.user.email)).state).toBe('released')
  expect(await shop.chargesOf((await shop.purchaseOf(sent.user.email)).stripeCustomer)).toEqual([])
})

it('an account is deleted with an unanswered challenge, which can’t be paid later, and waits for a consult that was just paid [PRO-5]', async () => {
  const [asked, payer] = [await world.owner(), await world.owner()]
  const challenged = order({ card: { token: 'tok_threeDSecure2Required' } })
  const { client_secret } = await asked.call(payForConsult, challenged)
  expect((await asked.send(deleteAccount, { password: PASSWORD })).status).toBe(200)
  await world.nobody.send(sandboxChallenge, { client_secret: client_secret!, succeed: true })
  await payer.call(payForConsult, order())
  expect(await payer.refusal(deleteAccount, { password: PASSWORD })).toBe('CONSULT_STILL_OPEN')
  await world.pass({ minutes: 11 })
  expect(await world.rows(ledger, { userId: asked.id })).toEqual([])
  expect(await world.rows(consultations, { userId: payer.id })).toHaveLength(1)
})

it('a consult that was paid while the clock was a year ahead is delivered once it is right [BUY-9]', async () => {
  shop.world.advance({ days: 365 })
  await shop.duty(true)
  const sent = order()
  await shop.visitor().call(payForConsult, sent)
  shop.world.advance({ days: -365 })
  await shop.world.runDue()
  expect((await shop.purchaseOf(sent.user.email)).state).toBe('delivered')
})

it('a purchase whose answer got lost says processing, finishes automatically and is paid once [BUY-6, BUY-9]', async () => {
  for (const fault of ['lostAnswer', 'error500'] as const) {
    await shop.arm(fault, 3)
    const sent = order()
    const buyer = visitor()
    const lost = await buyer.call(payForConsult, sent)
    expect(lost.status).toBe('processing')
    expect((await buyer.send(newUserConsultation, begin(lost, sent))).status).toBe(200)
    const { stripeCustomer } = await shop.purchaseOf(sent.user.email)
    expect(await shop.chargesOf(stripeCustomer)).toHaveLength(1)
  }
  await shop.arm('lostAnswer', 3)
  const left = order()
  const lost = await visitor().call(payForConsult, left)
  await world.pass({ seconds: 11 })
  expect((await shop.purchaseOf(left.user.email)).state).toBe('paid')
  expect((await visitor().call(payForConsult, { ...left, purchase: lost.purchase })).status).toBe('succeeded')
})

it('a purchase that nobody fetched in ten minutes begins its consult with the details given when paying, and mails its link [BUY-9, D27]', async () => {
  const told = order({ details: shop.details() })
  const silent = order()
  for (const sent of [told, silent]) await visitor().call(payForConsult, sent)
  await world.pass({ minutes: 9 })
  expect((await shop.purchaseOf(told.user.email)).state).toBe('paid')
  expect(await world.mailsTo(told.user.email)).toEqual([])
  await world.pass({ minutes: 2 })
  for (const [sent, name, issue] of [
    [told, 'Biscuit', 'She will not eat'],
    [silent, 'Your pet', 'Not given yet'],
  ] as const) {
    const { consultationId } = await shop.purchaseOf(sent.user.email)
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

it('a purchase whose process died before charging is finished or dropped, even after a day [BUY-9]', async () => {
  await shop.arm('error500', 1000)
  const sent = order()
  await visitor().call(payForConsult, sent)
  world.advance({ hours: 21 })
  await shop.arm('error500', 0)
  await world.runDue()
  expect(await shop.purchaseOf(sent.user.email)).toMatchObject({ state: 'released', dueAt: null })
  await shop.duty(true)
  await shop.arm('lostAnswer', 3)
  const paid = order()
  await visitor().call(payForConsult, paid)
  await world.pass({ hours: 21 })
  expect(['paid', 'delivered']).toContain((await shop.purchaseOf(paid.user.email)).state)
  world.advance({ hours: 3 })
})

it('nothing is sold while no vet is on duty, but a paid purchase is still answered [BUY-13]', async () => {
  const before = order()
  const paid = await visitor().call(payForConsult, before)
  await shop.duty(false)
  const sent = order()
  expect(await visitor().refusal(payForConsult, sent)).toBe('NOBODY_ON_DUTY')
  expect(await shop.purchaseOf(sent.user.email)).toBeUndefined()
  expect(await visitor().call(payForConsult, before)).toEqual(paid)
  expect((await visitor().send(newUserConsultation, begin(paid, before))).status).toBe(200)
})

it("nothing is sold outside the region's hours; za never closes [BUY-13, D4]", async () => {
  while (new Date(world.now()).getUTCHours() !== 15) world.advance({ hours: 1 })
  await shop.duty(true)
  const closed = await visitor().send(payForConsult, order({ amount: 3995, currency: 'aud' }), AU)
  expect([closed.status, closed.body.code]).toEqual([409, 'CONSULT_CLOSED_HOURS'])
  expect(closed.text).toContain('6:00am to 12:00am SYD Time')
  expect((await visitor().send(payForConsult, order())).status).toBe(200)
})

it('a stranger who paid nothing is forgotten after 90 days [PRO-5]', async () => {
  const sent = order({ card: { token: 'tok_chargeDeclined' } })
  await visitor().send(payForConsult, sent)
  await world.pass({ days: 89 })
  expect(await shop.purchaseOf(sent.user.email)).toMatchObject({ state: 'refused' })
  await world.pass({ days: 2 })
  expect(await shop.purchaseOf(sent.user.email)).toBeUndefined()
})
