import { expect, it } from 'vitest'
import {
  acceptClinicInvitation,
  addClinic,
  addClinicPerson,
  deleteClinic,
  getInvoiceMonth,
  inviteClinic,
  listClinicInvoices,
  listClinics,
  removeClinicPerson,
  saveClinic,
  setClinicCredentials,
} from '#contract/clinics.ts'
import { readClinicSignOut, resetClinicPassword } from '#contract/portal.ts'
import { type Region, REGIONS } from '#contract/regions.ts'
import { auditLog, clinicPeople, clinics, consultations, users } from '#server/db/schema.ts'
import { passwordMatches, callerOf, openSession } from '#server/identity/session.ts'
import { pagesOf } from '#test/documents.ts'
import { PASSWORD } from '#test/people.ts'
import { refusal } from '#test/refusal.ts'
import { createWorld } from '#test/world.ts'
import { signInsOf } from './reads.ts'
import { clinicDate, contactsFrom, contactToday, monthsUntil, NOBODY } from './rules.ts'
import { makeClinic } from './writes.ts'

const world = await createWorld({ env: { LEGAL_ENTITY: 'za=VetChat (Pty) Ltd, 1 Example Road' } })
let admin = await world.admin()

let count = 0
const added = (values: Partial<Parameters<typeof admin.call<typeof addClinic>>[1]> = {}) =>
  admin.call(addClinic, {
    clinic: `Two Oaks ${++count}`,
    email: `oaks${count}@clinic.example`,
    username: `twooaks${String(count).padStart(3, '0')}`,
    ...values,
  })
const codeIn = (text: string) => /clinic-invitation\/(\S+)/.exec(text)![1]!

it('a clinic that an admin manages starts with an empty week and with invoices, and is listed as it was saved [ADM-5]', async () => {
  const clinic = await added({
    contact_sat: { vetName: 'Dr Pieter Sample', contact: '(021) 555-0171', na: false, note: 'Until 13:00' },
    telephone: '0027 21 555 0140',
  })
  expect(clinic).toMatchObject({
    meta: { customerInvoice: true },
    contact_mon: NOBODY,
    contact_sat: { vetName: 'Dr Pieter Sample', contact: '+27215550171', na: false, note: 'Until 13:00' },
    telephone: '+27215550140',
    region: 'za',
    day_begins: 0,
    escalation_minutes: 5,
    has_password: false,
    saved_by: `${admin.firstName} ${admin.lastName}`,
  })
  expect(await admin.call(listClinics, {})).toContainEqual(clinic)
  expect(refusal(await admin.send(addClinic, { clinic: ' ' }))).toEqual([400, 'Enter the clinic’s name.'])
})

it("a clinic that an admin manages can't have a short username or password, or a username that is taken, in any case [ADM-5]", async () => {
  const [one, two] = [await added(), await added({ username: '' })]
  expect(two.username).toBe(null)
  const short = await admin.send(addClinic, { clinic: 'Short', username: 'short' })
  expect(refusal(short)).toEqual([400, 'Username must have at least 8 characters'])
  const set = (username: string, password?: string) =>
    admin.send(setClinicCredentials, { id: two.id, username, ...(password !== undefined && { password }) })
  expect(refusal(await set('seven77'))).toEqual([400, 'Username must have at least 8 characters'])
  expect(refusal(await set('longenough', 'seven77'))).toEqual([
    400,
    'Password must have at least 8 characters',
  ])
  const taken = await set(` ${one.username!.toUpperCase()} `)
  expect([taken.status, taken.body.fields]).toEqual([409, { username: 'This username is taken.' }])
  expect((await admin.send(addClinic, { clinic: 'Again', username: one.username! })).status).toBe(409)
  expect((await admin.send(saveClinic, { id: two.id, username: one.username! })).status).toBe(409)
  expect((await set('longenough', '')).status).toBe(200)
  expect((await set('longenough', 'any signs: §±!')).status).toBe(200)
})

it('a clinic that an admin manages ends the sessions that used the old username or password, which it never logs [ADM-5]', async () => {
  const [clinic, renamed] = [await world.clinic(), await world.clinic()]
  await admin.call(saveClinic, { id: renamed.id, username: `${renamed.username}2` })
  expect(await callerOf(world.world, renamed.token)).toBe(null)
  const person = await admin.call(addClinicPerson, {
    id: clinic.id,
    name: 'Nomsa Example',
    email: 'nomsa.own@clinic.example',
  })
  const personId = person.people[0]!.id
  const theirs = await openSession(world.world, { clinicId: clinic.id, clinicPersonId: personId })
  const set = { id: clinic.id, username: clinic.username!, password: 'brand new one' }
  await admin.call(setClinicCredentials, set)
  expect(await callerOf(world.world, clinic.token)).toBe(null)
  expect((await callerOf(world.world, theirs))!.actor).toMatchObject({ clinicId: clinic.id, personId })
  const entries = await world.rows(auditLog, { action: 'clinic credentials set' })
  expect(entries.length).toBeGreaterThan(0)
  expect(JSON.stringify(entries)).not.toContain('brand new one')
})

it('a clinic that an admin manages keeps what is not sent, and refuses the older of two versions [ADM-5]', async () => {
  const week = { contact_mon: { vetName: 'Dr A', contact: '021 555 0117' } }
  const before = await added({ ...week, comments: 'Ring twice', notify: 'in the morning', day_begins: 7 })
  const { id, version } = before
  expect(await admin.call(saveClinic, { id })).toEqual(before)
  const after = await admin.call(saveClinic, { id, version, contact_mon: { na: true } })
  expect(after).toMatchObject({
    contact_mon: { vetName: 'Dr A', contact: '+27215550117', na: true },
    comments: 'Ring twice',
    version: version + 1,
  })
  const late = await admin.send(saveClinic, { id, version, comments: '' })
  expect([late.status, late.body.code]).toEqual([409, 'CLINIC_CHANGED'])
  expect(late.body.errors![0]).toContain(`${admin.firstName} ${admin.lastName} saved this clinic at`)
})

it('a clinic that an admin manages shows “An admin” for an admin who has no name yet [ADM-5]', async () => {
  const { id, version } = await added({})
  const newcomer = await world.admin()
  await world.change(users, newcomer.id, { firstName: '', lastName: '' })
  expect(await newcomer.call(saveClinic, { id, comments: 'Ring twice' })).toMatchObject({
    saved_by: 'An admin',
  })
  const late = await admin.send(saveClinic, { id, version, comments: '' })
  expect(late.body.errors![0]).toMatch(/^An admin saved this clinic at/)
})

it('a clinic that an admin manages leaves the list when it is deleted, is signed out, and keeps its consults [ADM-5]', async () => {
  const clinic = await world.clinic()
  const row = await phoneConsult(clinic.id, world.now())
  await admin.call(deleteClinic, { id: clinic.id })
  expect((await admin.call(listClinics, {})).map(({ id }) => id)).not.toContain(clinic.id)
  expect(await callerOf(world.world, clinic.token)).toBe(null)
  await admin.call(deleteClinic, { id: clinic.id })
  expect(await admin.refusal(saveClinic, { id: clinic.id })).toBe('CLINIC_REMOVED')
  const [kept] = await world.rows(consultations, { id: row.id })
  expect(kept!.clinicId).toBe(clinic.id)
  await added({ username: clinic.username! })
})

it('the mailed link that sets a password works once, for the clinic and for each of its people [ADM-5]', async () => {
  const clinic = await added()
  await admin.call(inviteClinic, { id: clinic.id })
  await admin.call(addClinicPerson, { id: clinic.id, name: 'Nomsa Example', email: 'Nomsa@Clinic.example' })
  const [own] = await world.mailsTo(clinic.email)
  const [hers] = await world.mailsTo('nomsa@clinic.example')
  expect(own!.text).toContain(`Your username is ${clinic.username}.`)
  const accept = (code: string, password = 'night shift') =>
    world.nobody.send(acceptClinicInvitation, { code, password })
  expect(refusal(await accept(codeIn(own!.text), 'short'))).toEqual([
    400,
    'Password must have at least 8 characters',
  ])
  for (const [mail, username] of [
    [own!, clinic.username!],
    [hers!, 'nomsa@clinic.example'],
  ] as const) {
    const answers = [await accept(codeIn(mail.text)), await accept(codeIn(mail.text))]
    expect(answers.map(({ status }) => status)).toEqual([200, 400])
    expect(answers[0]!.body).toEqual({ clinic: clinic.clinic, username })
    const [known] = await signInsOf(world.world, username.toUpperCase())
    expect(known!.clinicId).toBe(clinic.id)
    expect(await passwordMatches(known!.passwordHash, 'night shift')).toBe(true)
  }
  const now = (await admin.call(listClinics, {})).find(({ id }) => id === clinic.id)!
  expect([now.has_password, now.people]).toMatchObject([
    true,
    [{ name: 'Nomsa Example', has_password: true }],
  ])
})

it('the mailed link that sets a password expires, and is replaced by a newer one [ADM-5]', async () => {
  const clinic = await added()
  const invite = async () => {
    await admin.call(inviteClinic, { id: clinic.id })
    return world.codeTo(clinic.email, 'invitation')
  }
  const [first, second] = [await invite(), await invite()]
  const accept = (code: string) =>
    world.nobody.send(acceptClinicInvitation, { code, password: 'night shift' })
  expect(refusal(await accept(first))).toEqual([
    400,
    'This link has been used or has expired. Ask VetChat for a new one.',
  ])
  world.advance({ hours: 49 })
  expect((await accept(second)).status).toBe(400)
  admin = await world.admin()
})

it('the mailed link that sets a password stops working when the password is set or changed another way [ADM-5]', async () => {
  const clinic = await world.clinic()
  const invite = async () => {
    await admin.call(inviteClinic, { id: clinic.id })
    return world.codeTo(clinic.email, 'invitation')
  }
  const accept = (code: string) =>
    world.nobody.send(acceptClinicInvitation, { code, password: 'night shift' })
  const first = await invite()
  await clinic.call(resetClinicPassword, { current: PASSWORD, password: 'evening shift' })
  expect((await accept(first)).status).toBe(400)
  const second = await invite()
  await admin.call(setClinicCredentials, {
    id: clinic.id,
    username: clinic.username!,
    password: 'day shift',
  })
  expect((await accept(second)).status).toBe(400)
})

it('the mailed link that sets a password is sent only where there is an email and a username [ADM-5]', async () => {
  const [noEmail, noName] = [await added({ email: '' }), await added({ username: '' })]
  expect(await admin.refusal(inviteClinic, { id: noEmail.id })).toBe('CLINIC_NO_EMAIL')
  expect(await admin.refusal(inviteClinic, { id: noName.id })).toBe('CLINIC_NO_USERNAME')
})

it('an email belongs to one person of one clinic, and a removed one no longer signs in and reads why [ADM-5, CLI-2]', async () => {
  const [one, two] = [await added(), await added()]
  const somebody = { name: 'Sipho Sample', email: 'sipho@clinic.example' }
  const { people } = await admin.call(addClinicPerson, { id: one.id, ...somebody })
  expect((await admin.send(addClinicPerson, { id: two.id, ...somebody })).body.fields).toEqual({
    email: 'Somebody already signs in to a clinic with this email.',
  })
  const person = people[0]!.id
  const token = await openSession(world.world, { clinicId: one.id, clinicPersonId: person })
  await admin.call(removeClinicPerson, { id: two.id, person })
  expect(await callerOf(world.world, token)).not.toBe(null)
  for (const removed of [1, 2])
    expect((await admin.call(removeClinicPerson, { id: one.id, person })).people, `${removed}`).toEqual([])
  expect(await admin.refusal(inviteClinic, { id: one.id, person })).toBe('CLINIC_PERSON_REMOVED')
  expect(await callerOf(world.world, token)).toBe(null)
  const why = (of: string) => world.nobody.call(readClinicSignOut, { token: of })
  expect(await why(token)).toEqual({ removed_from: one.clinic })
  expect(await why(`${token.slice(0, -4)}AAAA`)).toEqual({ removed_from: null })
  const own = await openSession(world.world, { clinicId: one.id })
  expect(await why(own)).toEqual({ removed_from: null })
  expect(await signInsOf(world.world, somebody.email)).toEqual([])
  const [kept] = await world.rows(clinicPeople, { id: person })
  expect(kept!.name).toBe('Sipho Sample')
  await admin.call(addClinicPerson, { id: two.id, ...somebody })
})

it('the command makes a clinic once, with a username of its own, and mails the link [OPS-8]', async () => {
  const asked = { name: 'Vet 4 U', email: 'vet4u@clinic.example', region: 'au' as Region }
  const first = await makeClinic(world.world, asked)
  const again = await makeClinic(world.world, asked)
  const other = await makeClinic(world.world, { ...asked, email: 'other@clinic.example' })
  expect([first, again, other]).toMatchObject([
    { username: 'vet4uvetclinic', isNew: true },
    { id: first.id, isNew: false },
    { username: 'vet4uvetclinic2', isNew: true },
  ])
  expect(await world.mailsTo(asked.email)).toHaveLength(2)
})

const day = (vetName: string, contact: string, na = false) => ({ vetName, contact, na, note: '' })
const [pieter, thandeka] = [day('Dr Pieter', '+27215550117'), day('Dr Thandeka', '+27215550133')]
const contacts = {
  mon: pieter,
  tue: pieter,
  wed: thandeka,
  thu: pieter,
  fri: thandeka,
  sat: pieter,
  sun: day('Dr Pieter', '+27215550117', true),
}
const za = { contacts, holidays: [], dayBegins: 0, region: 'za' as Region }

it('the contact of a day is followed by the other numbers of the week, each once [VET-6]', () => {
  // Saturday 21 November 2026, 02:12 in Johannesburg.
  const at = new Date('2026-11-21T00:12:00Z')
  expect(contactToday(za, at)).toMatchObject({ day: 'sat', date: '2026-11-21', vetName: 'Dr Pieter' })
  expect(contactsFrom(za, at).map(({ vetName, day }) => [vetName, day])).toEqual([
    ['Dr Pieter', 'sat'],
    ['Dr Thandeka', 'wed'],
  ])
})

it('the contact of a day belongs to the evening before until the clinic’s day begins [VET-6]', () => {
  const at = new Date('2026-11-21T00:12:00Z')
  expect(contactToday({ ...za, dayBegins: 7 }, at)).toMatchObject({ day: 'fri', vetName: 'Dr Thandeka' })
  expect(contactToday({ ...za, dayBegins: 2 }, at).day).toBe('sat')
})

it('the contact of a day is skipped on a day that is not available or closed for a holiday [VET-6]', () => {
  const sunday = new Date('2026-11-22T10:00:00Z')
  expect(contactToday(za, sunday).na).toBe(true)
  expect(contactsFrom(za, sunday)[0]).toMatchObject({ day: 'mon', vetName: 'Dr Pieter' })
  const holidays = [
    { date: '2026-11-23', ...day('', '', true) },
    { date: '2026-11-24', ...day('Dr Locum', '+27825550100') },
  ]
  expect(contactsFrom({ ...za, holidays }, sunday)).toMatchObject([
    { vetName: 'Dr Locum', date: '2026-11-24', holiday: true },
    { vetName: 'Dr Thandeka' },
  ])
})

it.each([
  // Sydney's night has 23 hours when its clocks go forward, and 25 when they go back.
  ['2026-10-03T13:59:59Z', '2026-10-03'],
  ['2026-10-03T14:00:00Z', '2026-10-04'],
  ['2026-10-04T12:59:59Z', '2026-10-04'],
  ['2026-10-04T13:00:00Z', '2026-10-05'],
  ['2027-04-03T12:59:59Z', '2027-04-03'],
  ['2027-04-04T13:59:59Z', '2027-04-04'],
  ['2027-04-04T14:00:00Z', '2027-04-05'],
])('the contact of a day follows Sydney’s clocks: %s is %s [VET-6]', (at, date) => {
  expect(clinicDate({ dayBegins: 0, region: 'au' }, new Date(at))).toBe(date)
})

async function phoneConsult(clinicId: number, start: Date, region: Region = 'za') {
  const vet = await world.vet()
  const caller = { name: 'Sam', phone: '', email: '', pet: 'Whiskey', speciesId: 2 }
  const times = { start, vetStart: start, end: start }
  return world.add(consultations, {
    type: 3,
    region,
    vetId: vet.id,
    clinicId,
    caller,
    petIssue: 'Straining',
    ...times,
  })
}

it.each([
  ['za', 'Africa/Johannesburg', '2026-09-30T22:00:00Z', '2026-10-31T21:59:59Z'],
  // Sydney begins October in standard time and ends it in summer time.
  ['au', 'Australia/Sydney', '2026-09-30T14:00:00Z', '2026-10-31T12:59:59Z'],
] as const)(
  'invoices count a month’s phone consults from its first to its last moment in the region (%s) [ADM-5]',
  async (region, zone, first, last) => {
    expect(REGIONS[region].timeZone).toBe(zone)
    const clinic = await added({ clinic: '=Evil & Sons' })
    await world.change(clinics, clinic.id, { region })
    const second = 1000
    for (const at of [first, last]) await phoneConsult(clinic.id, new Date(at), region)
    await phoneConsult(clinic.id, new Date(Date.parse(first) - second), region)
    await phoneConsult(clinic.id, new Date(Date.parse(last) + second), region)
    const report = await admin.call(getInvoiceMonth, { month: '2026-10' })
    expect(report.clinics.find(({ id }) => id === clinic.id)!.consults).toBe(2)
    expect(report.csv).toContain(`2026-10,${clinic.id},'=Evil & Sons,${clinic.email},2\r\n`)
    await admin.call(saveClinic, { id: clinic.id, meta: { customerInvoice: false } })
    const without = await admin.call(getInvoiceMonth, { month: '2026-10' })
    expect(without.clinics.map(({ id }) => id)).not.toContain(clinic.id)
  },
)

it('invoices of the last twelve months open as PDFs, each by its signed address alone [ADM-5]', async () => {
  const clinic = await added()
  await phoneConsult(clinic.id, world.now())
  const months = await admin.call(listClinicInvoices, { id: clinic.id })
  expect(months).toHaveLength(12)
  expect(months.map(({ month }) => month)).toEqual(monthsUntil('za', world.now()))
  expect(months.map(({ consults }) => consults)).toEqual([1, ...Array<number>(11).fill(0)])
  const open = (url: string) => world.app.inject({ url })
  const file = await open(months[0]!.url)
  expect([file.statusCode, file.headers['content-type'], file.body.slice(0, 5)]).toEqual([
    200,
    'application/pdf',
    '%PDF-',
  ])
  const [address, query] = months[0]!.url.split('?')
  const other = months[1]!.url.split('?')[0]
  for (const forged of [address!, `${other}?${query}`, `/media/invoices/x.pdf?${query}`])
    expect((await open(forged)).statusCode).toBe(404)
})

it('invoices name who they are from, and say so while the month isn’t over [ADM-5]', async () => {
  const clinic = await added()
  const [now, before] = await admin.call(listClinicInvoices, { id: clinic.id })
  const words = async ({ url }: { url: string }) =>
    (await pagesOf((await world.app.inject({ url })).rawPayload))[0]
  expect(await words(now!)).toMatch(
    /^VetChat Phone consults in \w+ \d{4} so far .*The month isn’t over yet\./,
  )
  const last = await words(before!)
  expect(last).toContain('From VetChat (Pty) Ltd, 1 Example Road')
  expect(last).not.toMatch(/so far|isn’t over/)
})

it('invoices are listed month by month back into the year before [ADM-5]', () => {
  // Already 1 January in Sydney, still 31 December in Johannesburg.
  const at = new Date('2026-12-31T13:30:00Z')
  expect(monthsUntil('au', at).slice(0, 2)).toEqual(['2027-01', '2026-12'])
  expect(monthsUntil('za', at).slice(0, 2)).toEqual(['2026-12', '2026-11'])
})
