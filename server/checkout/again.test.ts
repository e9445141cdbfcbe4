import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { changeGuestEmail, payForConsult, SAME_PURCHASE_MINUTES } from '#contract/checkout.ts'
import { cancelConsultation, getConsultation, listOpen } from '#contract/consultations.ts'
import { LIMITS } from '#contract/limits.ts'
import { consultations, pets } from '#server/db/schema.ts'
import { openShop, order } from '#test/shop.ts'

const shop = await openShop()
const { world, visitor } = shop
beforeEach(async () => void (await shop.duty(true)))

/** Buys as the page does: the details come with the payment. */
async function bought(change: object = {}, token = 'tok_visa') {
  const { name, pet_species, pet_breed, query } = shop.details(change)
  return shop.buy(order({ card: { token }, details: { name, pet_species, pet_breed, query } }), change)
}
const press = () => ({ 'idempotency-key': randomUUID() })
const charges = async (email: string) => shop.chargesOf((await shop.purchaseOf(email)).stripeCustomer)

it('the same email, pet and words lead the browser that bought the consult back to it, and charge nothing [BUY-9]', async () => {
  const { sent, id, guest } = await bought()
  const again = await guest.call(payForConsult, { ...sent, card: { token: 'tok_mastercard' } })
  expect(again).toMatchObject({ status: 'succeeded', open: { id, type: 1 } })
  expect(await charges(sent.user.email)).toHaveLength(1)
})

it('the same email, pet and words give a stranger only a refusal, and mail the buyer a link to the consult [BUY-9, SAF-1]', async () => {
  const { sent } = await bought()
  const stranger = visitor()
  const replies = []
  for (let at = 0; at < 6; at++) replies.push(await stranger.send(payForConsult, sent, press()))
  for (const { status, body } of replies) {
    expect([status, body.code]).toEqual([409, 'CONSULT_PAID_ALREADY'])
    expect(Object.keys(body).toSorted()).toEqual(['code', 'errors'])
  }
  expect(await charges(sent.user.email)).toHaveLength(1)
  const letters = (await world.mailsTo(sent.user.email)).map(({ template }) => template)
  expect(letters.filter((one) => one === 'consult open')).toHaveLength(3)
})

it('the same email, pet and words as in another guest’s consult only get a refusal, even for a guest with a consult of their own [SAF-1]', async () => {
  const [{ sent }, { guest }] = [await bought(), await bought({ name: 'Milo' })]
  expect(await guest.refusal(payForConsult, sent, press())).toBe('CONSULT_PAID_ALREADY')
})

it("the same email, pet and words don't prevent a purchase for another pet, in other words, after the consult, or later [BUY-9]", async () => {
  const { sent, guest, id } = await bought()
  const details = sent.details!
  for (const change of [{ name: 'Milo' }, { query: 'She limps' }])
    expect(
      (await guest.send(payForConsult, { ...sent, details: { ...details, ...change } }, press())).body.open,
    ).toBeUndefined()
  world.advance({ minutes: SAME_PURCHASE_MINUTES + 1 })
  await shop.duty(true)
  expect((await guest.send(payForConsult, sent, press())).status).toBe(200)
  const other = await bought()
  await other.guest.call(cancelConsultation, { id: other.id })
  expect((await other.guest.call(payForConsult, other.sent)).open).toBeUndefined()
  expect(id).not.toBe(other.id)
})

it('a card pays for no more consults that day once thirty were cancelled; another card does [BUY-9, SAF-5]', async () => {
  const amex = { card: { token: 'tok_amex' } }
  for (let n = 0; n < LIMITS.cardCancelled.max; n++) {
    const { id, guest } = await bought({}, 'tok_amex')
    await guest.call(cancelConsultation, { id })
  }
  await world.runDue()
  expect(await visitor().refusal(payForConsult, order(amex))).toBe('CARD_CANCELLED_OFTEN')
  expect((await visitor().send(payForConsult, order())).status).toBe(200)
  world.advance({ minutes: LIMITS.cardCancelled.minutes + 1 })
  await shop.duty(true)
  expect((await visitor().send(payForConsult, order(amex))).status).toBe(200)
})

it('an open consult is listed for its guest until it ends, and for nobody else [SAF-4]', async () => {
  const { id, guest } = await bought()
  expect(await guest.call(listOpen, {})).toMatchObject([
    { id, pet: { name: 'Biscuit' }, unread: 0, said: '' },
  ])
  expect(await (await world.owner()).call(listOpen, {})).toEqual([])
  await guest.call(cancelConsultation, { id })
  expect(await guest.call(listOpen, {})).toEqual([])
})

it('the phone number is stored in one form, and may be of any country [BUY-4]', async () => {
  for (const [typed, stored] of [
    ['082 123 4567', '+27821234567'],
    ['+44 20 7946 0958', '+442079460958'],
  ]) {
    const sent = order()
    const user = { ...sent.user, mobile: typed! }
    await visitor().call(payForConsult, { ...sent, user })
    expect((await shop.purchaseOf(user.email)).order).toMatchObject({ buyer: { mobile: stored } })
  }
})

it("the phone number is refused with a sentence if it can't be called [BUY-4]", async () => {
  for (const [mobile, says] of [
    ['a', 'This number can’t be called'],
    ['082 123', 'This number has too few digits'],
    ['082 123 4567 890 12', 'This number has too many digits'],
  ]) {
    const sent = order()
    const reply = await visitor().send(payForConsult, { ...sent, user: { ...sent.user, mobile: mobile! } })
    expect([reply.status, reply.body.fields]).toEqual([400, { 'user.mobile': says }])
  }
})

it('an age is stored as a guess if the owner guessed it, and a birthday isn’t [BUY-12]', async () => {
  for (const [given, guessed] of [
    [{ pet_dob: '2023-11-01', pet_dob_approximate: true }, true],
    [{ pet_dob: '2023-11-01' }, false],
    [{ pet_dob: '', pet_age: '3' }, true],
    [{ pet_dob: '', pet_age: '' }, false],
  ] as const) {
    const { id } = await bought({ name: `Pet of ${JSON.stringify(given).length}`, ...given })
    const [row] = await world.db
      .select({ guessed: pets.dobApproximate })
      .from(pets)
      .innerJoin(consultations, eq(consultations.petId, pets.id))
      .where(eq(consultations.id, id))
    expect(row).toEqual({ guessed })
  }
})

it('a mistyped address can be corrected from the room: the plan, the receipts and the link go to the new one [BUY-4]', async () => {
  const { sent, id, guest } = await bought()
  const email = `right.${sent.user.email}`
  await guest.call(changeGuestEmail, { email })
  expect((await guest.call(getConsultation, { id })).consultation.user.email).toBe(email)
  expect((await shop.purchaseOf(email)).consultationId).toBe(id)
  const letters = (await world.mailsTo(email)).map(({ template }) => template)
  expect(letters).toContain('consult moved')
})

it('a mistyped address can’t be corrected more than five times an hour, nor once the consult has ended [SAF-1]', async () => {
  const { id, guest, sent } = await bought()
  for (let at = 0; at < 5; at++) await guest.call(changeGuestEmail, { email: `${at}.${sent.user.email}` })
  expect((await guest.send(changeGuestEmail, { email: sent.user.email })).status).toBe(429)
  await guest.call(cancelConsultation, { id })
  expect((await guest.send(changeGuestEmail, { email: sent.user.email })).status).toBe(404)
})
