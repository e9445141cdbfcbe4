import { expect, it } from 'vitest'
import { addPet, listPets } from '#contract/pets.ts'
import { confirmPolicy } from '#contract/policies.ts'
import { policies, subscriptions } from '#server/db/schema.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

const pixel = (policy: string) => ({
  name: 'Pixel',
  pet_species: 3,
  breed: null,
  dob: null,
  sex: null,
  desexed: null,
  policy,
})
const rabbit = { holderEmail: 'holder@example.com', petName: 'Pixel', speciesId: 3 }

it('of six accounts that claim one policy at the same time, one gets it [PET-9, D15]', async () => {
  const policy = await world.add(policies, { ...rabbit, policy: 'RACE-1' })
  const owners = await Promise.all(Array.from({ length: 6 }, () => world.owner()))
  const codes: string[] = []
  for (const owner of owners) {
    await owner.call(addPet, pixel('RACE-1'))
    codes.push(await world.codeTo('holder@example.com', 'policy'))
  }
  const replies = await Promise.all(owners.map((owner, n) => owner.send(confirmPolicy, { code: codes[n]! })))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(5).fill(404)])
  const winner = owners[replies.findIndex(({ status }) => status === 200)]!
  const [row] = await world.rows(policies, { id: policy.id })
  expect(row!.userId).toBe(winner.id)
  expect(await world.db.select().from(subscriptions)).toHaveLength(1)
})

it('one code entered eight times at the same time takes one place [PET-9]', async () => {
  await world.add(policies, { ...rabbit, policy: 'RACE-2', holderEmail: 'second@example.com' })
  const owner = await world.owner()
  await owner.call(addPet, pixel('RACE-2'))
  const code = await world.codeTo('second@example.com', 'policy')
  const replies = await Promise.all(Array.from({ length: 8 }, () => owner.send(confirmPolicy, { code })))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await owner.call(listPets, {}))[0]!.policy!.confirmed).toBe(true)
})
