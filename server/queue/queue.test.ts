import { eq } from 'drizzle-orm'
import { afterEach, expect, it } from 'vitest'
import { me } from '#contract/accounts.ts'
import { readMessages, sendMessageByCall } from '#contract/chat.ts'
import { cancelConsultation, getConsultation, listConsultations } from '#contract/consultations.ts'
import { handBackConsultation, handOverConsultation, takeConsultation } from '#contract/queue.ts'
import { addMinutes } from '#contract/time.ts'
import { auditLog, consultations, pets, users } from '#server/db/schema.ts'
import { createWorld } from '#test/world.ts'
import { expectedWait } from '../consultations/wait-rules.ts'

const world = await createWorld()
afterEach(async () => {
  await world.db
    .update(consultations)
    .set({ vetId: null, vetStart: null, end: world.now(), cancelledAt: null })
})

const waiting = (minutesAgo = 0) => world.waiting({ start: addMinutes(world.now(), -minutesAgo) })
async function vetOnDuty() {
  const vet = await world.vet()
  await world.change(users, vet.id, { onDutySince: world.now() })
  return vet
}

it('a case in the queue is opened by its owner, its guest and staff, whose looks are logged [CON-1]', async () => {
  const { owner, id } = await waiting()
  const [guest, vet, admin] = [await world.guest(), await world.vet(), await world.admin()]
  for (const reader of [owner, vet, admin])
    expect((await reader.call(getConsultation, { id })).consultation).toMatchObject({ id, vet_id: null })
  expect((await guest.call(getConsultation, { id: guest.consultation.id })).consultation.people).toEqual([
    expect.objectContaining({ id: guest.user.id, side: 'owner' }),
  ])
  const seen = await world.rows(auditLog, { subjectId: String(id) })
  expect(seen.map(({ userId, action }) => [userId, action])).toEqual([
    [vet.id, 'opened'],
    [admin.id, 'opened'],
  ])
})

it('a case in the queue shows its place, the promise and when it is late [CON-3]', async () => {
  const [first, second] = [await waiting(16), await waiting(1)]
  const place = async ({ owner, id }: typeof first) =>
    (await owner.call(getConsultation, { id })).consultation.waiting!
  expect(await place(first)).toMatchObject({ place: 1, late: true, minutes: null })
  expect(await place(second)).toMatchObject({ place: 2, late: false })
  await vetOnDuty()
  const [from, to] = (await place(second)).minutes!
  expect(from).toBeGreaterThan(0)
  expect(to).toBeGreaterThan(from)
})

it('a case in the queue is taken by one vet, which the room sees; another vet learns who was first [CON-6]', async () => {
  const { owner, id } = await waiting()
  const [vet, other] = [await world.vet(), await world.vet()]
  const { consultation } = await vet.call(takeConsultation, { id })
  expect(consultation).toMatchObject({
    vet_id: vet.id,
    waiting: null,
    vet_name: `Dr Thandi ${vet.lastName}`,
  })
  expect(consultation.people).toContainEqual({
    id: vet.id,
    side: 'vet',
    name: `Dr Thandi ${vet.lastName}`,
    registration: vet.registration,
  })
  expect((await vet.call(takeConsultation, { id })).consultation.vet_id).toBe(vet.id)
  const late = await other.send(takeConsultation, { id })
  expect([late.status, late.body.errors]).toEqual([
    409,
    [`Dr Thandi ${vet.lastName} took this case a moment before you.`],
  ])
  const { messages } = await owner.call(readMessages, { consultation: id })
  expect(messages).toEqual([
    expect.objectContaining({ user_id: null, body: `Dr Thandi ${vet.lastName} joined` }),
  ])
  expect((await vet.send(takeConsultation, { id: 2_000_000_000 })).status).toBe(404)
})

it('a case in the queue is not taken by its own owner, nor by a vet without a registration [VET-7]', async () => {
  const { id, owner } = await waiting()
  await world.change(users, owner.id, { type: 2, registration: 'TEST-OWN' })
  expect(await owner.refusal(takeConsultation, { id })).toBe('CONSULT_OWN')
})

it('a case in the queue is not taken by a vet whose name owners could not read [VET-7]', async () => {
  const [{ id }, vet] = [await waiting(), await world.vet()]
  await world.change(users, vet.id, { firstName: '', lastName: '' })
  expect(await vet.refusal(takeConsultation, { id })).toBe('CONSULT_VET_NAMELESS')
})

it('a case in the queue is not handed over to its own owner [VET-7]', async () => {
  const { id, owner } = await waiting()
  const vet = await world.vet()
  await vet.call(takeConsultation, { id })
  await world.change(users, owner.id, { type: 2, registration: 'TEST-HANDED', onDutySince: world.now() })
  expect(await vet.refusal(handOverConsultation, { id, vet_id: owner.id, note: 'x' })).toBe('CONSULT_OWN')
})

it('a case in the queue goes back to its place, or to a colleague on duty, with its history and a note [CON-6, VET-7]', async () => {
  const { owner, id } = await waiting(5)
  const [vet, colleague, away] = [await world.vet(), await vetOnDuty(), await world.vet()]
  await vet.call(takeConsultation, { id })
  await vet.call(sendMessageByCall, {
    consultation: id,
    client_id: 'message-of-vet',
    body: 'Lift her lip, please',
  })
  expect((await colleague.send(handBackConsultation, { id, note: 'x' })).status).toBe(404)
  expect(await vet.refusal(handOverConsultation, { id, vet_id: away.id, note: 'x' })).toBe('VET_NOT_ON_DUTY')
  await vet.call(handOverConsultation, { id, vet_id: colleague.id, note: 'Pale gums' })
  await colleague.call(handBackConsultation, { id, note: 'My network is bad' })
  const { consultation } = await owner.call(getConsultation, { id })
  expect(consultation).toMatchObject({ vet_id: null, waiting: { place: 1 } })
  const { messages } = await owner.call(readMessages, { consultation: id })
  expect(messages.map(({ body }) => body)).toEqual([
    `Dr Thandi ${vet.lastName} joined`,
    'Lift her lip, please',
    `Dr Thandi ${vet.lastName} had to leave. Dr Thandi ${colleague.lastName} has taken over and will read everything you wrote.`,
    'Your vet had to leave. The next one will read everything you wrote.',
  ])
  expect(consultation.people.map(({ side }) => side)).toEqual(['owner', 'vet'])
})

it('a case in the queue names the colleague who handed it over, to its vet alone and until it is taken again [CON-6]', async () => {
  const { owner, id } = await waiting()
  const [vet, colleague] = [await vetOnDuty(), await vetOnDuty()]
  const from = async (who: typeof vet) => {
    world.advance({ seconds: 1 })
    const { consultations = [] } = await who.call(me, {})
    return consultations.map(({ id, handed_over_by }) => [id, handed_over_by])
  }
  await vet.call(takeConsultation, { id })
  expect(await from(vet)).toEqual([[id, null]])
  await vet.call(handOverConsultation, { id, vet_id: colleague.id, note: 'Pale gums' })
  expect(await from(colleague)).toEqual([[id, `Dr Thandi ${vet.lastName}`]])
  expect(await from(vet)).toEqual([])
  expect((await owner.call(getConsultation, { id })).consultation.handed_over_by).toBe(null)
  await colleague.call(handBackConsultation, { id, note: 'My network is bad' })
  world.advance({ seconds: 1 })
  await vet.call(takeConsultation, { id })
  expect(await from(vet)).toEqual([[id, null]])
})

it('a case in the queue can be left by its owner only before a vet has joined, and for good [CON-11]', async () => {
  const [{ owner, id }, taken] = [await waiting(), await waiting()]
  await owner.call(cancelConsultation, { id })
  await owner.call(cancelConsultation, { id })
  expect((await owner.call(getConsultation, { id })).consultation).toMatchObject({
    cancelled: true,
    follow_up_until: null,
  })
  const vet = await world.vet()
  expect(await vet.refusal(takeConsultation, { id })).toBe('CONSULT_NOT_WAITING')
  await vet.call(takeConsultation, { id: taken.id })
  expect(await taken.owner.refusal(cancelConsultation, { id: taken.id })).toBe('CONSULT_NOT_WAITING')
})

it("the staff's list has the longest wait first, then what is in progress, then what was completed, page by page [VET-1]", async () => {
  await world.db.update(consultations).set({ demo: true })
  const vet = await world.vet()
  const cases = [await waiting(9), await waiting(12), await waiting(3), await waiting(20), await waiting(30)]
  await vet.call(takeConsultation, { id: cases[3]!.id })
  await vet.call(takeConsultation, { id: cases[4]!.id })
  await world.change(consultations, cases[4]!.id, { end: world.now() })
  const order = [1, 0, 2, 3, 4].map((at) => cases[at]!.id)
  const ids: number[] = []
  let cursor: string | undefined
  while (ids.length < 5) {
    const page = await vet.call(listConsultations, { limit: 2, ...(cursor && { cursor }) })
    ids.push(...page.consultations.map(({ id }) => id))
    cursor = page.next ?? undefined
  }
  expect(ids.slice(0, 5)).toEqual(order)
  for (const [filter, expected] of [
    ['available', order.slice(0, 3)],
    ['in_progress', [cases[3]!.id]],
  ] as const)
    expect((await vet.call(listConsultations, { filter })).consultations.map(({ id }) => id)).toEqual(
      expected,
    )
  const completed = await vet.call(listConsultations, { filter: 'completed', limit: 1 })
  expect(completed.consultations.map(({ id }) => id)).toEqual([cases[4]!.id])
  expect(completed.counts).toMatchObject({ needs_help: 3, in_progress: 1 })
  expect((await vet.send(listConsultations, { cursor: 'x' })).status).toBe(400)
})

it("the staff's list can be searched by number, owner, email and pet [VET-5]", async () => {
  const vet = await world.vet()
  const { owner, id } = await waiting()
  await world.change(users, owner.id, { firstName: 'Nomathemba', lastName: 'van der 100%' })
  const found = async (q: string) =>
    (await vet.call(listConsultations, { q })).consultations.map((one) => one.id)
  for (const q of [`${id}`, 'nomathemba v', 'VAN DER 100%', owner.email.slice(0, -3)])
    expect(await found(q), q).toEqual([id])
  expect(await found('van der 1_')).toEqual([])
  expect(await found('bisc')).toContain(id)
})

it("the staff's list finds a case by a name that hundreds of pets have [VET-5]", async () => {
  const vet = await world.vet()
  const { id: ownerId } = await world.owner()
  const namesake = { ownerId, name: 'Zorro', speciesId: 1 }
  await world.db.insert(pets).values(Array.from({ length: 300 }, () => namesake))
  const { id, owner } = await waiting()
  await world.db.update(pets).set({ name: 'Zorro' }).where(eq(pets.ownerId, owner.id))
  const { consultations: found } = await vet.call(listConsultations, { q: 'zorro' })
  expect(found.map((one) => one.id)).toEqual([id])
})

it('a wait is a range that grows with the queue and shrinks with vets on duty [CON-3]', () => {
  const line = { ahead: 0, inProgress: 0, oldest: 0, takenMeanwhile: 0, vets: 1, recent: [10, 20, 30] }
  expect(expectedWait({ ...line, vets: 0 })).toBeNull()
  expect(expectedWait(line)).toEqual([1, 5])
  const long = expectedWait({ ...line, ahead: 9, inProgress: 3 })!
  const shared = expectedWait({ ...line, ahead: 9, inProgress: 3, vets: 3 })!
  expect(long[0]).toBeGreaterThan(shared[0])
  expect(long[1]).toBeGreaterThan(long[0])
})
