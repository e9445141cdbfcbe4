import { expect, it } from 'vitest'
import { me } from '#contract/accounts.ts'
import { addPet, listPets } from '#contract/pets.ts'
import { manageSubscription } from '#contract/payments.ts'
import { askPolicyCode, confirmPolicy, lookUpPolicy } from '#contract/policies.ts'
import { breeds, subscriptions } from '#server/db/schema.ts'
import { solved } from '#test/joining.ts'
import { sampleBella } from '#test/samples.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()
const labrador = (await world.rows(breeds, { name: 'Labrador Retriever' }))[0]!.id
const bella = (policy: string) => sampleBella(policy, labrador)
const invalid = [404, ['Invalid Policy Number']]

it('looking a policy up returns number, name and type of one that is live and unbound, however it is typed [PET-9, D15]', async () => {
  const { policy } = await world.policy()
  const visitor = world.nobody.from('10.1.0.1')
  expect(
    await visitor.call(lookUpPolicy, { policy: ` ${policy.toLowerCase().replace('-', ' - ')} ` }),
  ).toEqual({ policy: { policy, pet_name: 'Bella', pet_type: 1 } })
  const owner = await world.owner()
  const bound = await world.policy({ userId: owner.id, boundAt: world.now() })
  const lapsed = await world.policy({ lapsedAt: world.now() })
  for (const number of [bound.policy, lapsed.policy, 'NONE']) {
    const { status, body } = await visitor.send(lookUpPolicy, { policy: number })
    expect([status, body.errors]).toEqual(invalid)
  }
})

it('looking a policy up takes the human check after ten, hits and misses alike, but locks nobody out [D15, SAF-5]', async () => {
  const { policy } = await world.policy()
  const visitor = world.nobody.from('10.1.0.2')
  for (let n = 0; n < 5; n++) {
    expect((await visitor.send(lookUpPolicy, { policy })).status).toBe(200)
    expect((await visitor.send(lookUpPolicy, { policy: `NO-${n}` })).status).toBe(404)
  }
  const refused = await visitor.send(lookUpPolicy, { policy })
  expect([refused.status, refused.body]).toMatchObject([403, { code: 'HUMAN_CHECK', human: 'try_again' }])
  const userConfirmation = await solved(world, 'try_again')
  expect((await visitor.send(lookUpPolicy, { policy, userConfirmation })).status).toBe(200)
  expect((await visitor.send(lookUpPolicy, { policy, userConfirmation })).status).toBe(403)
  const owner = (await world.owner()).from('10.1.0.2')
  expect((await owner.send(addPet, bella('NO-11'))).status).toBe(404)
  world.advance({ minutes: 11 })
  expect((await visitor.send(lookUpPolicy, { policy })).status).toBe(200)
})

it('a pet with a policy of the account that the insurer names is bound straight away, without a card [PET-6, PET-9]', async () => {
  const owner = await world.owner()
  const { policy } = await world.policy({ holderEmail: owner.email.toUpperCase() })
  const pet = await owner.call(addPet, bella(policy))
  expect(pet.policy).toEqual({ policy, confirmed: true })
  expect(pet.cover.state).toBe('waiting')
  expect(pet.care).toHaveLength(5)
  const { subscription } = await owner.call(me, {})
  expect(subscription).toMatchObject({
    source: 'insurer',
    subs_id: policy,
    price: 0,
    plan: 'annual',
    stripe_subscription: null,
    pets: [pet.id],
  })
  const again = await owner.send(addPet, bella(policy))
  expect([again.status, again.body.errors]).toEqual(invalid)
})

it('a pet with a policy shares the insurer membership with four more, and opens another for the sixth [PET-5]', async () => {
  const owner = await world.owner()
  for (let n = 0; n < 6; n++) {
    const { policy } = await world.policy({ holderEmail: owner.email })
    await owner.call(addPet, bella(policy))
  }
  const { subscriptions } = await owner.call(me, {})
  expect(subscriptions.map(({ pets }) => pets.length)).toEqual([5, 1])
})

it("a pet with somebody else's policy is uncovered until the holder's code is entered [D15]", async () => {
  const owner = await world.owner()
  const row = await world.policy()
  const pet = await owner.call(addPet, bella(row.policy))
  expect([pet.policy, pet.cover.why, pet.care]).toEqual([
    { policy: row.policy, confirmed: false },
    'membership',
    [],
  ])
  expect((await owner.call(me, {})).subscription).toBeNull()
  const code = await world.codeTo(row.holderEmail, 'policy')
  const other = await world.owner()
  expect(await other.refusal(confirmPolicy, { code })).toBe('POLICY_CODE_WRONG')
  await owner.call(confirmPolicy, { code: code.toLowerCase().replaceAll('-', ' ') })
  const [covered] = await owner.call(listPets, {})
  expect([covered!.policy!.confirmed, covered!.cover.state]).toEqual([true, 'waiting'])
  expect(await owner.refusal(confirmPolicy, { code })).toBe('POLICY_CODE_WRONG')
})

it('a pet with a policy also waits if the account never confirmed its own email [D15, D30]', async () => {
  const owner = await world.person({ emailConfirmedAt: null })
  const { policy } = await world.policy({ holderEmail: owner.email })
  const pet = await owner.call(addPet, bella(policy))
  expect(pet.policy!.confirmed).toBe(false)
  await owner.call(confirmPolicy, { code: await world.codeTo(owner.email, 'policy') })
  expect((await owner.call(listPets, {}))[0]!.policy!.confirmed).toBe(true)
})

it('a pet with a policy gets its code again on request: only the newest works, for two days, and others get none [D15]', async () => {
  const owner = await world.owner()
  const row = await world.policy()
  await owner.call(addPet, bella(row.policy))
  const first = await world.codeTo(row.holderEmail, 'policy')
  await owner.call(askPolicyCode, { policy: row.policy.toLowerCase() })
  const second = await world.codeTo(row.holderEmail, 'policy')
  expect((await owner.send(confirmPolicy, { code: first })).status).toBe(400)
  world.advance({ hours: 49 })
  const later = world.nobody.with(await world.signIn(owner.id))
  expect(await later.refusal(confirmPolicy, { code: second })).toBe('POLICY_CODE_WRONG')
  const stranger = await world.owner()
  const { status, body } = await stranger.send(askPolicyCode, { policy: row.policy })
  expect([status, body.errors]).toEqual(invalid)
})

it('a pet with a policy is limited to ten wrong codes an hour, and ten mails [D15]', async () => {
  const owner = await world.owner()
  const row = await world.policy()
  await owner.call(addPet, bella(row.policy))
  for (let n = 1; n < 10; n++) await owner.call(askPolicyCode, { policy: row.policy })
  expect((await owner.send(askPolicyCode, { policy: row.policy })).status).toBe(429)
  for (let n = 0; n < 10; n++)
    expect((await owner.send(confirmPolicy, { code: `WRONG${n}` })).status).toBe(400)
  const code = await world.codeTo(row.holderEmail, 'policy')
  expect((await owner.send(confirmPolicy, { code })).status).toBe(429)
})

it('a pet with a policy must be of the species that is insured, and five may wait [PET-5, PET-9]', async () => {
  const owner = await world.owner()
  const cat = await world.policy({ speciesId: 2 })
  expect((await owner.send(addPet, bella(cat.policy))).status).toBe(404)
  for (let n = 0; n < 5; n++) await owner.call(addPet, bella((await world.policy()).policy))
  expect(await owner.refusal(addPet, bella((await world.policy()).policy))).toBe('MEMBERSHIP_FULL')
  expect(await owner.call(listPets, {})).toHaveLength(5)
})

it("a pet with a policy is added to a partner's membership too [ACC-4]", async () => {
  const member = await world.member()
  await world.change(subscriptions, member.subscription.id, {
    subsId: 'ps_9',
    source: 'petstock',
    stripeSubscription: null,
  })
  const { policy } = await world.policy({ holderEmail: member.email })
  expect(await member.refusal(addPet, { ...bella(''), policy: '' })).toBe('PETS_MANAGED_BY_PARTNER')
  expect((await member.call(addPet, bella(policy))).policy!.confirmed).toBe(true)
})

it('a pet with a policy is bound even if its pet was put into another membership while it waited [PET-9, SUB-3]', async () => {
  const member = await world.member()
  const row = await world.policy()
  const pet = await member.call(addPet, bella(row.policy))
  await member.call(manageSubscription, { action: 'add', pet_id: pet.id })
  const code = await world.codeTo(row.holderEmail, 'policy')
  expect((await member.send(confirmPolicy, { code })).text).toBe('{}')
  const after = (await member.call(listPets, {})).find(({ id }) => id === pet.id)
  expect(after).toMatchObject({ policy: { confirmed: true }, cover: { state: 'waiting' } })
})

it('a pet with a policy shows nothing of a policy that another account got [D15]', async () => {
  const owner = await world.owner()
  const row = await world.policy()
  await owner.call(addPet, bella(row.policy))
  const code = await world.codeTo(row.holderEmail, 'policy')
  const holder = await world.person({ email: row.holderEmail })
  await holder.call(addPet, bella(row.policy))
  expect(await owner.refusal(confirmPolicy, { code })).toBe('POLICY_INVALID')
  expect((await owner.call(listPets, {}))[0]!.policy).toBeNull()
})
