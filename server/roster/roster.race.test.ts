import { expect, it } from 'vitest'
import { addShift, listRoster, offerShift, takeShift } from '#contract/roster.ts'
import { setUserType } from '#contract/vets.ts'
import { createWorld } from '#test/world.ts'
import { daysAfter } from '#contract/regions.ts'
import { atOnce } from '#test/at-once.ts'

const world = await createWorld()

it("one of several vets takes an offered shift, and two admins can't plan a vet twice for the same time [VET-7]", async () => {
  const [admin, vet] = [await world.admin(), await world.vet()]
  const day = daysAfter((await admin.call(listRoster, {})).today, 3)
  const times = { day, from: '06:00', to: '14:00' }
  const planned = await atOnce(4, () => admin.send(addShift, { vet_id: vet.id, ...times }))
  expect(planned.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
  const shift = planned.find(({ status }) => status === 200)!.body
  await vet.call(offerShift, { id: shift.id, offered: true })
  const takers = await atOnce(4, () => world.vet())
  const taken = await Promise.all(takers.map((taker) => taker.send(takeShift, shift)))
  expect(taken.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
})

it('a shift is taken while its vet stops being one, and neither fails [VET-7, ADM-3]', async () => {
  const admin = await world.admin()
  const day = daysAfter((await admin.call(listRoster, {})).today, 3)
  const taker = await world.vet()
  for (let round = 0; round < 12; round++) {
    const vet = await world.vet()
    const times = { day: daysAfter(day, round), from: '06:00', to: '14:00' }
    const shift = await admin.call(addShift, { vet_id: vet.id, ...times })
    await vet.call(offerShift, { id: shift.id, offered: true })
    const [taken, left] = await Promise.all([
      taker.send(takeShift, shift),
      admin.send(setUserType, { id: vet.id, type: 1 }),
    ])
    expect([[200, 404, 409].includes(taken.status), left.status]).toEqual([true, 200])
  }
})
