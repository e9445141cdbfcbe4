import { expect, it } from 'vitest'
import { chooseClinic, findClinics, listShares } from '#contract/aftercare.ts'
import { getConsultation } from '#contract/consultations.ts'
import { consents } from '#server/db/schema.ts'
import { advise } from '#test/advice.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

const { clinic } = world
const end = async ({ id }: { id: number }) => advise(await world.vet(), id)
const chosen = async ({ owner, id }: Awaited<ReturnType<typeof world.waiting>>) =>
  (await owner.call(getConsultation, { id })).consultation.clinic

it("finding a clinic matches the start of its name or town, in the owner's region, among clinics with an email [CON-7]", async () => {
  const address = '12 Main Road, Stellenbosch, 7600'
  const oaks = await clinic({ clinic: 'Two Oaks', address })
  await clinic({ clinic: 'Two Gone', deletedAt: world.now() })
  await clinic({ clinic: 'Two Silent', email: '' })
  const sydney = await clinic({ clinic: 'Two Rivers', region: 'au' })
  const [owner, guest] = [await world.owner(), await world.guest()]
  for (const q of ['two', 'TWO OAKS', ' Two', 'stellen', '12 main'])
    for (const who of [owner, guest])
      expect(await who.call(findClinics, { q }), q).toEqual([{ id: oaks.id, clinic: 'Two Oaks', address }])
  for (const q of ['oaks', 'road', '%', '_wo', 'x'.repeat(60)])
    expect(await owner.call(findClinics, { q }), q).toEqual([])
  expect((await owner.send(findClinics, { q: '' })).status).toBe(400)
  const there = await world.owner({ region: 'au' })
  expect((await there.call(findClinics, { q: 'two' })).map(({ id }) => id)).toEqual([sydney.id])
})

it('finding a clinic returns at most ten clinics, sorted by name [CON-7]', async () => {
  for (let at = 12; at > 0; at--) await clinic({ clinic: `Many ${String(at).padStart(2, '0')}` })
  const names = (await (await world.owner()).call(findClinics, { q: 'many' })).map(({ clinic }) => clinic)
  expect(names).toEqual(Array.from({ length: 10 }, (_, at) => `Many ${String(at + 1).padStart(2, '0')}`))
})

it('the clinic of an owner is stored with the time of consent, and will get the summary and a link to its portal [CON-7, D26]', async () => {
  const [one, theirs] = [await world.waiting(), await clinic()]
  const choose = { id: one.id, clinic: theirs.id }
  const refused = await one.owner.send(chooseClinic, { ...choose, agreed: false })
  expect([refused.body.code, await chosen(one)]).toEqual(['CLINIC_NOT_AGREED', null])
  for (let twice = 0; twice < 2; twice++) await one.owner.call(chooseClinic, { ...choose, agreed: true })
  expect(await chosen(one)).toEqual({
    id: theirs.id,
    clinic: theirs.clinic,
    shared_at: expect.any(String),
  })
  const agreed = await world.rows(consents, { userId: one.owner.id })
  expect(agreed.map(({ call, ticked }) => [call, ticked])).toEqual([['chooseClinic', true]])
  expect((await end(one)).emailed).toEqual([one.owner.email, theirs.email])
  const [letter] = await world.mailsTo(theirs.email)
  expect(letter!.text).toContain('She ate four grapes.')
  expect(letter!.text).toContain('http://localhost/clinic-portal')
})

it('the clinic of an owner isn’t flooded with mails when its owner keeps switching between two [CON-7, SAF-3]', async () => {
  const [one, ...both] = [await world.waiting(), await clinic(), await clinic()]
  await end(one)
  const choose = (clinic: number | null) =>
    one.owner.send(chooseClinic, { id: one.id, clinic, agreed: clinic !== null })
  const shared: number[] = []
  for (let round = 0; round < 4; round++)
    for (const { id } of both) {
      shared.push((await choose(id)).status)
      // Taking it back is never refused.
      expect((await choose(null)).status).toBe(200)
    }
  expect(shared).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
  const mails = [...(await world.mailsTo(both[0].email)), ...(await world.mailsTo(both[1].email))]
  expect(mails).toHaveLength(5)
})

it('the clinic of an owner can be shown the pictures five times an hour, and they can always be taken back [CON-7, SAF-3]', async () => {
  const [{ owner, id }, { id: theirs }] = [await world.waiting(), await clinic()]
  const show = (pictures: boolean) => owner.send(chooseClinic, { id, clinic: theirs, agreed: true, pictures })
  const shown: number[] = []
  for (let round = 0; round < 7; round++) {
    shown.push((await show(true)).status)
    expect((await show(false)).status).toBe(200)
  }
  expect(shown).toEqual([200, 200, 200, 200, 200, 429, 429])
  expect((await owner.call(listShares, { id })).pictures).toBe(false)
})

it('the clinic of an owner can be changed until we have written to it [CON-7]', async () => {
  const [one, first, second] = [await world.waiting(), await clinic(), await clinic()]
  const choose = (clinic: number | null) =>
    one.owner.send(chooseClinic, { id: one.id, clinic, agreed: clinic !== null })
  await choose(first.id)
  await choose(null)
  expect(await chosen(one)).toBeNull()
  await choose(first.id)
  await choose(second.id)
  await end(one)
  expect(await world.mailsTo(first.email)).toEqual([])
  expect(await world.mailsTo(second.email)).toHaveLength(1)
  expect((await choose(first.id)).body.code).toBe('CLINIC_HAS_IT')
  expect((await choose(second.id)).status).toBe(200)
  expect(await world.mailsTo(second.email)).toHaveLength(1)
})

it("the clinic of an owner is written to straight away if it's chosen after the end [CON-7]", async () => {
  const [one, theirs] = [await world.waiting(), await clinic()]
  expect((await end(one)).emailed).toEqual([one.owner.email])
  await one.owner.call(chooseClinic, { id: one.id, clinic: theirs.id, agreed: true })
  const [letter] = await world.mailsTo(theirs.email)
  expect(letter!.text).toContain('Give water and rest.')
  const { portalDetail } = (await one.owner.call(getConsultation, { id: one.id })).consultation
  expect(portalDetail.clinic_notified_at).not.toBeNull()
})

it('the clinic of an owner must exist, be in the same region and have an email [CON-7]', async () => {
  const [one, guest] = [await world.waiting(), await world.guest()]
  const wrong = [
    2_000_000_000,
    (await clinic({ region: 'au' })).id,
    (await clinic({ deletedAt: world.now() })).id,
    (await clinic({ email: '' })).id,
  ]
  for (const clinic of wrong)
    expect((await one.owner.send(chooseClinic, { id: one.id, clinic, agreed: true })).status).toBe(404)
  const theirs = await clinic()
  const { id } = guest.consultation
  await guest.call(chooseClinic, { id, clinic: theirs.id, agreed: true })
  expect((await guest.call(getConsultation, { id })).consultation.clinic!.id).toBe(theirs.id)
})
