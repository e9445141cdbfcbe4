import { eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import {
  cancelConsultation,
  listConsultations,
  type Sort,
  SORTS,
  startConsultation,
} from '#contract/consultations.ts'
import { LIMITS } from '#contract/limits.ts'
import { DAY } from '#contract/time.ts'
import { consents, consultations, pets, subscriptions, summaries, users } from '#server/db/schema.ts'
import { createWorld } from '#test/world.ts'
import { take } from '../identity/limits.ts'

const world = await createWorld()

const question = (petId: number) => ({
  pet_id: petId,
  pet_issue: 'She will not eat',
  type: 1 as const,
  agreed: true,
  terms: '1',
})

it('starting a consult puts a member in the queue, with what they agreed to [ACC-8, ACC-6]', async () => {
  const member = await world.member()
  const { consultation } = await member.call(startConsultation, question(member.pet.id))
  const list = await member.call(listConsultations, {})
  expect(list.counts).toEqual({ needs_help: 1, in_progress: 0, completed: 0 })
  expect(list.consultations[0]).toMatchObject({
    id: consultation.id,
    type: 1,
    pet_issue: 'She will not eat',
    pet: { id: member.pet.id, name: 'Biscuit' },
    vet_name: null,
    end: null,
  })
  const [consent] = await world.rows(consents, { userId: member.id })
  expect(consent).toMatchObject({ call: 'startConsultation', terms: '1', ticked: true })
})

it('starting a consult says what is missing [ACC-7]', async () => {
  const member = await world.member()
  const refused = async (change: object) =>
    (await member.send(startConsultation, { ...question(member.pet.id), ...change })).body.errors
  expect(await refused({ agreed: false })).toEqual([
    'You must agree to our terms and conditions and privacy policy to start a consultation.',
  ])
  for (const change of [{ pet_issue: '  ' }, { pet_issue: undefined }, { pet_id: '' }, { pet_id: undefined }])
    expect(await refused(change), JSON.stringify(change)).toEqual([
      'Insufficient information provided for creating consultation.',
    ])
})

it('starting a consult is possible for members who may consult, and for a pet of their own [ACC-8, ACC-2]', async () => {
  const [owner, member, other] = [await world.owner(), await world.member(), await world.member()]
  const pet = await world.pet(owner.id)
  expect((await owner.send(startConsultation, question(pet.id))).status).toBe(403)
  expect((await member.send(startConsultation, question(other.pet.id))).status).toBe(404)
  await world.change(users, member.id, { canConsult: false })
  expect((await member.send(startConsultation, question(member.pet.id))).status).toBe(403)
  await world.db
    .update(subscriptions)
    .set({ status: 'canceled', end: new Date(world.now().getTime() - 1000) })
    .where(eq(subscriptions.userId, other.id))
  expect((await other.send(startConsultation, question(other.pet.id))).status).toBe(403)
})

it('starting a consult with the same question within a minute stores one consult, and later a new one [ACC-8]', async () => {
  const member = await world.member()
  const ask = async (change = {}) =>
    (await member.call(startConsultation, { ...question(member.pet.id), ...change })).consultation.id
  const first = await ask()
  expect(await ask()).toBe(first)
  expect(await ask({ type: 2 })).not.toBe(first)
  world.advance({ seconds: 61 })
  expect(await ask()).not.toBe(first)
})

it('starting a consult and leaving it again and again has to wait after 120 times in an hour [SAF-4]', async () => {
  const member = await world.member()
  const come = async (n: number) => {
    const { status, body } = await member.send(startConsultation, {
      ...question(member.pet.id),
      pet_issue: `She fell, no. ${n}`,
    })
    if (status === 200) await member.call(cancelConsultation, body.consultation)
    return status
  }
  expect(await come(1)).toBe(200)
  for (let n = 2; n < LIMITS.consultsStarted.max; n++)
    await take(world.world, 'consultsStarted', String(member.id))
  expect([await come(2), await come(3)]).toEqual([200, 429])
  world.advance({ minutes: LIMITS.consultsStarted.minutes + 1 })
  expect(await come(4)).toBe(200)
})

it('starting a consult at the same moment gives each of many owners a consult of their own, and one for two presses [ACC-8]', async () => {
  const owner = await world.owner()
  const pet = await world.pet(owner.id)
  const members = await Promise.all(Array.from({ length: 5 }, () => world.member()))
  const presses = [...members, ...members].map((member) =>
    member.call(startConsultation, question(member.pet.id)),
  )
  const refused = owner.send(startConsultation, question(pet.id))
  const ids = (await Promise.all(presses)).map(({ consultation }) => consultation.id)
  expect((await refused).status).toBe(403)
  expect(ids.slice(5)).toEqual(ids.slice(0, 5))
  const rows = await world.db.select().from(consultations).where(inArray(consultations.id, ids))
  const pets = new Map(rows.map(({ id, petId }) => [id, petId]))
  expect(ids.slice(0, 5).map((id) => pets.get(id))).toEqual(members.map(({ pet }) => pet.id))
  for (const { id } of members) expect(await world.rows(consents, { userId: id })).toHaveLength(1)
})

it("starting a consult is refused outside the region's hours, in the seed's words [ACC-9]", async () => {
  const member = await world.member('au')
  const night = new Date(world.now())
  // Two in the morning in Sydney is 15:00 or 16:00 UTC.
  night.setUTCHours(15, 30, 0, 0)
  world.advance({ seconds: Math.ceil((night.getTime() + DAY - world.now().getTime()) / 1000) })
  const token = await world.signIn(member.id)
  const reply = await world.nobody.with(token).send(startConsultation, question(member.pet.id))
  expect([reply.status, reply.body.errors]).toEqual([
    409,
    [
      'The product is currently offline (Online between 6:00am to 12:00am SYD Time). Please call your nearest Vet.',
    ],
  ])
})

it('the history is newest first, in pages, and only the owner sees it [ACC-5]', async () => {
  const [member, other] = [await world.member(), await world.member()]
  const at = world.now().getTime()
  for (let n = 0; n < 5; n++) await world.consultOf(member, { start: new Date(at + n * 1000) })
  await world.consultOf(other)
  const first = await member.call(listConsultations, { limit: 3 })
  const second = await member.call(listConsultations, { limit: 3, cursor: first.next! })
  const ids = [...first.consultations, ...second.consultations].map(({ id }) => id)
  expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  expect([ids.length, second.next]).toEqual([5, null])
  const rows = await world.rows(consultations, { userId: member.id })
  expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
})

it('the list of all consults is sorted by a column for staff, page by page; an owner’s stays newest first [VET-1]', async () => {
  const [vet, member] = [await world.vet(), await world.member()]
  const named = async (name: string) => {
    const pet = await world.pet(member.id)
    await world.change(pets, pet.id, { name })
    return (await world.consultation({ userId: member.id, petId: pet.id })).id
  }
  const ids = [await named('Zuzu'), await named('aardvark'), await named('Bella')]
  const every = async (sort: Sort) => {
    const seen: Awaited<ReturnType<typeof vet.call<typeof listConsultations>>>['consultations'] = []
    for (let cursor: string | undefined; ;) {
      const page = await vet.call(listConsultations, { sort, limit: 2, ...(cursor && { cursor }) })
      seen.push(...page.consultations)
      if (page.next === null) return seen
      cursor = page.next
    }
  }
  const owned = async (sort: Sort) => (await every(sort)).map(({ id }) => id).filter((id) => ids.includes(id))
  expect(await owned('pet')).toEqual([ids[1], ids[2], ids[0]])
  expect(await owned('-pet')).toEqual([ids[0], ids[2], ids[1]])
  expect(await owned('id')).toEqual(ids)
  const all = (await every('id')).map(({ id }) => id)
  for (const sort of SORTS)
    expect((await every(sort)).map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(all)
  // Consults without a vet come last in both directions.
  for (const sort of ['vet', '-vet'] as const) {
    const taken = (await every(sort)).map(({ vet_name }) => vet_name !== null)
    expect(taken.slice(taken.indexOf(false))).not.toContain(true)
  }
  expect((await vet.send(listConsultations, { sort: 'pet', cursor: '2.1.4' })).status).toBe(400)
  const own = await member.call(listConsultations, { sort: 'id' })
  expect(own.consultations[0]!.id).toBe(ids[2])
})

it('the list of all consults refuses a cursor with an impossible time [VET-1, API-3]', async () => {
  const vet = await world.vet()
  for (const place of ['253402300800000', '999999999999999', '9'.repeat(40)])
    for (const part of [0, 2]) {
      expect(await vet.refusal(listConsultations, { cursor: `${part}.${place}.1` })).toBe('INVALID_INPUT')
    }
})

const ask = (token: string, etag = '') =>
  world.app.inject({
    url: '/api/consultation',
    headers: { authorization: `Bearer ${token}`, ...(etag && { 'if-none-match': etag }) },
  })

it('a list that is requested again is sent again only after something in it has changed [VET-3, VET-5]', async () => {
  const [vet, other, member] = [await world.vet(), await world.vet(), await world.member()]
  const row = await world.consultOf(member)
  let etag = ''
  const isSame = async () => {
    const reply = await ask(vet.token, `"other", ${etag}`)
    etag = String(reply.headers.etag)
    return reply.statusCode === 304 && reply.body === ''
  }
  expect(await isSame()).toBe(false)
  expect(await isSame()).toBe(true)
  expect((await ask(other.token, etag)).statusCode).toBe(200)
  const { db } = world
  const taken = { vetId: vet.id, vetStart: world.now() }
  const changes = {
    entering: () => member.call(startConsultation, { ...question(member.pet.id), pet_issue: 'She hides' }),
    taking: () => db.update(consultations).set(taken).where(eq(consultations.id, row.id)),
    'a summary': () =>
      db.insert(summaries).values({ consultationId: row.id, vetId: vet.id, summary: 'Rest' }),
    "a pet's name": () => db.update(pets).set({ name: 'Muffin' }).where(eq(pets.id, member.pet.id)),
    "a person's name": () => db.update(users).set({ lastName: 'Dube' }).where(eq(users.id, member.id)),
  }
  for (const [what, change] of Object.entries(changes)) {
    await change()
    expect(await isSame(), what).toBe(false)
    expect(await isSame(), what).toBe(true)
  }
  expect((await ask(vet.token)).json().consultations).toContainEqual(
    expect.objectContaining({
      id: row.id,
      summary: 'Rest',
      pet: expect.objectContaining({ name: 'Muffin' }),
    }),
  )
})

it('a list that is requested again counts as changed with any column of a consult, except those that it never shows [VET-3]', async () => {
  const vet = await world.vet()
  const etagNow = async () => (await ask(vet.token)).headers.etag
  const unseen: string[] = []
  for (const [key, { generatedIdentity }] of Object.entries(getTableColumns(consultations))) {
    if (generatedIdentity) continue
    const column = consultations[key as 'type']
    const before = await etagNow()
    await world.db.update(consultations).set({ [key]: sql`${column}` })
    if ((await etagNow()) === before) unseen.push(key)
  }
  const clinics = ['clinicPicturesAt', 'clinicAcceptedBy', 'clinicMailDueAt']
  const here = ['vetHere', 'ownerSeenAt']
  const questions = ['followUpTakenAt', 'questionMailDueAt', 'answerMailDueAt']
  const later = [
    'extendedUntil',
    'askedAgainAt',
    'questionRead',
    ...here,
    ...questions,
    'followUpDueAt',
    'followUpAt',
    'checkIn',
    'checkInAt',
    'goesOnFrom',
  ]
  expect(unseen).toEqual([
    'firstTakenAt',
    'lateToldAt',
    ...clinics,
    ...later,
    'toldFrom',
    'toldTo',
    'lastSeq',
  ])
})
