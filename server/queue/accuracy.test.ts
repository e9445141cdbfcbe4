import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { getConsultation } from '#contract/consultations.ts'
import { getWaitAccuracy, handBackConsultation, setDuty, takeConsultation } from '#contract/queue.ts'
import { consultations } from '#server/db/schema.ts'
import { createWorld, type TestWorld } from '#test/world.ts'

let world: TestWorld
beforeAll(async () => void (world = await createWorld()))
afterAll(() => world.close())

async function waiting() {
  const owner = await world.member()
  const { id } = await world.consultation({ userId: owner.id, petId: owner.pet.id })
  const look = async (reader = owner) =>
    (await reader.call(getConsultation, { id })).consultation.waiting?.minutes
  const told = async () => {
    const [row] = await world.db.select().from(consultations).where(eq(consultations.id, id))
    return [row!.toldFrom, row!.toldTo]
  }
  return { owner, id, look, told }
}

it('admins see the wait that owners were first told beside the wait they had [CON-3]', async () => {
  const [vet, admin] = [await world.vet(), await world.admin()]
  const accuracy = (days = 7) => admin.call(getWaitAccuracy, { days })
  expect(await accuracy()).toEqual({
    days: 7,
    told: 0,
    sooner: 0,
    within: 0,
    later: 0,
    median_late_minutes: null,
  })
  const first = await waiting()
  expect([await first.look(), await first.told()]).toEqual([null, [null, null]])
  await vet.call(setDuty, { on: true })
  // Staff who look don't count as telling the owner.
  await vet.call(getConsultation, { id: first.id })
  expect(await first.told()).toEqual([null, null])
  const range = await first.look()
  expect(await first.told()).toEqual(range)

  const [sooner, within, later, untold] = [await waiting(), await waiting(), await waiting(), await waiting()]
  for (const one of [sooner, within, later]) await one.look()
  const kept = await sooner.told()
  // The queue has changed since, but the first answer stays.
  for (const one of [first, sooner]) await one.look()
  expect([await first.told(), await sooner.told()]).toEqual([range, kept])

  for (const [one, toldFrom, toldTo] of [
    [sooner, 5, 9],
    [within, 1, 9],
    [later, 1, 2],
    [first, 1, 3],
  ] as const)
    await world.db.update(consultations).set({ toldFrom, toldTo }).where(eq(consultations.id, one.id))
  world.advance({ minutes: 4 })
  await vet.call(setDuty, { on: true })
  for (const { id } of [sooner, within, later, untold]) await vet.call(takeConsultation, { id })
  world.advance({ minutes: 4 })
  await vet.call(takeConsultation, { id: first.id })
  // A later take after a hand-back says nothing about the first wait.
  await vet.call(handBackConsultation, { id: within.id, note: 'My network is bad' })
  world.advance({ minutes: 30 })
  await vet.call(takeConsultation, { id: within.id })
  const found = await accuracy()
  expect(found).toMatchObject({ told: 4, sooner: 1, within: 1, later: 2 })
  // They were two and five minutes late, so the median is three and a half.
  expect(found.median_late_minutes).toBeCloseTo(3.5, 0)
  world.advance({ days: 2 })
  const anew = admin.with(await world.signIn(admin.id))
  expect((await anew.call(getWaitAccuracy, { days: 1 })).told).toBe(0)
})
