import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { addPet, listPets, putPetAway, takePetBack } from '#contract/pets.ts'
import { addWeight } from '#contract/records.ts'
import { subscriptionPets } from '#server/db/schema.ts'
import { followProvider } from '../memberships/writes.ts'
import { atOnce } from '#test/at-once.ts'
import { addedRabbit } from '#test/samples.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()
it('fifty pets added at the same time leave five in the membership [PET-5]', async () => {
  const member = await world.member()
  await world.card(member.id)
  const replies = await atOnce(50, () => member.send(addPet, addedRabbit))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(4)
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(46)
  expect(await member.call(listPets, {})).toHaveLength(5)
  const places = await world.db
    .select({ place: subscriptionPets.place })
    .from(subscriptionPets)
    .where(eq(subscriptionPets.subscriptionId, member.subscription.id))
  expect(places.map(({ place }) => place).toSorted()).toEqual([1, 2, 3, 4, 5])
})

it('a place that is being left is not given away before its period ends [PET-11]', async () => {
  const member = await world.member()
  await world.card(member.id)
  for (let n = 2; n <= 5; n++) await member.call(addPet, addedRabbit)
  const all = await member.call(listPets, {})
  const replies = await Promise.all([
    ...all.slice(0, 2).map(({ id }) => member.send(putPetAway, { id, why: 'moved' })),
    ...Array.from({ length: 8 }, () => member.send(addPet, addedRabbit)),
  ])
  expect(replies.map(({ status }) => status)).toEqual([200, 200, ...Array(8).fill(409)])
  world.advance({ days: 366 })
  const later = world.nobody.with(await world.signIn(member.id))
  const after = await atOnce(6, () => later.send(addPet, addedRabbit))
  expect(after.filter(({ status }) => status === 200)).toHaveLength(2)
  expect(await later.call(listPets, {})).toHaveLength(5)
})

it('a press that is sent eight times at the same time adds one pet [PET-5]', async () => {
  const owner = await world.owner()
  const { policy } = await world.policy({ holderEmail: owner.email, speciesId: 3 })
  const replies = await atOnce(8, () =>
    owner.send(addPet, { ...addedRabbit, policy }, { 'idempotency-key': 'press-1' }),
  )
  expect(new Set(replies.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
  expect(replies[0]!.status).toBe(200)
  expect(await owner.call(listPets, {})).toHaveLength(1)
})

it('a pet that comes back while others are added has a place of its own or none [PET-11]', async () => {
  const member = await world.memberWithCard()
  const { id } = member.pet
  await member.call(putPetAway, { id, why: 'moved' })
  const replies = await Promise.all([
    ...Array.from({ length: 6 }, () => member.send(takePetBack, { id })),
    ...Array.from({ length: 8 }, () => member.send(addPet, addedRabbit)),
  ])
  expect(replies.slice(0, 6).map(({ status }) => status)).toEqual(Array(6).fill(200))
  expect(replies.slice(6).filter(({ status }) => status === 200)).toHaveLength(4)
  const places = await world.rows(subscriptionPets, { subscriptionId: member.subscription.id })
  expect(places.map(({ place }) => place).toSorted()).toEqual([1, 2, 3, 4, 5])
})

it('a pet is put away while its weights are being recorded [PET-11]', async () => {
  const owner = await world.member()
  for (let round = 0; round < 5; round++) {
    const { id } = await world.pet(owner.id)
    const weigh = (at: number) => owner.send(addWeight, { id, kg: 3 + at })
    const [away, ...weighed] = await Promise.all([
      owner.send(putPetAway, { id, why: 'moved' }),
      ...Array.from({ length: 6 }, (_, at) => weigh(at)),
    ])
    expect(away.status).toBe(200)
    for (const { status } of weighed) expect([200, 404]).toContain(status)
  }
})

it('a pet added just as its membership ends has no place in it [PET-5, SUB-5]', async () => {
  for (let round = 0; round < 15; round++) {
    const member = await world.memberWithCard()
    const { id, stripe_subscription: stripe } = member.subscription
    await world.world.payments.endNow(stripe!, `end-${id}`)
    const [replies] = await Promise.all([
      atOnce(6, () => member.send(addPet, addedRabbit)),
      followProvider(world.world, stripe!),
    ])
    for (const { status } of replies) expect([200, 409]).toContain(status)
    const places = await world.rows(subscriptionPets, { subscriptionId: id })
    expect(places.filter(({ freeAt }) => freeAt === null)).toEqual([])
  }
})
