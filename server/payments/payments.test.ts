import { expect, it } from 'vitest'
import { me } from '#contract/accounts.ts'
import { LIMITS } from '#contract/limits.ts'
import { listPets } from '#contract/pets.ts'
import { manageSubscription, myPaymentMethod, subscribePet, updatePaymentMethod } from '#contract/payments.ts'
import { sandboxChallenge } from '#contract/sandbox.ts'
import { consents, customers, purchases, subscriptionPets, users } from '#server/db/schema.ts'
import { tryTake } from '#server/identity/limits.ts'
import { sampleRabbit } from '#test/samples.ts'
import { createWorld, type TestWorld } from '#test/world.ts'

const world = await createWorld()

const visa = { payload: { token: 'tok_visa' } }
const purchasesOf = (userId: number) => world.rows(purchases, { userId })
const arm = (fault: 'decline' | 'challenge' | 'lostAnswer' | 'error500', times = 1) =>
  world.arm(fault, 'POST /v1/subscriptions', times)

/** Buys a place for a sixth pet with a card whose bank sends a challenge. */
async function challenged(member: Awaited<ReturnType<TestWorld['fullMember']>>, key: string) {
  await arm('challenge')
  const input = { pet: sampleRabbit(`Of ${key}`), plan: 'annual' as const }
  const reply = await member.send(subscribePet, input, { 'idempotency-key': key })
  if (!('client_secret' in reply.body)) throw new Error(reply.text)
  return { input, ...reply.body }
}

it('cancelling, restarting and new cards mail an unconfirmed mailbox six times an hour at most [SAF-3]', async () => {
  const mailed = async (emailConfirmedAt: Date | null) => {
    const member = await world.memberWithCard()
    await world.change(users, member.id, { emailConfirmedAt })
    const before = await world.mailsTo(member.email)
    for (let n = 0; n < 4; n++) {
      await member.call(manageSubscription, { action: 'cancel' })
      await member.call(manageSubscription, { action: 'restart' })
      await member.call(updatePaymentMethod, visa)
    }
    return (await world.mailsTo(member.email)).length - before.length
  }
  expect(await mailed(world.now())).toBe(12)
  expect(await mailed(null)).toBe(LIMITS.unconfirmedEmail.max)
})

it('the card on file can be saved and replaced, and each change is mailed [PRO-4]', async () => {
  const owner = await world.owner()
  const first = await owner.call(updatePaymentMethod, visa)
  expect(first).toEqual({
    object: 'card',
    brand: 'visa',
    last4: '4242',
    exp_month: expect.any(Number),
    exp_year: expect.any(Number),
  })
  await owner.call(updatePaymentMethod, { payload: { token: 'tok_mastercard' } })
  await owner.call(updatePaymentMethod, visa)
  expect(await owner.call(myPaymentMethod, {})).toEqual(first)
  const letters = await world.mailsTo(owner.email)
  expect(letters.map(({ subject }) => subject)).toEqual(Array(3).fill('Your VetChat card was changed'))
  expect(letters[1]!.text).toContain('Mastercard ending in 4444')
  expect(await world.rows(customers, { userId: owner.id })).toHaveLength(1)
})

it('the card on file can be replaced twenty times an hour, since each change is mailed [PRO-4, SAF-5]', async () => {
  const owner = await world.owner()
  for (let n = 0; n < LIMITS.membershipChanges.max; n++)
    await tryTake(world.world, 'membershipChanges', String(owner.id))
  expect((await owner.send(updatePaymentMethod, visa)).status).toBe(429)
  expect(await world.mailsTo(owner.email)).toEqual([])
  world.advance({ hours: 1 })
  expect((await owner.send(updatePaymentMethod, visa)).status).toBe(200)
})

it("the card on file belongs to one person: another's customer is not found [PRO-4]", async () => {
  const [one, other] = [await world.memberWithCard(), await world.owner()]
  const theirs = await world.rows(customers, { userId: one.id })
  for (const customer of [theirs[0]!.stripeCustomer, one.publicId, 'cus_nobody'])
    expect((await other.send(updatePaymentMethod, { ...visa, customer })).status).toBe(404)
  expect((await other.send(updatePaymentMethod, { ...visa, customer: other.publicId })).status).toBe(200)
})

it("the card on file is refused in the provider's words, five times an hour at most, and the old card stays [PRO-4, D9]", async () => {
  const owner = await world.owner()
  await owner.call(updatePaymentMethod, visa)
  for (let tries = 0; tries < 5; tries++) {
    const reply = await owner.send(updatePaymentMethod, { payload: { token: 'tok_chargeDeclined' } })
    expect([reply.status, reply.body.code]).toEqual([402, 'CARD_REFUSED'])
    expect(reply.body.errors).toEqual(['Your card was declined.'])
  }
  expect((await owner.send(updatePaymentMethod, visa)).status).toBe(429)
  expect((await owner.call(myPaymentMethod, {}))!.last4).toBe('4242')
  world.advance({ minutes: 61 })
  expect((await owner.send(updatePaymentMethod, visa)).status).toBe(200)
})

it("the card on file waits for its bank's challenge [PRO-4, D9]", async () => {
  const owner = await world.owner()
  const asked = await owner.call(updatePaymentMethod, { payload: { token: 'tok_threeDSecure2Required' } })
  if (!('setup' in asked)) throw new Error('no challenge')
  expect(await owner.call(myPaymentMethod, {})).toBeNull()
  await world.nobody.call(sandboxChallenge, { client_secret: asked.client_secret, succeed: true })
  const other = await world.owner()
  expect((await other.send(updatePaymentMethod, { payload: { setup: asked.setup } })).status).toBe(402)
  const kept = await owner.call(updatePaymentMethod, { payload: { setup: asked.setup } })
  expect(kept).toMatchObject({ object: 'card', last4: '3220' })
})

it('a pet for which a membership is bought takes a free place of the membership without a charge [PET-5]', async () => {
  const member = await world.memberWithCard()
  const { pet, subscription } = (await member.call(subscribePet, { pet: sampleRabbit() })) as never as {
    pet: { id: number }
    subscription: { id: number; pets: number[] }
  }
  expect(subscription.id).toBe(member.subscription.id)
  expect(subscription.pets).toEqual([member.pet.id, pet.id])
  expect((await purchasesOf(member.id)).map(({ amount }) => amount)).toEqual([200_000, 0])
})

it.each([
  ['za', 'annual', 200_000, 180_000, 'zar'],
  ['au', 'monthly', 20_000, 1800, 'aud'],
] as const)(
  'a pet for which a membership is bought in %s the first costs the full price and the sixth of a member 10%% less, with a receipt [PET-5, SUB-7, D2]',
  async (region, plan, full, less, currency) => {
    const member = await world.fullMember(region)
    expect(member.subscription).toMatchObject({ price: full, currency })
    expect((await member.send(subscribePet, { pet: sampleRabbit() })).body.errors).toEqual([
      'Please choose an annual or a monthly plan.',
    ])
    const bought = await member.call(subscribePet, {
      pet: sampleRabbit('Sixth'),
      plan,
      agreed: true,
      terms: '1',
    })
    if (!('pet' in bought)) throw new Error('challenge')
    expect(bought.subscription).toMatchObject({
      price: less,
      currency,
      plan,
      pets: [bought.pet.id],
      stripeData: { status: 'active' },
      end: null,
    })
    const paid = (await purchasesOf(member.id)).find(({ amount }) => amount === less)
    expect(paid).toMatchObject({ state: 'delivered', subscriptionId: bought.subscription.id, dueAt: null })
    expect((await member.call(me, {})).subscriptions).toHaveLength(2)
    const subjects = (await world.mailsTo(member.email)).map(({ subject }) => subject)
    expect(subjects).toContain('Sixth is now a VetChat member')
    const agreed = await world.rows(consents, { userId: member.id, ticked: true })
    expect(agreed).toHaveLength(2)
  },
)

it('a pet for which a membership is bought is checked before anything is charged [PET-2, PET-5, PET-6]', async () => {
  const member = await world.fullMember()
  const refused = async (change: object, pet: object = {}) => {
    const input = { pet: { ...sampleRabbit(), ...pet }, plan: 'annual', ...change }
    return member.refusal(subscribePet, input)
  }
  expect(await refused({ agreed: false })).toBe('PET_TERMS_NOT_AGREED')
  expect(await refused({}, { species_id: 1 })).toBe('PET_DETAILS_MISSING')
  expect(await refused({}, { pet_image: 'a'.repeat(32) })).toBe('PICTURE_NOT_YOURS')
  const petstock = await world.owner()
  await world.partnersMembership(petstock.id, { source: 'petstock', subsId: 'ps_1' })
  expect(await petstock.refusal(subscribePet, { pet: sampleRabbit(), plan: 'annual' })).toBe(
    'PETS_MANAGED_BY_PARTNER',
  )
  expect(await (await world.owner()).refusal(subscribePet, { pet: sampleRabbit(), plan: 'annual' })).toBe(
    'PET_NEEDS_PAYMENT_METHOD',
  )
  expect(await purchasesOf(member.id)).toHaveLength(1)
})

it('a pet for which a membership is bought is added with the membership or not at all: a refused card creates neither [PET-5, SUB-1]', async () => {
  const member = await world.fullMember()
  await arm('decline')
  const headers = { 'idempotency-key': 'refused-1' }
  const input = { pet: sampleRabbit('Sixth'), plan: 'annual' }
  const reply = await member.send(subscribePet, input, headers)
  expect([reply.status, reply.body.errors]).toEqual([402, ['Your card was declined.']])
  expect((await member.send(subscribePet, input, headers)).text).toBe(reply.text)
  expect(await member.call(listPets, {})).toHaveLength(5)
  expect((await member.call(me, {})).subscriptions).toHaveLength(1)
  expect((await purchasesOf(member.id)).at(-1)).toMatchObject({ state: 'refused', dueAt: null })
})

it('a pet for which a membership is bought gets the same answer for the same key, which is refused for anything else [PET-5]', async () => {
  const member = await world.fullMember()
  const headers = { 'idempotency-key': 'same-1' }
  const input = { pet: sampleRabbit('Sixth'), plan: 'annual' }
  const first = await member.send(subscribePet, input, headers)
  expect(first.status).toBe(200)
  expect((await member.send(subscribePet, input, headers)).body).toEqual(first.body)
  expect(await member.refusal(subscribePet, { ...input, plan: 'monthly' }, headers)).toBe(
    'IDEMPOTENCY_KEY_REUSED',
  )
  const joined = { 'idempotency-key': 'same-2' }
  const seventh = await member.send(subscribePet, { pet: sampleRabbit('Seventh') }, joined)
  expect((await member.send(subscribePet, { pet: sampleRabbit('Seventh') }, joined)).body).toEqual(
    seventh.body,
  )
  expect(await member.call(listPets, {})).toHaveLength(7)
  const stranger = await world.memberWithCard()
  expect((await stranger.send(subscribePet, { pet: sampleRabbit() }, headers)).status).toBe(200)
})

it("a pet for which a membership is bought waits for its bank's challenge and is delivered with the next request [PET-5, D9]", async () => {
  const member = await world.fullMember()
  const asked = await challenged(member, 'challenge-1')
  const again = await member.send(subscribePet, asked.input, { 'idempotency-key': 'challenge-1' })
  expect(again.body).toMatchObject({ purchase: asked.purchase, client_secret: asked.client_secret })
  expect(JSON.stringify(await purchasesOf(member.id))).not.toContain(asked.purchase)
  expect(await member.call(listPets, {})).toHaveLength(5)
  await world.nobody.call(sandboxChallenge, { client_secret: asked.client_secret, succeed: true })
  const other = await world.memberWithCard()
  const stolen = await other.send(subscribePet, { ...asked.input, purchase: asked.purchase })
  expect(stolen.status).toBe(404)
  const done = await member.call(subscribePet, { ...asked.input, purchase: asked.purchase })
  expect(done).toMatchObject({ pet: { name: 'Of challenge-1' }, subscription: { price: 180_000 } })
  expect(await member.call(subscribePet, { ...asked.input, purchase: asked.purchase })).toEqual(done)
})

it('a pet for which a membership is bought is cancelled after a failed or abandoned challenge, and another can be bought [PET-5]', async () => {
  const member = await world.fullMember()
  const failed = await challenged(member, 'failed-1')
  await world.nobody.call(sandboxChallenge, { client_secret: failed.client_secret, succeed: false })
  const reply = await member.send(subscribePet, { ...failed.input, purchase: failed.purchase })
  expect(reply.status).toBe(402)
  const left = await challenged(member, 'left-1')
  await world.pass({ minutes: 61 })
  const states = (await purchasesOf(member.id)).slice(-2).map(({ state }) => state)
  expect(states).toEqual(['refused', 'released'])
  await world.nobody.send(sandboxChallenge, { client_secret: left.client_secret, succeed: true })
  await world.runDue()
  const third = await challenged(member, 'third-1')
  expect(
    (await member.send(subscribePet, { pet: { ...sampleRabbit(), species_id: 99 }, plan: 'annual' })).status,
  ).toBe(400)
  expect((await purchasesOf(member.id)).at(-1)!.state).toBe('paying')
  const bought = await member.call(subscribePet, { pet: sampleRabbit('Sixth'), plan: 'annual' })
  expect('pet' in bought).toBe(true)
  expect((await member.send(subscribePet, { ...third.input, purchase: third.purchase })).status).toBe(402)
  expect((await member.call(me, {})).subscriptions).toHaveLength(2)
  expect(await member.call(listPets, {})).toHaveLength(6)
})

it('a pet for which a membership is bought can be asked for again and again only until its card has too many open challenges [BUY-9]', async () => {
  const member = await world.fullMember()
  const { max, minutes } = LIMITS.cardChallenged
  // Other tests use this card too.
  world.advance({ minutes: minutes + 1 })
  for (let n = 0; n < max; n++) await challenged(member, `again-${n}`)
  expect(await member.refusal(subscribePet, { pet: sampleRabbit('Of one more'), plan: 'annual' })).toBe(
    'TOO_MANY_TRIES',
  )
  world.advance({ minutes: minutes + 1 })
  await challenged(member, 'an-hour-later')
})

it('a challenge passed just as its purchase is cancelled still delivers it [PET-5]', async () => {
  const member = await world.fullMember()
  const asked = await challenged(member, 'moment-1')
  world.advance({ minutes: 61 })
  const { payments } = world.world
  const letGo = payments.letGo
  payments.letGo = async (...args) => {
    await world.nobody.call(sandboxChallenge, { client_secret: asked.client_secret, succeed: true })
    return letGo(...args)
  }
  await world.runDue()
  payments.letGo = letGo
  await world.runDue()
  expect((await purchasesOf(member.id)).at(-1)).toMatchObject({ state: 'delivered' })
  expect((await member.call(me, {})).subscriptions.at(-1)).toMatchObject({
    end: null,
    stripeData: { status: 'active' },
  })
})

it('adding an existing pet to a membership uses a free place, or buys a membership for it [SUB-3, SUB-6]', async () => {
  const member = await world.fullMember()
  const row = await world.pet(member.id, { name: 'Sixth' })
  const add = { action: 'add' as const, pet_id: row.id }
  expect(await member.refusal(manageSubscription, { ...add, subscription: member.subscription.id })).toBe(
    'MEMBERSHIP_FULL',
  )
  const bought = await member.call(manageSubscription, {
    ...add,
    subscription: member.subscription.id,
    plan: 'monthly',
  })
  expect(bought).toMatchObject({ pets: [row.id], price: 18_000, plan: 'monthly' })
  expect(await member.call(manageSubscription, { ...add, plan: 'annual' })).toEqual(bought)
  const seventh = await world.pet(member.id, { name: 'Seventh' })
  const roomy = await member.call(manageSubscription, { action: 'add', pet_id: seventh.id })
  expect(roomy).toMatchObject({ id: 'id' in bought && bought.id, pets: [row.id, seventh.id] })
  const places = await world.rows(subscriptionPets, { petId: row.id })
  expect(places).toHaveLength(1)
})

it('adding an existing pet to a membership can’t be asked for without end, even if nothing is bought [SAF-4]', async () => {
  const member = await world.memberWithCard()
  const add = { action: 'add' as const, pet_id: member.pet.id }
  for (let n = 0; n < LIMITS.petsAdded.max - 1; n++) await member.call(manageSubscription, add)
  const [refused, rows] = [await member.send(manageSubscription, add), await purchasesOf(member.id)]
  expect([refused.status, rows.length]).toEqual([429, LIMITS.petsAdded.max])
})

it("adding an existing pet to a membership finds no other owner's pet or membership, and leaves a partner's alone [SUB-3]", async () => {
  const [one, other] = [await world.memberWithCard(), await world.memberWithCard()]
  const own = await world.pet(one.id)
  for (const input of [
    { pet_id: other.pet.id },
    { pet_id: own.id, subscription: other.subscription.id },
    { pet_id: null },
  ])
    expect((await one.send(manageSubscription, { action: 'add', ...input })).status).toBe(404)
  const insured = await world.partnersMembership(one.id)
  for (const action of ['add', 'cancel', 'restart'] as const) {
    expect(await one.refusal(manageSubscription, { action, pet_id: own.id, subscription: insured.id })).toBe(
      'SUBSCRIPTION_MANAGED_BY_PARTNER',
    )
  }
})
