import { expect, it } from 'vitest'
import { addShift, listRoster, offerShift, takeShift } from '#contract/roster.ts'
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
  const { id } = planned.find(({ status }) => status === 200)!.body
  await vet.call(offerShift, { id, offered: true })
  const takers = await atOnce(4, () => world.vet())
  const taken = await Promise.all(takers.map((taker) => taker.send(takeShift, { id })))
  expect(taken.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
})
