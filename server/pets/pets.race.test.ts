import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addPet, listPets } from '#contract/pets.ts'
import { cards, subscriptionPets } from '#server/db/schema.ts'
import { createWorld, type TestWorld } from '#test/world.ts'

let world: TestWorld
beforeAll(async () => void (world = await createWorld()))
afterAll(() => world.close())

it('fifty pets added at once leave five in the membership [PET-5]', async () => {
  const member = await world.member()
  await world.db.insert(cards).values({
    userId: member.id,
    stripePaymentMethod: 'pm_race',
    brand: 'visa',
    last4: '4242',
    expMonth: 1,
    expYear: 2031,
  })
  const rabbit = { name: 'Pixel', pet_species: 3, breed: null, dob: null, desexed: null, sex: null }
  const replies = await Promise.all(Array.from({ length: 50 }, () => member.send(addPet, rabbit)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(4)
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(46)
  expect(await member.call(listPets, {})).toHaveLength(5)
  const places = await world.db
    .select({ place: subscriptionPets.place })
    .from(subscriptionPets)
    .where(eq(subscriptionPets.subscriptionId, member.subscription.id))
  expect(places.map(({ place }) => place).toSorted()).toEqual([1, 2, 3, 4, 5])
})
