import { expect, it } from 'vitest'
import { me } from '#contract/accounts.ts'
import { sendMessageByCall } from '#contract/chat.ts'
import { addPrivateNote, getRecord } from '#contract/clinical.ts'
import { getConsultation } from '#contract/consultations.ts'
import { LIMITS } from '#contract/limits.ts'
import {
  handOverConsultation,
  listOwnersHere,
  SNOOZE_MINUTES,
  snoozeConsultation,
  takeConsultation,
} from '#contract/queue.ts'
import { MINUTE } from '#contract/time.ts'
import { users } from '#server/db/schema.ts'
import { openSocket } from '#test/open-socket.ts'
import { createWorld, type TestWorld } from '#test/world.ts'

const world = await createWorld()
const address = await world.listen()

async function pageOf(token: string) {
  const socket = openSocket(address, token)
  return {
    looksAt: (consultation: number | null, here = true) =>
      socket.emitWithAck('lookAt', { consultation, here }) as Promise<{ ok?: object; code?: string }>,
    joins: (consultation: number) => socket.emitWithAck('joinRoom', { consultation }),
    listens: (event: string, heard: (payload: { consultation: number }) => void) => socket.on(event, heard),
    hears: (event: string) => new Promise<object>((resolve) => socket.once(event, resolve)),
  }
}

async function taken(vet: Awaited<ReturnType<TestWorld['vet']>>) {
  const owner = await world.member()
  const { id } = await world.consultOf(owner, { start: world.now() })
  await vet.call(takeConsultation, { id })
  const where = async () => (await owner.call(getConsultation, { id })).consultation.vet
  return { owner, id, where }
}

it('an owner reads that the vet is here, or with another owner, and never that a vet on duty is away [CON-14]', async () => {
  const vet = await world.vet()
  const [first, second] = [await taken(vet), await taken(vet)]
  // Taking a case counts as being there.
  expect(await second.where()).toEqual({ is: 'here', since: null })
  expect(await first.where()).toEqual({ is: 'with_another', since: null })
  const [console, room] = [await pageOf(vet.token), await pageOf(first.owner.token)]
  await room.joins(first.id)
  const told = room.hears('someoneMoved')
  await console.looksAt(first.id)
  expect(await told).toEqual({ consultation: first.id })
  expect(await first.where()).toEqual({ is: 'here', since: null })
  await console.looksAt(null)
  expect(await first.where()).toEqual({ is: 'around', since: null })
  await world.change(users, vet.id, { onDutySince: null, lastSeenAt: world.now() })
  expect(await first.where()).toEqual({ is: 'away', since: expect.any(String) })
})

it('the vet sees whether the owner has the page open, and a stranger changes nothing [CON-14]', async () => {
  const vet = await world.vet()
  const { owner, id } = await taken(vet)
  const seen = async () => (await vet.call(getConsultation, { id })).consultation.owner_seen_at
  expect(await seen()).toBeNull()
  const stranger = await pageOf((await world.member()).token)
  expect((await stranger.looksAt(id)).code).toBe('NOT_FOUND')
  const page = await pageOf(owner.token)
  await page.looksAt(id)
  expect(await seen()).toEqual(expect.any(String))
  const here = async () => (await vet.call(listOwnersHere, {})).includes(id)
  expect(await here()).toBe(true)
  world.advance({ minutes: 2 })
  expect(await here(), 'a page that died says nothing').toBe(false)
  await page.looksAt(id)
  expect((await owner.call(getConsultation, { id })).consultation.owner_seen_at).toBeNull()
  await page.looksAt(id, false)
  expect(await seen()).toBeNull()
  expect(await here()).toBe(false)
})

it('an owner who comes and goes without end is told to vets only as often as people do [CON-14] [SAF-5]', async () => {
  const vet = await world.vet()
  const [restless, other] = [await taken(vet), await taken(vet)]
  const [console, page, calm] = [
    await pageOf(vet.token),
    await pageOf(restless.owner.token),
    await pageOf(other.owner.token),
  ]
  const moved: number[] = []
  const isTold = new Promise<void>((resolve) =>
    console.listens('someoneMoved', ({ consultation }) => {
      moved.push(consultation)
      if (consultation === other.id) resolve()
    }),
  )
  await console.looksAt(null)
  for (let n = 0; n < LIMITS.comingAndGoing.max + 10; n++) await page.looksAt(restless.id, n % 2 === 0)
  await calm.looksAt(other.id)
  await isTold
  expect(moved.filter((id) => id === restless.id)).toHaveLength(LIMITS.comingAndGoing.max)
})

it('handing over keeps the first answer’s time, and private notes are for vets alone [CON-14] [CON-6]', async () => {
  const [vet, colleague] = [await world.vet(), await world.vet()]
  await world.change(users, colleague.id, { onDutySince: world.now() })
  const { owner, id } = await taken(vet)
  const before = (await vet.call(getConsultation, { id })).consultation
  world.advance({ minutes: 6 })
  await vet.call(addPrivateNote, { id, body: 'The clinic has blood tonight.' })
  await vet.call(handOverConsultation, { id, vet_id: colleague.id, note: 'Gums are pale.' })
  const { consultation } = await colleague.call(getConsultation, { id })
  expect(consultation.first_taken_at).toBe(before.vet_start)
  expect(consultation.vet_start).not.toBe(before.vet_start)
  const { note } = await colleague.call(getRecord, { id })
  expect(note.additions.map(({ kind, body }) => [kind, body])).toEqual([
    ['private', 'The clinic has blood tonight.'],
    ['hand_over', 'Gums are pale.'],
  ])
  expect((await owner.send(addPrivateNote, { id, body: 'x' })).status).toBe(403)
  expect((await colleague.send(addPrivateNote, { id, body: ' ' })).status).toBe(400)
  expect(JSON.stringify((await owner.call(getConsultation, { id })).consultation)).not.toContain('blood')
})

it('a case that waits for its owner comes back with their next message, or after half an hour [CON-14]', async () => {
  const vet = await world.vet()
  const { owner, id } = await taken(vet)
  const until = async () =>
    (await vet.call(me, {})).consultations!.find((one) => one.id === id)!.snoozed_until
  await vet.call(snoozeConsultation, { id, on: true })
  expect((Date.parse((await until())!) - world.now().getTime()) / MINUTE).toBeCloseTo(SNOOZE_MINUTES, 0)
  await vet.call(sendMessageByCall, { consultation: id, client_id: 'snooze-vet', body: 'Take your time' })
  expect(await until()).not.toBeNull()
  await owner.call(sendMessageByCall, { consultation: id, client_id: 'snooze-own', body: 'Here it is' })
  expect(await until()).toBeNull()
  const other = await world.vet()
  expect((await other.send(snoozeConsultation, { id, on: true })).status).toBe(404)
})
