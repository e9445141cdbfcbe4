import { expect, it } from 'vitest'
import { readMessages } from '#contract/chat.ts'
import { cancelConsultation } from '#contract/consultations.ts'
import { takeConsultation } from '#contract/line.ts'
import { createWorld } from '#test/world.ts'

it('of 50 vets who take one consult at once one gets it, and its owner who leaves then does not [CON-6, CON-11]', async () => {
  const world = await createWorld()
  const owner = await world.member()
  const { id } = await world.consultation({ userId: owner.id, petId: owner.pet.id })
  const vets = await Promise.all(Array.from({ length: 50 }, () => world.vet()))
  const [cancelled, ...taken] = await Promise.all([
    owner.send(cancelConsultation, { id }),
    ...vets.map((vet) => vet.send(takeConsultation, { id })),
  ])
  const winners = [cancelled!, ...taken].filter(({ status }) => status === 200)
  expect(winners).toHaveLength(1)
  for (const { status } of taken) expect([200, 409]).toContain(status)
  const { messages } = await owner.call(readMessages, { consultation: id })
  expect(messages).toHaveLength(cancelled!.status === 200 ? 0 : 1)
  await world.close()
})
