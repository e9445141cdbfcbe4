import { expect, it } from 'vitest'
import { me } from '#contract/accounts.ts'
import { upgrade } from '#contract/joining.ts'
import { refundCharge } from '#contract/ledger.ts'
import { myPaymentMethod, subscribePet, updatePaymentMethod } from '#contract/payments.ts'
import { addPet, listPets } from '#contract/pets.ts'
import { deleteAccount } from '#contract/profile.ts'
import { REGIONS } from '#contract/regions.ts'
import { sandboxChallenge } from '#contract/sandbox.ts'
import { consents, coupons, giftCards, ledger, subscriptions } from '#server/db/schema.ts'
import { PASSWORD } from '#test/people.ts'
import { upgradeForm } from '#test/joining.ts'
import { addedRabbit, sampleRabbit } from '#test/samples.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld({ env: { SITES: 'au=http://au.localhost', SHOP_NAME: 'Petculture' } })

const paid = async (userId: number) => (await world.rows(ledger, { userId })).map(({ amount }) => amount)

it.each([
  ['za', 'monthly', 20_000],
  ['au', 'annual', 20_000],
] as const)(
  'a membership for an account that has none in %s, %s, is paid once and has a place for each pet that exists [JOI-5]',
  async (region, plan, price) => {
    const owner = await world.person({ region })
    const [pet, away] = [
      await world.pet(owner.id),
      await world.pet(owner.id, { putAwayAt: world.now(), putAwayWhy: 'died' }),
    ]
    // The prices are those of the account's region, on whichever site it buys.
    const reply = await owner.send(upgrade, await upgradeForm(world, { plan }))
    expect([reply.status, reply.body]).toMatchObject([
      200,
      { subscription: { plan, price, currency: REGIONS[region].currency, pets: [pet.id] } },
    ])
    expect(away.id).not.toBe(pet.id)
    expect(await paid(owner.id)).toEqual([price])
    expect(await owner.call(myPaymentMethod, {})).toMatchObject({ last4: '4242' })
    expect((await owner.call(listPets, {}))[0]!.cover.state).toBe('waiting')
    const agreed = await world.rows(consents, { userId: owner.id })
    expect(agreed).toMatchObject([{ call: 'upgrade', ticked: true }])
    const letters = (await world.mailsTo(owner.email)).map(({ template }) => template)
    expect(letters.toSorted()).toEqual(['membership begun', 'receipt'])
    expect(
      await owner.refusal(upgrade, await upgradeForm(world, { plan }), {
        'idempotency-key': 'again',
      }),
    ).toBe('ALREADY_A_MEMBER')
  },
)

it('a membership for an account that has none takes the promo for the first payment, and leaves PawCare out if asked to [JOI-2, JOI-5]', async () => {
  const owner = await world.owner()
  await world.pet(owner.id)
  await owner.call(upgrade, await upgradeForm(world, { promo: 'intro-30', pawcare_out: true }))
  expect(await paid(owner.id)).toEqual([14_000])
  expect((await owner.call(me, {})).subscription!.price).toBe(20_000)
  expect((await owner.call(listPets, {}))[0]!.cover.state).toBe('opted_out')
})

it('a membership for an account that has none is paid with the card on file, without another human check [JOI-5, JOI-6]', async () => {
  const owner = await world.owner()
  await owner.call(updatePaymentMethod, { payload: { token: 'tok_mastercard' } })
  await owner.call(upgrade, { plan: 'annual' })
  expect(await paid(owner.id)).toEqual([200_000])
  expect(await owner.call(myPaymentMethod, {})).toMatchObject({ brand: 'mastercard' })
  const gifts = await world.rows(giftCards, { userId: owner.id })
  expect(gifts).toHaveLength(1)
})

it('a membership for an account that has none needs a card, and the human check if a card is given [JOI-5, JOI-6]', async () => {
  const owner = await world.owner()
  expect(await owner.refusal(upgrade, await upgradeForm(world, { stripeToken: null }))).toBe('CARD_MISSING')
  expect(await owner.refusal(upgrade, await upgradeForm(world, { userConfirmation: null }))).toBe(
    'HUMAN_CHECK',
  )
  expect(await paid(owner.id)).toEqual([])
})

it('a membership for an account that has none at a price of zero takes the human check even with a card on file [SAF-2]', async () => {
  const owner = await world.owner()
  await owner.call(updatePaymentMethod, { payload: { token: 'tok_visa' } })
  const off = {
    code: 'ALLOFF',
    percentOff: 100,
    length: 3,
    referrer: 'test',
    product: 'membership',
  } as const
  await world.db.insert(coupons).values(off)
  const form = await upgradeForm(world, { stripeToken: null, coupon: off.code })
  expect(await owner.refusal(upgrade, { ...form, userConfirmation: null })).toBe('HUMAN_CHECK')
  expect((await owner.send(upgrade, form)).status).toBe(200)
})

it('a membership for an account that has none keeps the card on file when a new card is refused, and the next try can use it [JOI-5]', async () => {
  const owner = await world.owner()
  await owner.call(updatePaymentMethod, { payload: { token: 'tok_mastercard' } })
  const { status, body } = await owner.send(
    upgrade,
    await upgradeForm(world, { stripeToken: 'tok_chargeCustomerFail' }),
  )
  expect([status, body.errors]).toEqual([402, ['Your card was declined.']])
  expect(await owner.call(myPaymentMethod, {})).toMatchObject({ brand: 'mastercard' })
  await owner.call(upgrade, { plan: 'monthly' })
  expect(await paid(owner.id)).toEqual([20_000])
})

it("a membership for an account that has none isn't bought a second time for a pet while its bank is still asking [JOI-5, BUY-9]", async () => {
  const owner = await world.owner()
  await owner.call(updatePaymentMethod, { payload: { token: 'tok_mastercard' } })
  const form = await upgradeForm(world, { stripeToken: 'tok_threeDSecure2Required' })
  const asked = await owner.call(upgrade, form)
  if (!('status' in asked)) throw new Error('No challenge')
  const forPet = { pet: sampleRabbit(), plan: 'monthly', agreed: true, terms: '1' }
  expect(await owner.refusal(subscribePet, forPet)).toBe('CHANGED_UNDER_YOU')
  await world.nobody.call(sandboxChallenge, { client_secret: asked.client_secret, succeed: true })
  await world.runDue()
  // Now the membership has a place for the pet.
  expect((await owner.send(subscribePet, forPet)).status).toBe(200)
  expect(await paid(owner.id)).toEqual([20_000])
  const rows = await world.rows(subscriptions, { userId: owner.id })
  expect(rows).toHaveLength(1)
})

it('a membership for an account that has none is paid with the card on file after another card was tried and its bank never answered [JOI-5, PRO-4]', async () => {
  const owner = await world.owner()
  await owner.call(updatePaymentMethod, { payload: { token: 'tok_mastercard' } })
  await owner.call(upgrade, await upgradeForm(world, { stripeToken: 'tok_threeDSecure2Required' }))
  await world.pass({ hours: 2 })
  expect(await owner.call(myPaymentMethod, {})).toMatchObject({ brand: 'mastercard' })
  expect(await owner.call(upgrade, { plan: 'annual' })).toMatchObject({ subscription: { plan: 'annual' } })
  expect(await paid(owner.id)).toEqual([200_000])
})

it("a membership for an account that has none isn't begun, and costs nothing, if the account was deleted while its bank was asking [PRO-5]", async () => {
  const owner = await world.owner()
  const form = await upgradeForm(world, { stripeToken: 'tok_threeDSecure2Required' })
  const asked = await owner.call(upgrade, form)
  if (!('status' in asked)) throw new Error('No challenge')
  await owner.call(deleteAccount, { password: PASSWORD })
  const late = await world.nobody.send(sandboxChallenge, {
    client_secret: asked.client_secret,
    succeed: true,
  })
  expect(late.body.status).not.toBe('succeeded')
  await world.pass({ hours: 2 })
  expect(await paid(owner.id)).toEqual([])
  expect(await world.rows(subscriptions, { userId: owner.id })).toEqual([])
})

it('a membership for an account that has none loses its gift with a full refund, and keeps it with a partial one [SUB-7]', async () => {
  const [owner, admin] = [await world.owner(), await world.admin()]
  await owner.call(upgrade, await upgradeForm(world, { stripeToken: 'tok_amex' }))
  const gift = async () => (await world.rows(giftCards, { userId: owner.id }))[0]!.takenBackAt
  const [line] = await world.rows(ledger, { userId: owner.id })
  await admin.call(refundCharge, { id: line!.id, amount: 5_000, reason: 'A bad day' })
  await world.runDue()
  expect(await gift()).toBeNull()
  await admin.call(refundCharge, { id: line!.id, reason: 'All of it' })
  await world.runDue()
  expect(await gift()).not.toBeNull()
  expect(await paid(owner.id)).toEqual([20_000, -5_000, -15_000])
})

it("a membership for an account that has none isn't sold to somebody who has the insurer's [JOI-5]", async () => {
  const owner = await world.owner()
  const { policy } = await world.policy({ holderEmail: owner.email, speciesId: 3 })
  await owner.call(addPet, { ...addedRabbit, policy })
  expect(await owner.refusal(upgrade, await upgradeForm(world))).toBe('ALREADY_A_MEMBER')
})
