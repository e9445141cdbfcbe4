import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { login, me } from '#contract/accounts.ts'
import { takeConsultation } from '#contract/queue.ts'
import { findPerson, listVetCards, inviteVet, listVets, saveVet, setUserType } from '#contract/vets.ts'
import { auditLog, consultations, users } from '#server/db/schema.ts'
import { PASSWORD } from '#test/people.ts'
import { refusal } from '#test/refusal.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()
const admin = await world.admin()

it('an admin who manages vets looks a person up by email, in any case, and says when nobody has it [ADM-3]', async () => {
  const owner = await world.owner()
  const found = await admin.call(findPerson, { email: ` ${owner.email.toUpperCase()} ` })
  expect(found).toMatchObject({ id: owner.id, type: 1, registration: null, languages: [], about: '' })
  expect(await admin.refusal(findPerson, { email: 'nobody@example.com' })).toBe('PERSON_UNKNOWN')
  expect((await admin.send(findPerson, { email: 'no-email' })).status).toBe(400)
})

it('an admin who manages vets invites a vet who has no account, and mails the link to a password once [ADM-3]', async () => {
  const vet = {
    email: 'lerato.new@example.com',
    firstName: 'Lerato',
    lastName: 'Khumalo',
    registration: 'SAVC D00/0077',
  }
  expect(await admin.call(inviteVet, vet)).toMatchObject({ ...vet, type: 2 })
  const [mail, ...more] = await world.mailsTo(vet.email)
  expect([mail!.template, more]).toEqual(['claim account', []])
  expect(mail!.text).toContain('You’re one of our vets now. Set a password to open your account.')
  expect(await admin.refusal(inviteVet, { ...vet, email: 'LERATO.NEW@example.com' })).toBe('PERSON_KNOWN')
  expect(
    (await admin.send(inviteVet, { ...vet, email: 'other@example.com', registration: ' ' })).status,
  ).toBe(400)
  expect(await world.mailsTo(vet.email)).toHaveLength(1)
})

it('an admin who manages vets makes an owner a vet only with a registration number, and back [ADM-3]', async () => {
  const owner = await world.owner()
  const make = { id: owner.id, type: 2 as const }
  expect(await admin.refusal(setUserType, make)).toBe('REGISTRATION_MISSING')
  await admin.call(saveVet, {
    id: owner.id,
    registration: 'SAVC D00/0042',
    languages: ['isiZulu', 'English'],
  })
  expect(await admin.call(setUserType, make)).toMatchObject({ type: 2, registration: 'SAVC D00/0042' })
  expect((await admin.call(listVets, {})).map(({ id }) => id)).toContain(owner.id)
  expect(await admin.call(setUserType, { id: owner.id, type: 1 })).toMatchObject({ type: 1 })
  expect((await admin.call(listVets, {})).map(({ id }) => id)).not.toContain(owner.id)
  const log = await world.rows(auditLog, { subjectId: String(owner.id) })
  expect(log.map(({ userId, action }) => [userId, action])).toEqual([
    [admin.id, 'vet saved'],
    [admin.id, 'type changed'],
    [admin.id, 'type changed'],
  ])
})

it('an admin who manages vets mails a vet whose email was never confirmed a link to a new password, and ends the old one [ADM-3]', async () => {
  const { id, email } = await world.person({ emailConfirmedAt: null, registration: 'SAVC D00/0043' })
  await admin.call(setUserType, { id, type: 2 })
  expect((await world.nobody.send(login, { email, password: PASSWORD })).status).toBe(401)
  expect(await world.mailsTo(email)).toMatchObject([{ template: 'claim account' }])
})

it('an admin who manages vets ends the sessions of a vet who becomes an owner and hands open consults back [ADM-3]', async () => {
  const [vet, owner] = [await world.vet(), await world.member()]
  const { id } = await world.consultOf(owner)
  await world.change(users, vet.id, { onDutySince: world.now() })
  await vet.call(takeConsultation, { id })
  expect((await admin.call(findPerson, { email: vet.email })).open_consults).toBe(1)
  await admin.call(setUserType, { id: vet.id, type: 1 })
  expect((await vet.send(me)).status).toBe(401)
  const [row] = await world.rows(consultations, { id })
  expect(row).toMatchObject({ vetId: null, vetStart: null, end: null })
})

it('an admin who manages vets changes neither another admin nor themselves, and makes nobody an admin [ADM-3]', async () => {
  const other = await world.admin()
  expect((await admin.send(setUserType, { id: other.id, type: 1 })).status).toBe(403)
  expect((await admin.send(setUserType, { id: admin.id, type: 2 })).status).toBe(403)
  for (const type of [3, 0, '3', null, 'admin'])
    expect(refusal(await admin.send(setUserType, { id: other.id, type }))).toEqual([
      400,
      'You can only make someone a vet or an owner here.',
    ])
  const [row] = await world.db.select({ type: users.type }).from(users).where(eq(users.id, other.id))
  expect(row!.type).toBe(3)
})

it("an admin who manages vets keeps what they don't change, and can't use a picture of somebody else [ADM-3]", async () => {
  const vet = await world.vet()
  await admin.call(saveVet, {
    id: vet.id,
    about: 'Ten years with small animals.',
    languages: ['Afrikaans'],
  })
  const after = await admin.call(saveVet, { id: vet.id, registration: 'SAVC D00/0077' })
  expect(after).toMatchObject({
    about: 'Ten years with small animals.',
    languages: ['Afrikaans'],
    registration: 'SAVC D00/0077',
  })
  const foreign = await admin.send(saveVet, { id: vet.id, picture: 'f'.repeat(32) })
  expect([foreign.status, foreign.body.fields]).toEqual([400, { picture: 'Please add the picture again.' }])
  expect((await admin.send(saveVet, { id: vet.id, about: 'x'.repeat(161) })).status).toBe(400)
  expect((await admin.send(saveVet, { id: vet.id, registration: ' ' })).status).toBe(400)
})

it('an admin who manages vets can give the number for reviewing clinical words to another person, but not to themselves [ADM-3]', async () => {
  const [own, other] = [await world.admin(), await world.admin()]
  const number = { id: own.id, registration: 'SAVC D00/0099' }
  expect(await own.refusal(saveVet, number)).toBe('REGISTRATION_OWN')
  expect(await other.call(saveVet, number)).toMatchObject({ registration: number.registration })
})

it('an admin who manages vets shows a vet to visitors of the region once the card was saved, with nothing private [PUB-3]', async () => {
  const names = async () =>
    (await world.nobody.call(listVetCards, {})).map(({ registration }) => registration)
  const vet = await world.vet()
  const registration = 'SAVC D00/4711'
  await admin.call(saveVet, { id: vet.id, registration })
  expect(await names()).toContain(registration)
  const card = (await world.nobody.call(listVetCards, {})).find((one) => one.registration === registration)
  expect(Object.keys(card!).toSorted()).toEqual([
    'about',
    'demo',
    'languages',
    'name',
    'picture',
    'registration',
  ])
  await admin.call(setUserType, { id: vet.id, type: 1 })
  expect(await names()).not.toContain(registration)
})

it('an admin who manages vets learns that another admin has saved the same vet in the meantime [ADM-3]', async () => {
  const [vet, other] = [await world.vet(), await world.admin()]
  const seen = await admin.call(findPerson, { email: vet.email })
  const theirs = { about: 'Theirs.', registration: 'SAVC D00/4712' }
  await other.call(saveVet, { id: vet.id, ...theirs, saved_at: seen.saved_at })
  world.advance({ seconds: 1 })
  const mine = { about: 'Mine.', registration: 'SAVC D00/4713' }
  const late = await admin.send(saveVet, { id: vet.id, ...mine, saved_at: seen.saved_at })
  expect([late.status, late.body]).toMatchObject([409, { code: 'CHANGED_UNDER_YOU', current: theirs }])
  expect((await admin.call(saveVet, { id: vet.id, about: 'Mine.' })).about).toBe('Mine.')
})
