import * as z from 'zod'
import { expect, it } from 'vitest'
import { me } from '#contract/accounts.ts'
import { type Call, people } from '#contract/call.ts'
import { getRecord, saveNote, sendSummary } from '#contract/clinical.ts'
import { addClinic, saveClinic } from '#contract/clinics.ts'
import { getConsultation, rateConsultation } from '#contract/consultations.ts'
import { listCoupons, saveCoupon } from '#contract/coupons.ts'
import { updateResource } from '#contract/library.ts'
import { listPets, tickCare, updatePet } from '#contract/pets.ts'
import { getPhoneDraft, savePhoneDraft } from '#contract/phone.ts'
import { updateMe } from '#contract/profile.ts'
import { saveVet } from '#contract/vets.ts'
import { uploads } from '#server/db/schema.ts'
import { advised, NOTE } from './advice.ts'
import { contractOf } from './contract-calls.ts'
import { createWorld } from './world.ts'

/* What a call doesn't name stays as it is. */

const world = await createWorld()

/** Calls that make something new, or only ask. A field that isn't sent may get a default there. */
const MAKES_OR_ASKS = [
  'addFact',
  'addPet',
  'addWeight',
  'mailWhenTaken',
  'contactUs',
  'joinNewsletter',
  'login',
  'lookUpCoupon',
  'newUserConsultation',
  'payForConsult',
  'repeatWeek',
  'sandboxFaults',
  'subscribe',
  'tellWhenBack',
  'upgrade',
]

const changes = (await contractOf<Call>('call')).filter(
  ([, { method }]) => method === 'POST' || method === 'PUT',
)

/** The fields that get a value although they weren't sent. */
function filledIn(input: z.core.$ZodType): string[] {
  if (!(input instanceof z.ZodObject))
    throw new Error('The input of a call that changes something is an object')
  return Object.entries(input.shape as Record<string, z.ZodType>)
    .filter(([, field]) => field.safeParse(undefined).data !== undefined)
    .map(([name]) => name)
}

it('every call that changes something leaves out what was not sent, unless it makes something new [API-3]', () => {
  const fills = changes.filter(([, { input }]) => filledIn(input).length > 0).map(([name]) => name)
  expect(fills.filter((name) => !MAKES_OR_ASKS.includes(name))).toEqual([])
})

it('every call that changes something is caught if it fills in a field', () => {
  expect(
    filledIn(z.object({ name: z.string().optional(), sex: z.number().nullable().default(null) })),
  ).toEqual(['sex'])
})

it('an update refuses null in a field that may not be empty, with its message [API-3]', async () => {
  const [owner, admin, vet, clinic] = [
    await world.memberWithCard(),
    await world.admin(),
    await world.vet(),
    await world.clinic(),
  ]
  const refused = [
    await owner.send(updatePet, { id: owner.pet.id, name: null }),
    await admin.send(saveClinic, { id: clinic.id, clinic: null }),
    await admin.send(saveVet, { id: vet.id, registration: null }),
    await admin.send(updateResource, { id: 1, title: null, type: null }),
  ]
  expect(refused.map(({ status, body }) => [status, body.fields])).toEqual([
    [400, { name: 'Missing pet details.' }],
    [400, { clinic: 'Enter the clinic’s name.' }],
    [400, { registration: 'Enter the vet’s registration number first.' }],
    [400, { title: 'Title is required', type: 'Type is required' }],
  ])
})

it('an update that names nothing but its object changes nothing of a pet, while null or an empty text clears a field [PET-3]', async () => {
  const owner = await world.memberWithCard()
  const name = 'a'.repeat(32)
  await world.add(uploads, { name, userId: owner.id, type: 'image', bytes: 1, createdAt: world.now() })
  const full = { sex: 2, dob: '2020-02-29', desexed: true, microchip: '985141000123456' } as const
  const { id } = owner.pet
  const before = await owner.call(updatePet, { id, ...full, pet_image: name })
  expect(before).toMatchObject({ ...full, pet_image: expect.stringContaining(name) })
  expect(await owner.call(updatePet, { id })).toEqual(before)
  expect(await owner.call(updatePet, { id, name: 'Bix' })).toEqual({ ...before, name: 'Bix' })
  for (const nothing of [null, '']) {
    const cleared = { sex: nothing, dob: nothing, desexed: nothing, microchip: nothing, pet_image: nothing }
    const { status, body } = await owner.send(updatePet, { id, ...cleared })
    expect([status, body]).toMatchObject([
      200,
      { name: 'Bix', sex: null, dob: null, desexed: null, microchip: '', pet_image: null },
    ])
  }
  expect((await owner.send(updatePet, { id, name: '' })).status).toBe(400)
  expect((await owner.call(listPets, {}))[0]!.name).toBe('Bix')
})

it('an update that names nothing but its object changes nothing of a person, while null or an empty text clears a field [PRO-1]', async () => {
  for (const role of people) {
    const person = await world[role]()
    const asked = { firstName: 'Lerato', lastName: 'Dube', mobile: '083 000 1111' }
    const full = { postcode: '8001', address: '1 Long Street', user_clinic: 'Two Oaks' }
    const before = await person.call(updateMe, { ...asked, ...full, notifications: { care: false } })
    expect(before).toMatchObject(full)
    expect(await person.call(updateMe, asked)).toEqual(before)
    expect(await person.call(updateMe, { ...asked, notifications: {} })).toEqual(before)
    for (const nothing of [null, '']) {
      const cleared = { postcode: nothing, address: nothing, user_clinic: nothing }
      await person.call(updateMe, { ...asked, ...cleared })
      expect(await person.call(me, {})).toMatchObject({ postcode: '', address: '', user_clinic: '' })
    }
  }
})

it('an update that names nothing but its object changes nothing of a coupon, while null or an empty text clears a field [ADM-4]', async () => {
  const admin = await world.admin()
  const asked = { code: 'STAYS', referrer: 'Radio' }
  const full = {
    percent_off: 20,
    length: 3,
    uses: 9,
    uses_each: 2,
    region: 'za',
    product: 'membership',
  } as const
  const { updated_at: _saved, ...before } = await admin.call(saveCoupon, {
    ...asked,
    ...full,
    end: '2031-01-31',
  })
  const { id } = before
  expect(before).toMatchObject(full)
  expect(await admin.call(saveCoupon, { id, ...asked })).toMatchObject(before)
  const other = { percent_off: null, amount_off: 5000 }
  expect(await admin.call(saveCoupon, { id, ...asked, ...other })).toMatchObject({ ...before, ...other })
  for (const nothing of [null, '']) {
    const cleared = { length: nothing, uses: nothing, uses_each: nothing, end: nothing }
    await admin.call(saveCoupon, { id, ...asked, ...cleared })
    const [after] = await admin.call(listCoupons, {})
    expect(after).toMatchObject({
      ...before,
      ...other,
      length: null,
      uses: null,
      uses_each: null,
      end: null,
    })
  }
})

it('an update that names nothing but its object changes nothing of a clinic, while null or an empty text clears a field [ADM-5]', async () => {
  const admin = await world.admin()
  const contact = { vetName: 'Dr Pieter Sample', contact: '+27215550171', na: true, note: 'Until 13:00' }
  const full = {
    address: '41 Main Road',
    state: 'Western Cape',
    telephone: '+27215550140',
    comments: 'Park behind',
    email: 'stays@clinic.example',
    username: 'staysclinic',
    meta: { customerInvoice: false },
    day_begins: 7,
    escalation_minutes: 9,
    notify: 'in the morning' as const,
    contact_sat: contact,
    holidays: [{ ...contact, date: '2031-12-25' }],
  }
  const before = await admin.call(addClinic, { clinic: 'Stays', ...full })
  const { id } = before
  expect(before).toMatchObject(full)
  expect(await admin.call(saveClinic, { id })).toEqual(before)
  expect(await admin.call(saveClinic, { id, contact_sat: {}, contact_sun: null, meta: {} })).toEqual(before)
  for (const nothing of [null, '']) {
    const texts = ['address', 'state', 'telephone', 'email', 'comments'] as const
    const cleared = Object.fromEntries([...texts, 'username'].map((name) => [name, nothing]))
    const empty = { vetName: nothing, contact: nothing, note: nothing }
    const { body } = await admin.send(saveClinic, { id, ...cleared, contact_sat: empty, holidays: [] })
    expect(body).toMatchObject({
      ...Object.fromEntries(texts.map((name) => [name, ''])),
      clinic: 'Stays',
      username: null,
      contact_sat: { vetName: '', contact: '', na: true, note: '' },
      holidays: [],
      day_begins: 7,
    })
  }
  expect((await admin.send(saveClinic, { id, clinic: '' })).status).toBe(400)
})

it('an update that names nothing but its object changes nothing of a note, while null or an empty text clears a field [CON-6]', async () => {
  const { vet, id } = await world.taken()
  let { version } = await vet.call(saveNote, { id, version: 0, ...NOTE })
  ;({ version } = await vet.call(saveNote, { id, version }))
  expect((await vet.call(getRecord, { id })).note).toMatchObject({ ...NOTE, version })
  await vet.call(saveNote, { id, version, plan: null, watch_for: '', outcome: null })
  expect((await vet.call(getRecord, { id })).note).toMatchObject({
    ...NOTE,
    plan: '',
    watch_for: '',
    outcome: null,
  })
})

it('an update that names nothing but its object changes nothing of the advice and its rating [CON-6, CON-10]', async () => {
  const { owner, vet, id } = await advised(world)
  const adviceOf = async () => (await owner.call(getConsultation, { id })).consultation.advice
  const { at: _at, ...before } = (await adviceOf())!
  await vet.call(sendSummary, { consultationId: id, summary: NOTE.summary })
  expect(await adviceOf()).toMatchObject(before)
  await vet.call(sendSummary, { consultationId: id, summary: NOTE.summary, plan: null, goIf: '' })
  expect(await adviceOf()).toMatchObject({ ...before, plan: '', go_if: '' })

  const ratingOf = async () => (await owner.call(getConsultation, { id })).consultation.rating
  await owner.call(rateConsultation, { id, stars: 2, words: 'Slow' })
  await owner.call(rateConsultation, { id, stars: 5 })
  expect(await ratingOf()).toEqual({ stars: 5, words: 'Slow' })
  await owner.call(rateConsultation, { id, stars: 5, words: null })
  expect(await ratingOf()).toEqual({ stars: 5, words: '' })
})

it('an update that names nothing but its object changes nothing of a phone consult’s draft, while null or an empty text clears a field [VET-6]', async () => {
  const vet = await world.vet()
  const full = {
    caller: 'Noku',
    age: '5 years',
    species: 2,
    sex: 1,
    urgency: 'soon',
    decision: 'hours',
  } as const
  await vet.call(savePhoneDraft, { key: 'stays', ...full })
  await vet.call(savePhoneDraft, { key: 'stays' })
  expect((await vet.call(getPhoneDraft, {}))!.fields).toEqual(full)
  const cleared = { caller: null, age: '', species: null, sex: null, urgency: null, decision: null }
  await vet.call(savePhoneDraft, { key: 'stays', ...cleared })
  expect((await vet.call(getPhoneDraft, {}))!.fields).toEqual({ ...cleared, caller: '' })
})

it('an update that names nothing but its object changes nothing of a care date [SUB-8]', async () => {
  const owner = await world.memberWithCard()
  const [before] = await owner.call(listPets, {})
  const { id } = before!.care[0]!
  expect((await owner.call(tickCare, { id })).care).toEqual(before!.care)
})
