import { expect, it } from 'vitest'
import { me } from '#contract/accounts.ts'
import { chooseClinic, listShares } from '#contract/aftercare.ts'
import { deleteClinic } from '#contract/clinics.ts'
import type { Attachment } from '#contract/chat.ts'
import { sendSummary } from '#contract/clinical.ts'
import { getConsultation } from '#contract/consultations.ts'
import {
  acceptConsultation,
  countDeferred,
  countDeferredOf,
  listClinicConsultations,
  loginClinic,
  measureDeferred,
  myClinic,
  resetClinicPassword,
  setClinicMail,
} from '#contract/portal.ts'
import { listAudit } from '#contract/logs.ts'
import { recordPhoneConsultation } from '#contract/phone.ts'
import { addDays, HOUR } from '#contract/time.ts'
import {
  auditLog,
  clinicalNotes,
  clinicPeople,
  clinics,
  consultations,
  escalations,
  users,
} from '#server/db/schema.ts'
import { hashPassword } from '#server/identity/session.ts'
import { advise, NOTE } from '#test/advice.ts'
import { sendForm } from '#test/forms.ts'
import { PASSWORD } from '#test/people.ts'
import { phoneCall } from '#test/phone-calls.ts'
import { morningAfter } from './rules.ts'
import { photo } from '#test/pictures.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

const { summary, plan, watch_for, go_if } = NOTE

const { clinic } = world
type Clinic = Awaited<ReturnType<typeof clinic>>

/** A consult that its owner shared with a clinic before a vet ended it. */
async function shared(
  to: Clinic,
  { pictures = false, outcome = 'own_vet' }: { pictures?: boolean; outcome?: 'own_vet' | 'sent_in' } = {},
) {
  const [{ owner, id }, vet] = [await world.waiting(), await world.vet()]
  await owner.call(chooseClinic, { id, clinic: to.id, agreed: true, pictures })
  await advise(vet, id, { ...NOTE, outcome })
  return { owner, vet, id }
}
const idsOf = async (who: Clinic) => (await who.call(listClinicConsultations, {})).map(({ id }) => id)

it('signing in needs username and password, and returns a token that opens the portal and nothing else [CLI-1, CLI-4]', async () => {
  const theirs = await clinic()
  const username = theirs.username!
  for (const input of [{}, { username }, { password: PASSWORD }, { username: ' ', password: '' }]) {
    const { status, body } = await world.nobody.send(loginClinic, input)
    expect([status, body.errors]).toEqual([400, ['Username or password field is empty.']])
  }
  const { token, clinic: shown } = await world.nobody.call(loginClinic, {
    username: ` ${username.toUpperCase()} `,
    password: PASSWORD,
  })
  expect(shown).toMatchObject({ id: theirs.id, username, contact_mon: { vetName: 'Dr Test' } })
  expect(JSON.stringify(shown)).not.toContain('$argon2')
  const signed = world.nobody.with(token)
  expect((await signed.send(listClinicConsultations)).status).toBe(200)
  const { status, text } = await signed.send(me)
  expect([status, text]).toEqual([401, 'Unauthorized'])
})

it('signing in answers an unknown username like a wrong password, and counts both [CLI-1]', async () => {
  const theirs = await clinic()
  const from = world.visitor()
  const sign = (username: string, password = 'Wrong0ne') => from.send(loginClinic, { username, password })
  const [unknown, wrong] = [await sign('nobodyknows'), await sign(theirs.username!)]
  expect([wrong.status, wrong.text]).toEqual([unknown.status, unknown.text])
  expect(wrong.status).toBe(401)
  for (let n = 0; n < 9; n++) await sign(theirs.username!)
  const refused = await sign(theirs.username!, PASSWORD)
  expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
  await world.visitor().call(loginClinic, { username: theirs.username!, password: PASSWORD })
})

it('signing in is refused to a deleted clinic, whose session ends too [CLI-1]', async () => {
  const theirs = await clinic()
  await world.change(clinics, theirs.id, { deletedAt: world.now() })
  const sign = await world.nobody.send(loginClinic, { username: theirs.username!, password: PASSWORD })
  expect(sign.status).toBe(401)
  expect((await theirs.send(listClinicConsultations)).status).toBe(401)
})

it('the list has the consults that the clinic was told about, with the advice and how to reach the owner, newest first [CLI-2]', async () => {
  const [theirs, other] = [await clinic(), await clinic()]
  const first = await shared(theirs)
  const second = await shared(theirs, { outcome: 'sent_in' })
  await shared(other)
  const list = await theirs.call(listClinicConsultations, {})
  expect(list.map(({ id }) => id)).toEqual([second.id, first.id])
  expect(list[1]).toMatchObject({
    pet: { name: 'Biscuit', species_id: 1 },
    user: { lastName: first.owner.lastName },
    mobile: first.owner.mobile,
    ended_as: 'own_vet',
    advice: { summary, plan, watch_for, go_if },
    pictures: [],
    accepted_by: null,
    portalDetail: { clinic_notified_at: expect.any(String), clinic_accepted_at: null },
  })
  // The vet's own notes stay with us.
  expect(JSON.stringify(list)).not.toContain('assessment')
})

it('the list has no consult that is still open, was not shared or is older than 90 days [CLI-2]', async () => {
  const theirs = await clinic()
  const owner = await world.member()
  const open = await world.consultOf(owner)
  await owner.call(chooseClinic, { id: open.id, clinic: theirs.id, agreed: true })
  const old = await shared(theirs)
  await world.change(consultations, old.id, { start: addDays(world.now(), -91) })
  expect(await idsOf(theirs)).toEqual([])
})

it('the list is sent again only when something has changed [CLI-2]', async () => {
  const theirs = await clinic()
  const { headers } = await theirs.send(listClinicConsultations)
  const again = () => theirs.send(listClinicConsultations, {}, { 'if-none-match': String(headers['etag']) })
  expect((await again()).status).toBe(304)
  await shared(theirs)
  expect((await again()).status).toBe(200)
})

it('the list has a phone consult with how it ended, how urgent it was and the age that the caller gave [CLI-2, VET-6]', async () => {
  const [theirs, vet] = [await clinic(), await world.vet()]
  await vet.call(recordPhoneConsultation, { ...phoneCall(theirs.id), decision: 'hours' })
  expect(await theirs.call(listClinicConsultations, {})).toMatchObject([
    {
      type: 3,
      decision: 'hours',
      urgency: 'emergency',
      ended_as: null,
      pet: { name: 'Whiskey', age: '5 years', dob: null },
      advice: { summary: 'Keep him quiet' },
    },
  ])
})

it('the list shows the corrected advice [CLI-2]', async () => {
  const theirs = await clinic()
  const { id, vet } = await shared(theirs)
  await vet.call(sendSummary, { consultationId: id, summary: 'It was one grape.' })
  expect((await theirs.call(listClinicConsultations, {}))[0]!.advice!.summary).toBe('It was one grape.')
})

async function withPicture(to: Clinic, pictures: boolean) {
  const { owner, id } = await world.waiting()
  const file = new File([new Uint8Array(await photo())], 'gums.jpg')
  const sent = await sendForm(world.app, `/consultation/${id}/attachments`, owner.token, {
    client_id: `picture-${id}`,
    file,
  })
  const { url } = (sent.body as { attachment: Attachment }).attachment
  await owner.call(chooseClinic, { id, clinic: to.id, agreed: true, pictures })
  const vet = await world.vet()
  await advise(vet, id)
  return { owner, id, url }
}

it('pictures open for the clinic that the owner shared them with, for no other, and not once taken back [CLI-2]', async () => {
  const [theirs, other] = [await clinic(), await clinic()]
  const { owner, id, url } = await withPicture(theirs, true)
  const [listed] = await theirs.call(listClinicConsultations, {})
  expect(listed!.pictures).toMatchObject([{ url, filename: 'gums.jpg' }])
  expect((await theirs.open(url)).statusCode).toBe(200)
  expect((await other.open(url)).statusCode).toBe(404)
  await owner.call(chooseClinic, { id, clinic: theirs.id, agreed: true, pictures: false })
  expect((await theirs.call(listClinicConsultations, {}))[0]!.pictures).toEqual([])
  expect((await theirs.open(url)).statusCode).toBe(404)
})

it('pictures aren’t shown if the owner shared only the summary, and nor is the plan’s file [CLI-2]', async () => {
  const theirs = await clinic()
  const { id, url } = await withPicture(theirs, false)
  expect((await theirs.call(listClinicConsultations, {}))[0]!.pictures).toEqual([])
  for (const file of [url, `/media/consultations/plan-${id}-1.pdf`])
    expect((await theirs.open(file)).statusCode).toBe(404)
})

it('confirming moves a case from notified to accepted, once, and tells who and when [CLI-3]', async () => {
  const theirs = await clinic()
  const { id, owner } = await shared(theirs)
  const { consultation } = await theirs.call(acceptConsultation, { id })
  const at = consultation.portalDetail.clinic_accepted_at
  expect([consultation.accepted_by, at]).toEqual([theirs.clinic, expect.any(String)])
  world.advance({ minutes: 5 })
  const again = await theirs.call(acceptConsultation, { id })
  expect(again).toEqual({ consultation })
  expect((await owner.call(getConsultation, { id })).consultation.portalDetail.clinic_accepted_at).toBe(at)
})

it('confirming is a GET that neither HEAD nor a prefetch can trigger [CLI-3, D12]', async () => {
  const theirs = await clinic()
  const { id } = await shared(theirs)
  const url = `/api/roster/clinic/accept/${id}/VETCHAT`
  const headers = { authorization: `Bearer ${theirs.token}` }
  expect((await world.app.inject({ method: 'HEAD', url, headers })).statusCode).toBe(405)
  expect(
    (await world.app.inject({ url, headers: { ...headers, 'sec-purpose': 'prefetch' } })).statusCode,
  ).toBe(405)
  expect((await theirs.call(listClinicConsultations, {}))[0]!.portalDetail.clinic_accepted_at).toBeNull()
  const done = await world.app.inject({ url, headers })
  expect([done.statusCode, done.headers['cache-control']]).toEqual([200, 'no-store'])
})

it('the password changes with the current one, signs everybody else out and is announced [CLI-4]', async () => {
  const theirs = await clinic()
  const sign = (password: string) => world.nobody.send(loginClinic, { username: theirs.username!, password })
  const elsewhere = (await sign(PASSWORD)).body.token
  for (const [input, field] of [
    [{ current: '', password: 'anything at all' }, 'current'],
    [{ current: PASSWORD, password: '' }, 'password'],
    [{ current: PASSWORD, password: 'short 7' }, 'password'],
    [{ current: 'Wrong0ne', password: 'anything at all' }, 'current'],
  ] as const) {
    const { status, body } = await theirs.send(resetClinicPassword, input)
    expect([status, Object.keys(body.fields ?? {})]).toEqual([400, [field]])
  }
  const password = 'grüße an alle 🐾'
  await theirs.call(resetClinicPassword, { current: PASSWORD, password })
  expect((await theirs.send(listClinicConsultations)).status).toBe(200)
  expect((await world.nobody.with(elsewhere).send(listClinicConsultations)).status).toBe(401)
  expect([(await sign(PASSWORD)).status, (await sign(password)).status]).toEqual([401, 200])
  expect((await world.mailsTo(theirs.email)).map(({ subject }) => subject)).toEqual([
    'Your password for the clinic portal was changed',
  ])
})

it('somebody of the clinic signs in with their own email, is named when they confirm and changes only their own password [CLI-1, CLI-3, CLI-4]', async () => {
  const theirs = await clinic()
  const email = `reception${theirs.id}@example.com`
  const passwordHash = await hashPassword('own password')
  await world.add(clinicPeople, { clinicId: theirs.id, name: 'Lerato', email, passwordHash })
  const signed = await world.nobody.call(loginClinic, { username: email, password: 'own password' })
  expect(signed.clinic).toMatchObject({ id: theirs.id, person: 'Lerato' })
  const lerato = world.nobody.with(signed.token)
  const { id } = await shared(theirs)
  expect((await lerato.call(acceptConsultation, { id })).consultation.accepted_by).toBe('Lerato')
  await lerato.call(resetClinicPassword, { current: 'own password', password: 'another password' })
  expect((await theirs.send(myClinic)).body.person).toBeNull()
  const { entries } = await (await world.admin()).call(listAudit, {})
  const who = { id: null, name: `Lerato, ${signed.clinic.clinic}` }
  expect(entries.slice(0, 2)).toMatchObject([
    { action: 'clinic password changed', by: who },
    { action: 'accepted', by: who, subject: 'clinic share', subject_id: String(id) },
  ])
  for (const [username, password, status] of [
    [email, 'own password', 401],
    [email, 'another password', 200],
    [theirs.username!, PASSWORD, 200],
  ] as const)
    expect((await world.nobody.send(loginClinic, { username, password })).status).toBe(status)
})

/** Moves the clock to this hour in Johannesburg, tomorrow or later. */
const at = (hour: number) => {
  const now = (world.now().getTime() / HOUR + 2) % 24
  world.advance({ minutes: Math.ceil((((hour - now + 24) % 24) + 24) * 60) })
}

it('mail to the clinic comes in the morning if the clinic chose that: one mail for all of a night’s cases that nobody confirmed [CLI-2, D26]', async () => {
  at(23)
  const theirs = await clinic()
  await theirs.call(setClinicMail, { notify: 'in the morning' })
  const cases = [await shared(theirs), await shared(theirs), await shared(theirs), await shared(theirs)]
  await theirs.call(acceptConsultation, { id: cases[0]!.id })
  await cases[1]!.owner.call(chooseClinic, { id: cases[1]!.id, clinic: null, agreed: false })
  // They are in the portal before the mail.
  expect(await idsOf(theirs)).toEqual([cases[3]!.id, cases[2]!.id, cases[0]!.id])
  expect(await world.mailsTo(theirs.email)).toEqual([])
  world.advance({ hours: 8, minutes: 5 })
  for (let again = 0; again < 2; again++) {
    const mails = await world.mailsTo(theirs.email)
    expect(mails.map(({ subject }) => subject)).toEqual(['2 VetChat consults last night'])
    expect(mails[0]!.text).toContain(NOTE.summary)
  }
})

it('mail to the clinic can be moved between night and morning thirty times an hour, and each change is logged once [CLI-2]', async () => {
  const theirs = await clinic()
  const set = (notify: 'straight away' | 'in the morning') => theirs.send(setClinicMail, { notify })
  for (let n = 0; n < 15; n++)
    for (const notify of ['in the morning', 'in the morning', 'straight away'] as const)
      expect((await set(notify)).status).toBe(200)
  expect((await set('in the morning')).status).toBe(429)
  expect((await set('straight away')).status).toBe(200)
  const logged = { action: 'clinic saved', subjectId: String(theirs.id) }
  expect(await world.rows(auditLog, logged)).toHaveLength(30)
  world.advance({ hours: 2 })
  expect((await set('in the morning')).status).toBe(200)
})

it('mail to the clinic comes though the morning was set while the clock was a year ahead [CLI-2]', async () => {
  at(23)
  const theirs = await clinic()
  await theirs.call(setClinicMail, { notify: 'in the morning' })
  const { id } = await shared(theirs)
  await world.change(consultations, id, { clinicMailDueAt: addDays(world.now(), 365) })
  expect(await world.mailsTo(theirs.email)).toHaveLength(1)
})

it('mail to the clinic says about a phone consult what was asked, what the caller was told and how it ended [CLI-2, VET-6]', async () => {
  at(23)
  const [theirs, vet] = [await clinic(), await world.vet()]
  await theirs.call(setClinicMail, { notify: 'in the morning' })
  await vet.call(recordPhoneConsultation, { ...phoneCall(theirs.id), decision: 'hours' })
  world.advance({ hours: 8, minutes: 5 })
  expect((await world.mailsTo(theirs.email))[0]!.text).toContain(
    '\n\nWhiskey, emergency\nNo urine since 22:00\nTold: Keep him quiet\nOutcome: Wait for opening hours\nOwner: Nokuthula Example, 083 555 0142\n\n',
  )
})

it.each([
  ['za', '2026-11-23T16:00:00Z', '2026-11-24T05:00:00Z'],
  // Sydney's night has 12 hours when its clocks go forward, and 14 when they go back.
  ['au', '2026-10-03T08:00:00Z', '2026-10-03T20:00:00Z'],
  ['au', '2027-04-03T07:00:00Z', '2027-04-03T21:00:00Z'],
  ['au', '2026-12-31T13:30:00Z', '2026-12-31T20:00:00Z'],
] as const)(
  'mail to the clinic waits until seven where the clinic is, even when clocks change (%s, %s) [CLI-2]',
  (region, at, morning) => {
    expect(morningAfter(region, new Date(at))).toEqual(new Date(morning))
  },
)

it('mail to the clinic reaches the other clinics in the morning though one was deleted at night [CLI-2]', async () => {
  at(23)
  const [gone, other] = [await clinic(), await clinic()]
  for (const one of [gone, other]) {
    await one.call(setClinicMail, { notify: 'in the morning' })
    await shared(one)
  }
  await (await world.admin()).call(deleteClinic, { id: gone.id })
  world.advance({ hours: 8, minutes: 5 })
  expect(await world.mailsTo(other.email)).toHaveLength(1)
  expect(await world.mailsTo(gone.email)).toEqual([])
})

it('mail to the clinic comes straight away by day, and at night unless the clinic chose otherwise [CLI-2]', async () => {
  at(11)
  const [byDay, always] = [await clinic(), await clinic()]
  await byDay.call(setClinicMail, { notify: 'in the morning' })
  await shared(byDay)
  expect(await world.mailsTo(byDay.email)).toHaveLength(1)
  at(2)
  await shared(always)
  expect(await world.mailsTo(always.email)).toHaveLength(1)
})

it('taking back ends what the clinic sees, and the owner reads what was shared and when [CLI-2, CON-7]', async () => {
  const theirs = await clinic()
  const { owner, id } = await shared(theirs, { pictures: true })
  await theirs.call(acceptConsultation, { id })
  await owner.call(chooseClinic, { id, clinic: null, agreed: false })
  expect(await idsOf(theirs)).toEqual([])
  expect((await theirs.send(acceptConsultation, { id })).status).toBe(404)
  const { steps, pictures } = await owner.call(listShares, { id })
  expect(steps.map(({ step, clinic, pictures }) => [step, clinic, pictures])).toEqual([
    ['taken back', theirs.clinic, false],
    ['accepted', theirs.clinic, false],
    ['told', theirs.clinic, false],
    ['shared', theirs.clinic, true],
  ])
  expect(pictures).toBe(false)
  // When it is shared again, the clinic sees it again, and nobody gets a second mail.
  await owner.call(chooseClinic, { id, clinic: theirs.id, agreed: true })
  expect(await idsOf(theirs)).toEqual([id])
  expect(await world.mailsTo(theirs.email)).toHaveLength(1)
})

it('taking back makes room for another clinic, which is written to [CON-7]', async () => {
  const [theirs, next] = [await clinic(), await clinic()]
  const { owner, id } = await shared(theirs)
  await owner.call(chooseClinic, { id, clinic: null, agreed: false })
  await owner.call(chooseClinic, { id, clinic: next.id, agreed: true })
  expect([await idsOf(theirs), await idsOf(next)]).toEqual([[], [id]])
  expect(await world.mailsTo(next.email)).toHaveLength(1)
})

it('taking back makes sharing with the same clinic one press next time [CON-7]', async () => {
  const theirs = await clinic()
  const { owner } = await shared(theirs)
  const { id } = await world.consultOf(owner)
  expect((await owner.call(listShares, { id })).probably).toMatchObject({ id: theirs.id })
  const stranger = await world.member()
  const other = await world.consultOf(stranger)
  expect(await stranger.call(listShares, { id: other.id })).toEqual({
    steps: [],
    pictures: false,
    probably: null,
  })
})

it('taking back isn’t needed to offer the clinic that the owner’s profile names, unless two clinics’ names begin alike [CON-7]', async () => {
  const [oaks, hills] = [await clinic(), await clinic()]
  for (const [{ id }, name] of [
    [oaks, 'Seven Oaks Vets'],
    [hills, 'Seven Hills Vets'],
  ] as const)
    await world.change(clinics, id, { clinic: name })
  const { owner, id } = await world.waiting()
  const offered = async (userClinic: string) => {
    await world.change(users, owner.id, { userClinic })
    return (await owner.call(listShares, { id })).probably?.id
  }
  for (const typed of ['seven oaks vets', ' Seven Oaks', 'Seven Oaks Vets, Claremont'])
    expect(await offered(typed), typed).toBe(oaks.id)
  for (const typed of ['', 'Sev', 'Seven', 'Oaks', '%']) expect(await offered(typed), typed).toBeUndefined()
})

/** A call that a vet ended at this time, with this outcome. */
async function call(
  to: Clinic,
  start: Date,
  outcome: 'home' | 'own_vet' | 'sent_in' | 'no_answer',
  called = false,
) {
  const owner = await world.member()
  const vet = await world.vet()
  const end = new Date(start.getTime() + 600_000)
  const { id } = await world.consultOf(owner)
  await world.change(consultations, id, {
    start,
    vetStart: start,
    end,
    vetId: vet.id,
    clinicId: to.id,
    clinicSharedAt: end,
    clinicNotifiedAt: end,
  })
  await world.add(clinicalNotes, {
    consultationId: id,
    summary: 'x',
    outcome,
    savedAt: end,
    signedAt: end,
    signedBy: vet.id,
  })
  if (called)
    await world.add(escalations, {
      consultationId: id,
      state: 'taken',
      contacts: [{ vetName: 'Dr Test', contact: '082', email: '' }],
      place: 0,
      minutes: 5,
      step: 2,
      startedAt: end,
      answeredAt: new Date(end.getTime() + 180_000),
    })
}

it('calls deferred are counted from outcomes, by the week of the call where the clinic is [CLI-2]', async () => {
  const theirs = await clinic()
  // A Monday night in Johannesburg that is still Sunday in UTC.
  const monday = new Date('2026-06-07T22:30:00Z')
  await call(theirs, monday, 'home')
  await call(theirs, new Date('2026-06-07T21:30:00Z'), 'own_vet')
  await call(theirs, monday, 'sent_in')
  await call(theirs, monday, 'own_vet', true)
  await call(theirs, monday, 'no_answer')
  const counted = await theirs.call(countDeferred, { from: '2026-06-01', to: '2026-06-14' })
  expect(counted.weeks).toEqual([
    { week: '2026-06-08', deferred: 1, contact: 1, emergency: 1 },
    { week: '2026-06-01', deferred: 1, contact: 0, emergency: 0 },
  ])
  expect(counted.total).toEqual({ deferred: 2, contact: 1, emergency: 1 })
  expect(counted.answers).toEqual({ called: 1, answered: 1, median_minutes: 3 })
  const other = await clinic()
  expect((await other.call(countDeferred, { from: '2026-06-01', to: '2026-06-14' })).total.deferred).toBe(0)
  const admin = await world.admin()
  const seen = await admin.call(countDeferredOf, { id: theirs.id, from: '2026-06-01', to: '2026-06-14' })
  expect(seen).toMatchObject({ total: counted.total, measured: null })
})

it('calls deferred cover twelve weeks unless other days are requested, and refuse an impossible range [CLI-2]', async () => {
  const theirs = await clinic()
  const { weeks, from, to } = await theirs.call(countDeferred, {})
  expect([weeks.length, weeks.at(-1)!.week, to >= from]).toEqual([12, from, true])
  for (const range of [
    { from: '2026-06-02', to: '2026-06-01' },
    { from: '2020-01-01', to: '2026-06-01' },
    { from: '2020-01-01' },
    { from: '2099-01-01' },
    { to: '0001-01-01' },
    { to: '9999-12-31' },
  ])
    expect((await theirs.send(countDeferred, range)).status).toBe(400)
})

it('calls deferred aren’t public until a clinic has twenty, and leave out clinics with fewer [PUB-8]', async () => {
  const [few, many] = [await clinic(), await clinic()]
  const yesterday = addDays(world.now(), -1)
  await call(few, yesterday, 'home')
  for (let n = 0; n < 19; n++) await call(many, yesterday, n < 14 ? 'home' : 'sent_in')
  expect(await world.nobody.call(measureDeferred, {})).toBeNull()
  await call(many, yesterday, 'home')
  expect(await world.nobody.call(measureDeferred, {})).toBeNull()
  world.advance({ minutes: 11 })
  expect(await world.nobody.call(measureDeferred, {})).toEqual({ percent: 75, clinics: 1, calls: 20 })
})
