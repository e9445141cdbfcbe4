import { expect, it } from 'vitest'
import { readMessages, sendMessageByCall } from '#contract/chat.ts'
import { saveNote } from '#contract/clinical.ts'
import { getConsultation, listAccess } from '#contract/consultations.ts'
import { handBackConsultation, listDuty, setDuty, takeConsultation } from '#contract/queue.ts'
import { addMinutes } from '#contract/time.ts'
import { users } from '#server/db/schema.ts'
import { createWorld, type TestWorld } from '#test/world.ts'

const world = await createWorld()

const waiting = (minutes = 0) => world.waiting({ start: addMinutes(world.now(), -minutes) })
type Vet = Awaited<ReturnType<TestWorld['vet']>>
const onDuty = async (vet: Vet) => (await vet.call(listDuty, {})).find(({ id }) => id === vet.id) ?? null
const silence = async (minutes: number) => {
  await world.pass({ minutes })
}

it('duty starts and ends when a vet says so, and colleagues see it with the cases each has [VET-7]', async () => {
  const [vet, { id }] = [await world.vet(), await waiting()]
  const { since } = await vet.call(setDuty, { on: true })
  expect(await vet.call(setDuty, { on: true })).toEqual({ since })
  await vet.call(takeConsultation, { id })
  const name = `Dr Thandi ${vet.lastName}`
  expect(await onDuty(vet)).toEqual({ id: vet.id, name, since, cases: 1 })
  await vet.call(handBackConsultation, { id, note: 'The shift is over' })
  expect(await vet.call(setDuty, { on: false })).toEqual({ since: null })
  expect(await onDuty(vet)).toBeNull()
})

it('duty starts when a vet takes a case, and cannot end while one is open [VET-7]', async () => {
  const [vet, { id }] = [await world.vet(), await waiting()]
  await vet.call(takeConsultation, { id })
  expect(await onDuty(vet)).toMatchObject({ cases: 1 })
  expect(await vet.refusal(setDuty, { on: false })).toBe('DUTY_CASES_OPEN')
  const late = await world.vet()
  await late.send(takeConsultation, { id })
  expect(await onDuty(late)).toBeNull()
})

it('a vet who has gone silent goes off duty, and the case returns to its place with its history and a message that says why [VET-7]', async () => {
  const [vet, { owner, id }] = [await world.vet(), await waiting(10)]
  await vet.call(takeConsultation, { id })
  await vet.call(sendMessageByCall, { consultation: id, client_id: 'message-of-vet', body: 'Lift her lip' })
  await silence(4)
  expect(await onDuty(vet)).toBeNull()
  const { consultation } = await owner.call(getConsultation, { id })
  expect(consultation).toMatchObject({ vet_id: null, waiting: { place: 1 } })
  const { messages } = await owner.call(readMessages, { consultation: id })
  expect(messages.map(({ body }) => body)).toEqual([
    expect.stringContaining('joined'),
    'Lift her lip',
    expect.stringContaining('Your vet lost their connection'),
  ])
  expect((await owner.call(listAccess, { id }))[0]).toMatchObject({
    name: 'VetChat',
    action: 'handed back',
  })
  const next = await world.vet()
  expect((await next.call(takeConsultation, { id })).consultation.vet_id).toBe(next.id)
})

it('a vet whose page reports in, who writes, or who is typing a note has not gone silent [VET-7]', async () => {
  const vets = [await world.vet(), await world.vet(), await world.vet()] as const
  const ids: number[] = []
  for (const vet of vets) {
    const { id } = await waiting()
    await vet.call(takeConsultation, { id })
    ids.push(id)
  }
  world.advance({ minutes: 2 })
  await vets[0].call(setDuty, { on: true })
  await vets[1].call(sendMessageByCall, {
    consultation: ids[1]!,
    client_id: 'message-of-two',
    body: 'And now?',
  })
  await vets[2].call(saveNote, { id: ids[2]!, version: 0, history: 'Ate' })
  await silence(2)
  for (const vet of vets) expect(await onDuty(vet)).not.toBeNull()
  await silence(2)
  for (const vet of vets) expect(await onDuty(vet)).toBeNull()
})

it('a vet who had gone silent is back on duty by reporting in, without the cases [VET-7]', async () => {
  const [vet, { id }] = [await world.vet(), await waiting()]
  await vet.call(takeConsultation, { id })
  await silence(4)
  await vet.call(setDuty, { on: true })
  expect(await onDuty(vet)).toMatchObject({ cases: 0 })
  const words = { consultation: id, client_id: 'message-too-late', body: 'Hello?' }
  expect(await vet.refusal(sendMessageByCall, words)).toBe('CONSULT_NOT_YOURS_TO_ANSWER')
})

it('a vet whom the demo put on duty has not gone silent, until they report in themselves [VET-7]', async () => {
  const vet = await world.vet()
  await world.change(users, vet.id, { onDutySince: world.now() })
  await silence(60)
  expect(await onDuty(vet)).not.toBeNull()
  await vet.call(setDuty, { on: true })
  await silence(4)
  expect(await onDuty(vet)).toBeNull()
})
