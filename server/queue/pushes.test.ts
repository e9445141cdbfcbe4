import { expect, it } from 'vitest'
import { cancelConsultation } from '#contract/consultations.ts'
import { handBackConsultation, handOverConsultation, setDuty, takeConsultation } from '#contract/queue.ts'
import { openSocket } from '#test/open-socket.ts'
import { createWorld } from '#test/world.ts'

it('staff learn whose cases a change concerns, and about duty only when it changes [VET-3] [VET-5]', async () => {
  const world = await createWorld()
  const [vet, colleague, admin] = [await world.vet(), await world.vet(), await world.admin()]
  const owner = await world.member()
  const { id } = await world.consultation({ userId: owner.id, petId: owner.pet.id })
  const page = openSocket(await world.listen(), admin.token)
  await new Promise((resolve) => page.once('connect', () => resolve(undefined)))
  const told: unknown[] = []
  page.on('consultationChanged', ({ vets }) => told.push(vets))
  page.on('rosterChanged', () => told.push('duty'))
  await colleague.call(setDuty, { on: true })
  await colleague.call(setDuty, { on: true })
  await vet.call(takeConsultation, { id })
  await vet.call(handOverConsultation, { id, vet_id: colleague.id, note: 'Pale gums' })
  await colleague.call(handBackConsultation, { id, note: 'My network is bad' })
  await owner.call(cancelConsultation, { id })
  await colleague.call(setDuty, { on: false })
  await expect
    .poll(() => told)
    .toEqual(['duty', [vet.id], [vet.id, colleague.id], [colleague.id], [], 'duty'])
})
