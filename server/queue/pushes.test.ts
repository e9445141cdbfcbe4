import { expect, it } from 'vitest'
import { cancelConsultation } from '#contract/consultations.ts'
import { handBackConsultation, handOverConsultation, setDuty, takeConsultation } from '#contract/queue.ts'
import { addMinutes } from '#contract/time.ts'
import { openSocket } from '#test/open-socket.ts'
import { createWorld } from '#test/world.ts'

const connected = (page: ReturnType<typeof openSocket>) =>
  new Promise((resolve) => page.once('connect', () => resolve(undefined)))

it('staff learn whose cases a change concerns, and about duty only when it changes [VET-3] [VET-5]', async () => {
  const world = await createWorld()
  const [vet, colleague, admin] = [await world.vet(), await world.vet(), await world.admin()]
  const owner = await world.member()
  const { id } = await world.consultOf(owner)
  const page = openSocket(await world.listen(), admin.token)
  await connected(page)
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

it('a question after the end changes the page that asked it, and its answer the page that gave it [CON-12]', async () => {
  const world = await createWorld()
  const [owner, vet] = [await world.member(), await world.vet()]
  const { id } = await world.consultation({
    userId: owner.id,
    petId: owner.pet.id,
    vetId: vet.id,
    vetStart: addMinutes(world.now(), -60),
    end: addMinutes(world.now(), -30),
    outcome: 'Home care',
  })
  await vet.call(setDuty, { on: true })
  const address = await world.listen()
  for (const [who, body] of [
    [owner, 'May she run?'],
    [vet, 'Not for three days.'],
  ] as const) {
    const page = openSocket(address, who.token)
    await connected(page)
    const changed = new Promise((resolve) => page.once('consultationChanged', resolve))
    await page.emitWithAck('joinRoom', { consultation: id })
    const message = { consultation: id, client_id: `follow-up-${who.id}`, body }
    expect(await page.emitWithAck('sendMessage', message)).toHaveProperty('ok')
    expect(await changed).toMatchObject({ consultation: id })
  }
})
