import { expect, it } from 'vitest'
import {
  changeLevel,
  getConsultation,
  listAccess,
  listConsultations,
  startConsultation,
} from '#contract/consultations.ts'
import { takeConsultation } from '#contract/queue.ts'
import { levelChanges } from '#server/db/schema.ts'
import { createWorld, type TestWorld } from '#test/world.ts'

const world = await createWorld()

async function asks(words: string) {
  const owner = await world.member()
  const { consultation } = await owner.call(startConsultation, {
    pet_id: owner.pet.id,
    pet_issue: words,
    type: 1,
  })
  world.advance({ minutes: 1 })
  const room = async () => (await owner.call(getConsultation, { id: consultation.id })).consultation
  return { owner, id: consultation.id, room }
}
const first = async (vet: Awaited<ReturnType<TestWorld['vet']>>) =>
  (await vet.call(listConsultations, { filter: 'available' })).consultations[0]!.id

it('a vet raises a level with a reason: the queue, colleagues and the waiting owner see what they should [TRI-4]', async () => {
  const [vet, colleague] = [await world.vet(), await world.vet()]
  const early = await asks('Half a slab of chocolate is gone')
  const itchy = await asks('How much food does she need each day')
  expect((await itchy.room()).flag).toBeNull()
  expect(await first(vet)).toBe(early.id)

  const { consultation } = await vet.call(changeLevel, {
    id: itchy.id,
    from: 'routine',
    to: 'emergency',
    reason: 'White gums in the photo',
  })
  expect(consultation.urgency!.level).toBe('emergency')
  expect(await first(colleague)).toBe(itchy.id)
  const seen = (await colleague.call(getConsultation, { id: itchy.id })).consultation
  expect(seen.level!.changes).toMatchObject([
    {
      from: 'routine',
      to: 'emergency',
      reason: 'White gums in the photo',
      by: expect.stringMatching(/^Dr /),
    },
  ])

  const owners = await itchy.room()
  expect(owners).toMatchObject({ urgency: null, level: null, waiting: { place: 1 } })
  expect(owners.flag).toMatchObject({ level: 'emergency', told: null })
  expect(owners.flag!.advice.length).toBeGreaterThan(1)
  expect(JSON.stringify(owners)).not.toContain('White gums')
  expect(JSON.stringify(await itchy.owner.call(listAccess, { id: itchy.id }))).not.toContain('White gums')
})

it('only staff learn that it was lowered: the owner’s card stays as it was first shown [TRI-4]', async () => {
  const vet = await world.vet()
  const dog = await asks('He has been hit by a car')
  const flag = (await dog.room()).flag
  expect(flag).toMatchObject({ level: 'emergency' })
  await vet.call(changeLevel, { id: dog.id, from: 'emergency', to: 'soon', reason: 'A toy car' })
  expect((await dog.room()).flag).toEqual(flag)
  const { level, urgency } = (await vet.call(getConsultation, { id: dog.id })).consultation
  expect(urgency!.level).toBe('soon')
  expect(level!.reasons).toMatchObject([{ level: 'emergency', ticked: false }])
  // Raising a level to urgent shows the owner nothing either.
  const itchy = await asks('How much food does she need each day')
  await vet.call(changeLevel, { id: itchy.id, from: 'routine', to: 'urgent', reason: 'Swollen lips' })
  expect((await itchy.room()).flag).toBeNull()
})

it('of two vets one is told to look again, a repeated press counts once, and an ended case keeps its level [TRI-4]', async () => {
  const [vet, other] = [await world.vet(), await world.vet()]
  const { id } = await asks('How much food does she need each day')
  const change = { id, from: 'routine', to: 'urgent', reason: 'Swollen lips' } as const
  const both = await Promise.all([
    vet.send(changeLevel, change),
    other.send(changeLevel, { ...change, to: 'soon', reason: 'Since a week' }),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const again = both[0].status === 200 ? vet : other
  const sent = both[0].status === 200 ? change : { ...change, to: 'soon' as const, reason: 'Since a week' }
  await again.call(changeLevel, sent)
  expect(await world.rows(levelChanges, { consultationId: id })).toHaveLength(1)

  const now = both[0].status === 200 ? 'urgent' : 'soon'
  for (const reason of ['', '   ', 'x'.repeat(201)]) {
    const reply = await vet.send(changeLevel, { id, from: now, to: 'routine', reason })
    expect(reply.status).toBe(400)
    expect(reply.body).toMatchObject({ fields: { reason: expect.any(String) } })
  }
  expect((await vet.send(changeLevel, { ...change, id: 4_711_000 })).status).toBe(404)

  await vet.call(takeConsultation, { id })
  await other.call(changeLevel, { id, from: now, to: 'routine', reason: 'A flea bite' })
  expect((await vet.call(getConsultation, { id })).consultation.urgency!.level).toBe('routine')
})
