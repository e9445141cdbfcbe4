import { expect, it } from 'vitest'
import { getRecord } from '#contract/clinical.ts'
import { listPets, updatePet } from '#contract/pets.ts'
import { takeConsultation } from '#contract/queue.ts'
import { addFact, addWeight, endFact, getPetRecord, removeWeight, recordNone } from '#contract/records.ts'
import { petFacts } from '#server/db/schema.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

it('a record keeps weights over time, one a day, and one can be taken back [CON-15]', async () => {
  const owner = await world.member()
  const { id } = owner.pet
  await owner.call(addWeight, { id, kg: 24, on: '2025-11-02' })
  await owner.call(addWeight, { id, kg: 25, scale: true })
  const { weights } = await owner.call(addWeight, { id, kg: 26.4 })
  expect(weights.map(({ kg, scale, by }) => [kg, scale, by])).toEqual([
    [24, false, ''],
    [26.4, false, ''],
  ])
  expect((await owner.send(addWeight, { id, kg: 25, on: '2999-01-01' })).body.fields).toEqual({
    on: 'Choose a day that isn’t in the future.',
  })
  for (const kg of [0, -1, 5000]) expect((await owner.send(addWeight, { id, kg })).status).toBe(400)
  const left = await owner.call(removeWeight, { id, weight: weights[1]!.id })
  expect(left.weights.map(({ kg }) => kg)).toEqual([24])
})

it('a record tells “none known” from “not asked”, and leaves out what no longer holds [CON-15]', async () => {
  const owner = await world.member()
  const { id } = owner.pet
  expect(await owner.call(getPetRecord, { id })).toEqual({ weights: [], facts: [], none: [] })
  const none = await owner.call(recordNone, { id, kind: 'allergy' })
  expect(none.none.map(({ kind }) => kind)).toEqual(['allergy'])
  await owner.call(recordNone, { id, kind: 'allergy' })
  const known = await owner.call(addFact, { id, kind: 'allergy', name: 'Chicken' })
  expect([known.none, known.facts.map(({ name }) => name)]).toEqual([[], ['Chicken']])
  const again = await owner.call(addFact, { id, kind: 'allergy', name: 'Chicken', detail: 'Itches' })
  expect(again.facts).toMatchObject([{ name: 'Chicken', detail: 'Itches', by: '' }])
  expect((await owner.call(endFact, { id, fact: again.facts[0]!.id })).facts).toEqual([])
})

it('a full record takes neither a fact nor “none known” [CON-15] [SAF-6]', async () => {
  const owner = await world.member()
  const { id } = owner.pet
  const said = { petId: id, kind: 'allergy' as const, name: '', addedBy: owner.id, at: world.now() }
  await world.db
    .insert(petFacts)
    .values(Array.from({ length: 100 }, () => ({ ...said, endedAt: world.now() })))
  expect(await owner.refusal(recordNone, { id, kind: 'allergy' })).toBe('PET_RECORD_FULL')
  expect(await owner.refusal(addFact, { id, kind: 'allergy', name: 'Chicken' })).toBe('PET_RECORD_FULL')
})

it('a record is written by the vet of a case too, shown in the console, and closed to strangers [CON-15]', async () => {
  const [owner, stranger, vet, other] = [
    await world.member(),
    await world.member(),
    await world.vet(),
    await world.vet(),
  ]
  const { id } = owner.pet
  const consult = await world.consultation({ userId: owner.id, petId: id, start: world.now() })
  expect((await vet.send(addWeight, { id, kg: 20 })).status).toBe(404)
  await vet.call(takeConsultation, { id: consult.id })
  await vet.call(addWeight, { id, kg: 20, scale: true })
  await vet.call(addFact, { id, kind: 'condition', name: 'Hip dysplasia' })
  const { kept } = await vet.call(getRecord, { id: consult.id })
  expect(kept!.weights).toMatchObject([{ kg: 20, scale: true, by: `Dr Thandi ${vet.lastName}` }])
  expect((await owner.call(getPetRecord, { id })).facts).toMatchObject([
    { name: 'Hip dysplasia', by: `Dr Thandi ${vet.lastName}` },
  ])
  for (const person of [stranger, other]) {
    expect((await person.send(getPetRecord, { id })).status).toBe(404)
    expect((await person.send(addFact, { id, kind: 'allergy', name: 'x' })).status).toBe(404)
  }
  const guest = await world.guest()
  expect((await guest.send(addWeight, { id, kg: 4 })).status).toBe(404)
  expect((await guest.call(addWeight, { id: guest.consultation.petId!, kg: 4 })).weights).toMatchObject([
    { kg: 4, scale: false },
  ])
})

it('an age that was guessed is never a birthday [CON-15]', async () => {
  const owner = await world.owner()
  const pet = await world.pet(owner.id)
  const shown = async () => (await owner.call(listPets, {})).map((one) => [one.dob, one.dob_approximate])
  await owner.call(updatePet, { id: pet.id, dob: '2022-11-01', dob_approximate: true })
  expect(await shown()).toEqual([['2022-11-01', true]])
  await owner.call(updatePet, { id: pet.id, name: 'Bella' })
  expect(await shown()).toEqual([['2022-11-01', true]])
  await owner.call(updatePet, { id: pet.id, dob: '2022-11-05' })
  expect(await shown()).toEqual([['2022-11-05', false]])
})
