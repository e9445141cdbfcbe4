import { expect, it } from 'vitest'
import { readMessages, sendMessageByCall } from '#contract/chat.ts'
import { changeLevel, getConsultation, listConsultations } from '#contract/consultations.ts'
import {
  handOverConsultation,
  listDuty,
  listFollowUps,
  listOwnersHere,
  queueStatus,
  setDuty,
  takeConsultation,
} from '#contract/queue.ts'
import type { Region } from '#contract/regions.ts'
import { addMinutes } from '#contract/time.ts'
import { consultations } from '#server/db/schema.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()
const [admin, capeTown, sydney] = await Promise.all([world.admin(), world.vet(), world.vet('au')])

async function waiting(
  region: Region,
  times: { vetId?: number; start?: Date; vetStart?: Date; end?: Date } = {},
) {
  const owner = await world.member(region)
  const row = await world.consultOf(owner, { region, ...times })
  return { owner, id: row.id }
}

type Staff = Pick<typeof capeTown, 'call' | 'send'>
const listed = async (who: Staff, more = {}) => {
  const { consultations: rows, counts } = await who.call(listConsultations, { limit: 50, ...more })
  return { ids: rows.map(({ id }) => id), counts }
}

it('a vet who is registered in another region doesn’t see its consults in the queue, its counts, a sorted list or a search [VET-7]', async () => {
  const [here, there] = [await waiting('za'), await waiting('au')]
  for (const more of [{}, { sort: 'pet' }, { sort: '-id' }, { filter: 'available' }]) {
    expect((await listed(sydney, more)).ids).toEqual([there.id])
    expect((await listed(capeTown, more)).ids).toEqual([here.id])
    expect((await listed(admin, more)).ids.toSorted()).toEqual([here.id, there.id].toSorted())
  }
  expect((await listed(sydney, { q: String(here.id) })).ids).toEqual([])
  expect((await listed(sydney, { q: String(there.id) })).ids).toEqual([there.id])
  const helped = async (who: Staff) => (await listed(who)).counts.needs_help
  expect([await helped(sydney), await helped(capeTown), await helped(admin)]).toEqual([1, 1, 2])
  await world.db.update(consultations).set({ ownerSeenAt: world.now() })
  expect(await sydney.call(listOwnersHere, {})).toEqual([there.id])
})

it('a vet who is registered in another region can’t open, read, take or change one, however they came by its number [VET-7]', async () => {
  const { id } = await waiting('za')
  const body = { consultation: id, client_id: 'from-sydney', body: 'Hello' }
  const refused = await Promise.all([
    sydney.send(getConsultation, { id }),
    sydney.send(takeConsultation, { id }),
    sydney.send(readMessages, { consultation: id }),
    sydney.send(sendMessageByCall, body),
    sydney.send(changeLevel, { id, from: 'routine', to: 'emergency', reason: 'Worse' }),
  ])
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  const [row] = await world.rows(consultations, { id })
  expect(row).toMatchObject({ vetId: null, urgency: 'routine' })
  expect((await capeTown.send(takeConsultation, { id })).status).toBe(200)
})

it('a vet who is registered in another region is neither named for a hand-over nor handed one [VET-7]', async () => {
  const { id } = await waiting('za')
  await capeTown.call(takeConsultation, { id })
  await sydney.call(setDuty, { on: true })
  expect((await capeTown.call(listDuty, {})).map((vet) => vet.id)).toEqual([capeTown.id])
  expect((await admin.call(listDuty, {})).map((vet) => vet.id)).toEqual([capeTown.id, sydney.id])
  expect(await capeTown.refusal(handOverConsultation, { id, vet_id: sydney.id, note: 'Yours' })).toBe(
    'VET_NOT_ON_DUTY',
  )
})

it('a vet who is registered in another region neither sees nor takes a question after the end [CON-12]', async () => {
  const past = (minutes: number) => addMinutes(world.now(), -minutes)
  const { owner, id } = await waiting('za', {
    vetId: (await world.vet()).id,
    start: past(90),
    vetStart: past(80),
    end: past(60),
  })
  await owner.call(sendMessageByCall, { consultation: id, client_id: 'asked-again', body: 'Can she eat?' })
  expect(await sydney.call(listFollowUps, {})).toEqual([])
  expect((await capeTown.call(listFollowUps, {})).map((one) => one.consultation.id)).toEqual([id])
  expect((await sydney.send(takeConsultation, { id })).status).toBe(404)
  expect((await capeTown.send(takeConsultation, { id })).status).toBe(200)
})

it('the wait and the promise of a region count its own vets and consults alone [CON-13]', async () => {
  const two = await createWorld()
  const [away, owner] = [await two.vet('au'), await two.member()]
  await away.call(setDuty, { on: true })
  expect(await two.nobody.call(queueStatus, {})).toMatchObject({ on_duty: false, vets: 0, minutes: null })
  await (await two.vet()).call(setDuty, { on: true })
  const alone = await two.nobody.call(queueStatus, {})
  expect(alone).toMatchObject({ on_duty: true, vets: 1 })
  for (let n = 0; n < 5; n++) {
    const foreign = await two.member('au')
    await two.consultOf(foreign, { region: 'au' })
  }
  expect((await two.nobody.call(queueStatus, {})).minutes).toEqual(alone.minutes)
  const own = await two.consultOf(owner)
  const { consultation } = await owner.call(getConsultation, { id: own.id })
  expect(consultation.waiting).toMatchObject({ place: 1 })
})
