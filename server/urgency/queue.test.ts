import { expect, it } from 'vitest'
import { sendMessageByCall } from '#contract/chat.ts'
import {
  changeLevel,
  getConsultation,
  listConsultations,
  startConsultation,
} from '#contract/consultations.ts'
import { snoozeConsultation, takeConsultation } from '#contract/queue.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

async function asks(words: string, { species = 2, signs }: { species?: number; signs?: string[] } = {}) {
  const owner = await world.member()
  const pet = await world.pet(owner.id, { speciesId: species })
  const { consultation } = await owner.call(startConsultation, {
    pet_id: pet.id,
    pet_issue: words,
    type: 1,
    ...(signs && { signs }),
  })
  world.advance({ minutes: 2 })
  return { owner, id: consultation.id }
}

it('a blocked cat comes before a kitten that sneezed earlier, and its owner reads why and what to do [TRI-2, TRI-3]', async () => {
  const kitten = await asks('The kitten has been sneezing since last night')
  const dog = await asks('She ate half a slab of chocolate', { species: 1 })
  const cat = await asks('He strains in the litter box and nothing comes out')
  const ticked = await asks('Something is wrong', { species: 1, signs: ['snake-bite', 'no such sign'] })
  const vet = await world.vet()

  const listed = await vet.call(listConsultations, { filter: 'available' })
  expect(listed.consultations.map(({ id }) => id)).toEqual([cat.id, ticked.id, dog.id, kitten.id])
  expect(listed.consultations.map(({ urgency }) => urgency?.level)).toEqual([
    'emergency',
    'emergency',
    'urgent',
    'soon',
  ])
  expect(listed.consultations[1]!.urgency).toEqual({ level: 'emergency', why: 'snake bite' })

  const page = await vet.call(listConsultations, { filter: 'available', limit: 2 })
  const rest = await vet.call(listConsultations, { filter: 'available', limit: 2, cursor: page.next! })
  expect(rest.consultations.map(({ id }) => id)).toEqual([dog.id, kitten.id])

  const { consultation } = await cat.owner.call(getConsultation, { id: cat.id })
  expect(consultation).toMatchObject({ urgency: null, waiting: { place: 1 } })
  expect(consultation.flag).toMatchObject({ level: 'emergency', told: expect.stringContaining('strains') })
  expect(consultation.flag!.advice.length).toBeGreaterThan(1)

  const waits = await kitten.owner.call(getConsultation, { id: kitten.id })
  expect(waits.consultation).toMatchObject({ urgency: null, flag: null, waiting: { place: 4 } })
})

it('first aid for a burn is to cool it [TRI-3]', async () => {
  const { owner, id } = await asks('Hot oil spilt on his back and the skin is burned', { species: 1 })
  const { consultation } = await owner.call(getConsultation, { id })
  expect(consultation.flag!.advice[0]).toMatch(/cold running water/)
})

it('what an owner adds while they wait raises an emergency to the top, and nothing else changes its level [TRI-2, TRI-3]', async () => {
  const first = await asks('Bleeding that will not stop', { species: 1 })
  const { owner, id } = await asks('The kitten has been sneezing since last night')
  const say = (body: string) =>
    owner.call(sendMessageByCall, { consultation: id, client_id: `added-${body.length}`, body })
  const read = async () => (await owner.call(getConsultation, { id })).consultation
  await say('Thank you, we will wait for a vet then')
  expect((await read()).flag).toBeNull()
  await say('Now she cannot breathe and her tongue is blue')
  expect((await read()).flag).toMatchObject({ level: 'emergency', told: expect.stringContaining('breathe') })
  await say('She is fine again, false alarm')
  expect((await read()).flag).toMatchObject({ level: 'emergency' })
  const vet = await world.vet()
  const listed = await vet.call(listConsultations, { filter: 'available' })
  const ids = listed.consultations.map((one) => one.id)
  expect(listed.consultations.find((one) => one.id === id)!.urgency).toMatchObject({ level: 'emergency' })
  expect(ids.indexOf(id)).toBe(ids.indexOf(first.id) + 1)
})

it('an emergency in a case that its vet has put aside raises it; while a vet reads along, the level is theirs [TRI-2, TRI-4]', async () => {
  const { owner, id } = await asks('The kitten has been sneezing since last night')
  const vet = await world.vet()
  const say = (caller: typeof owner | typeof vet, body: string) =>
    caller.call(sendMessageByCall, { consultation: id, client_id: `aside-${body.length}`, body })
  const level = async () => (await vet.call(getConsultation, { id })).consultation.urgency!.level
  await vet.call(takeConsultation, { id })
  await say(owner, 'Now she cannot breathe and her tongue is blue')
  expect(await level()).not.toBe('emergency')
  await vet.call(snoozeConsultation, { id, on: true })
  await say(vet, 'Write to me if she cannot breathe')
  expect(await level()).not.toBe('emergency')
  await say(owner, 'She cannot breathe again')
  expect(await level()).toBe('emergency')
})

it('an emergency raises a case while its vet is in another one [TRI-2, TRI-3]', async () => {
  const { owner, id } = await asks('The kitten has been sneezing since last night')
  const other = await asks('Her nails are too long')
  const vet = await world.vet()
  for (const taken of [id, other.id]) await vet.call(takeConsultation, { id: taken })
  const levels = async () =>
    Promise.all(
      [id, other.id].map(
        async (one) => (await vet.call(getConsultation, { id: one })).consultation.urgency?.level,
      ),
    )
  for (const [sender, consultation] of [
    [other.owner, other.id],
    [owner, id],
  ] as const)
    await sender.call(sendMessageByCall, {
      consultation,
      client_id: 'much-worse-1',
      body: 'Now she cannot breathe and her tongue is blue',
    })
  expect(await levels()).toEqual(['emergency', 'urgent'])

  // Its owner reads where to go until the vet lowers the level, and again when it gets worse after that.
  const flag = async () => (await owner.call(getConsultation, { id })).consultation.flag
  const card = { level: 'emergency', told: expect.stringContaining('breathe') }
  expect(await flag()).toMatchObject(card)
  expect((await other.owner.call(getConsultation, { id: other.id })).consultation.flag).toBeNull()
  world.advance({ minutes: 1 })
  await vet.call(changeLevel, { id, from: 'emergency', to: 'soon', reason: 'She pants after a run' })
  expect(await flag()).toBeNull()
  world.advance({ minutes: 1 })
  await owner.call(sendMessageByCall, {
    consultation: id,
    client_id: 'worse-again',
    body: 'She cannot breathe',
  })
  expect(await flag()).toMatchObject(card)
})

it('a vet’s earlier reason isn’t shown as the reason for a later emergency [TRI-3, TRI-4]', async () => {
  const { owner, id } = await asks('The kitten has been sneezing since last night')
  const vet = await world.vet()
  await vet.call(changeLevel, { id, from: 'soon', to: 'urgent', reason: 'Very young' })
  world.advance({ minutes: 1 })
  await owner.call(sendMessageByCall, {
    consultation: id,
    client_id: 'worse-then',
    body: 'She cannot breathe',
  })
  const { flag } = (await owner.call(getConsultation, { id })).consultation
  expect(flag).toMatchObject({ level: 'emergency', told: expect.stringContaining('breathe') })
})
