import { expect, it } from 'vitest'
import { addPet, listPets } from '#contract/pets.ts'
import { confirmPolicy } from '#contract/policies.ts'
import { policies, subscriptions } from '#server/db/schema.ts'
import { addedRabbit } from '#test/samples.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

it('of six accounts that claim one policy at the same time, one gets it [PET-9, D15]', async () => {
  const { id, policy, holderEmail } = await world.policy({ speciesId: 3 })
  const owners = await Promise.all(Array.from({ length: 6 }, () => world.owner()))
  const codes: string[] = []
  for (const owner of owners) {
    await owner.call(addPet, { ...addedRabbit, policy })
    codes.push(await world.codeTo(holderEmail, 'policy'))
  }
  const replies = await Promise.all(owners.map((owner, n) => owner.send(confirmPolicy, { code: codes[n]! })))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(5).fill(404)])
  const winner = owners[replies.findIndex(({ status }) => status === 200)]!
  const [row] = await world.rows(policies, { id })
  expect(row!.userId).toBe(winner.id)
  expect(await world.db.select().from(subscriptions)).toHaveLength(1)
})

it('one code entered eight times at the same time takes one place [PET-9]', async () => {
  const { policy, holderEmail } = await world.policy({ speciesId: 3 })
  const owner = await world.owner()
  await owner.call(addPet, { ...addedRabbit, policy })
  const code = await world.codeTo(holderEmail, 'policy')
  const replies = await Promise.all(Array.from({ length: 8 }, () => owner.send(confirmPolicy, { code })))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await owner.call(listPets, {}))[0]!.policy!.confirmed).toBe(true)
})
