import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import {
  addClinic,
  addClinicPerson,
  deleteClinic,
  removeClinicPerson,
  saveClinic,
} from '#contract/clinics.ts'
import { listConsultations } from '#contract/consultations.ts'
import { sentenceOf } from '#contract/errors.ts'
import {
  dropPhoneDraft,
  getPhoneDraft,
  listPhoneClinics,
  listPhoneConsultations,
  recordPhoneConsultation,
  reportPhoneConsultations,
  savePhoneDraft,
} from '#contract/phone.ts'
import { LIMITS } from '#contract/limits.ts'
import { MINUTE } from '#contract/time.ts'
import { auditLog, clinics, consultations, phoneConsults } from '#server/db/schema.ts'
import { morningAfter } from '#server/portal/rules.ts'
import { phoneCall } from '#test/phone-calls.ts'
import { refusal } from '#test/refusal.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()
const admin = await world.admin()

let count = 0
const clinicWith = (values: Partial<Parameters<typeof admin.call<typeof addClinic>>[1]> = {}) =>
  admin.call(addClinic, { clinic: `Kloof ${++count}`, email: `kloof${count}@clinic.example`, ...values })

it('recording a phone consult stores it for the clinic, which gets one mail with everything in it, however often it is sent [VET-6]', async () => {
  const [vet, clinic] = [await world.vet(), await clinicWith()]
  const form = phoneCall(clinic.id)
  const answers = [
    await vet.call(recordPhoneConsultation, form),
    await vet.call(recordPhoneConsultation, form),
  ]
  const { id } = answers[0]!.consultation
  expect(answers[1]).toEqual(answers[0])
  const [mail, ...others] = await world.mailsTo(clinic.email)
  expect(others).toEqual([])
  expect(mail!.subject).toBe(`Emergency: Dr Thandi ${vet.lastName} took a call about Whiskey`)
  for (const said of [
    'Whiskey, cat, male, 5 years',
    'Nokuthula Example, 083 555 0142',
    'No urine since 22:00',
    'Keep him quiet',
    'Outcome: Contact called',
  ])
    expect(mail!.text).toContain(said)
  const [row] = await world.rows(consultations, { id })
  expect(row).toMatchObject({
    type: 3,
    userId: null,
    vetId: vet.id,
    clinicId: clinic.id,
    outcome: 'Contact called',
    caller: { name: 'Nokuthula Example', phone: '+27835550142', pet: 'Whiskey', speciesId: 2 },
  })
  expect(row!.clinicNotifiedAt).not.toBe(null)
  expect(row!.end).not.toBe(null)
  const { consultations: listed } = await vet.call(listConsultations, { filter: 'completed' })
  expect(listed.find((one) => one.id === id)).toMatchObject({
    type: 3,
    pet: { id: null, name: 'Whiskey', species_id: 2 },
    pet_issue: 'No urine since 22:00',
    summary: 'Keep him quiet',
  })
  const logged = await world.rows(auditLog, { action: 'recorded a phone consult', subjectId: String(id) })
  expect(logged).toMatchObject([{ userId: vet.id }])
})

it('recording a phone consult says that a form was recorded before it was changed, and records nothing more [VET-6]', async () => {
  const [vet, clinic] = [await world.vet(), await clinicWith()]
  const form = phoneCall(clinic.id)
  const { consultation } = await vet.call(recordPhoneConsultation, form)
  await expect(vet.call(recordPhoneConsultation, { ...form, decision: 'hours' })).rejects.toThrow(
    `No. ${consultation.id} before you changed it`,
  )
  expect(await world.mailsTo(clinic.email)).toHaveLength(1)
})

it('recording a phone consult fills no clinic’s mailbox: a vet records sixty in an hour [SAF-5]', async () => {
  const [vet, clinic] = [await world.vet(), await clinicWith()]
  const form = () => ({ ...phoneCall(clinic.id), decision: 'hours' as const })
  const first = form()
  const recorded = await vet.call(recordPhoneConsultation, first)
  for (let n = 1; n < LIMITS.phoneConsults.max; n++) await vet.call(recordPhoneConsultation, form())
  expect(await vet.refusal(recordPhoneConsultation, form())).toBe('TOO_MANY_TRIES')
  expect(await world.mailsTo(clinic.email)).toHaveLength(LIMITS.phoneConsults.max)
  expect(await vet.call(recordPhoneConsultation, first)).toEqual(recorded)
  await (await world.vet()).call(recordPhoneConsultation, form())
  world.advance({ minutes: LIMITS.phoneConsults.minutes })
  await vet.call(recordPhoneConsultation, form())
})

it('recording a phone consult names the first field that is missing [VET-6]', async () => {
  const [vet, clinic] = [await world.vet(), await clinicWith()]
  const without = async (field: string) => {
    const { [field]: _left, ...rest } = phoneCall(clinic.id) as Record<string, unknown>
    return (await vet.send(recordPhoneConsultation, rest)).body.fields
  }
  expect(await without('clinic')).toEqual({ clinic: 'Choose the clinic.' })
  expect(await without('caller')).toEqual({ caller: 'Enter the caller’s name.' })
  expect(await without('pet')).toEqual({ pet: 'Pet name is required' })
  expect(await without('query')).toEqual({ query: 'Enter the problem.' })
  expect(await without('urgency')).toEqual({ urgency: 'Choose how urgent it is.' })
  expect(await without('decision')).toEqual({ decision: 'Choose the outcome.' })
  expect((await vet.send(recordPhoneConsultation, { ...phoneCall(clinic.id), species: 99 })).status).toBe(400)
})

it('recording a phone consult refuses a caller’s number that nobody could call, but takes none or one with words [VET-6]', async () => {
  const [vet, clinic] = [await world.vet(), await clinicWith()]
  const withPhone = async (phone: string) =>
    (await vet.send(recordPhoneConsultation, { ...phoneCall(clinic.id), phone })).body.fields
  expect(await withPhone('083 12')).toEqual({ phone: sentenceOf('PHONE_TOO_SHORT') })
  for (const phone of ['', '083 555 0142 (his wife)']) expect(await withPhone(phone), phone).toBeUndefined()
})

it("recording a phone consult needs a clinic of the vet’s region that hasn't been deleted [VET-6]", async () => {
  const [vet, gone] = [await world.vet(), await clinicWith()]
  await admin.call(deleteClinic, { id: gone.id })
  const away = await clinicWith()
  await world.change(clinics, away.id, { region: 'au' })
  for (const { id } of [gone, away, { id: 2_000_000_000 }]) {
    const { status, body } = await vet.send(recordPhoneConsultation, phoneCall(id))
    expect([status, body.fields]).toEqual([
      404,
      { clinic: 'This clinic isn’t on the list any more. Choose another one.' },
    ])
  }
  expect((await vet.call(listPhoneClinics, {})).map(({ id }) => id)).not.toContain(away.id)
  expect((await admin.call(listPhoneClinics, {})).map(({ id }) => id)).toContain(away.id)
})

it('recording a phone consult by an admin names the vet who took the call [VET-6]', async () => {
  const [vet, clinic, owner] = [await world.vet(), await clinicWith(), await world.owner()]
  const form = phoneCall(clinic.id)
  for (const other of [undefined, admin.id, owner.id]) {
    const { status, body } = await admin.send(recordPhoneConsultation, { ...form, vet: other })
    expect([status, body.fields]).toEqual([400, { vet: 'Choose the vet who took the call.' }])
  }
  const { consultation } = await admin.call(recordPhoneConsultation, { ...form, vet: vet.id })
  const [row] = await world.rows(consultations, { id: consultation.id })
  const [more] = await world.rows(phoneConsults, { consultationId: consultation.id })
  expect([row!.vetId, more!.recordedBy]).toEqual([vet.id, admin.id])
})

it('recording a phone consult says so when the clinic has no email, and notifies it only if somebody can sign in for it [VET-6] [CLI-2]', async () => {
  const vet = await world.vet()
  const [silent, portal, people, left] = [
    await clinicWith({ email: '' }),
    await clinicWith({ email: '', username: 'onlytheportal' }),
    await clinicWith({ email: '' }),
    await clinicWith({ email: '' }),
  ]
  const recent = await world.admin()
  const add = (id: number, email: string) => recent.call(addClinicPerson, { id, name: 'Ann Sample', email })
  await add(people.id, 'ann@people.example')
  const [ann] = (await add(left.id, 'ann@left.example')).people
  await admin.call(removeClinicPerson, { id: left.id, person: ann!.id })
  const notified = async (id: number) => {
    const { consultation, mailed_at } = await vet.call(recordPhoneConsultation, phoneCall(id))
    const [row] = await world.rows(consultations, { id: consultation.id })
    return [mailed_at, row!.clinicNotifiedAt !== null]
  }
  expect(await notified(silent.id)).toEqual([null, false])
  expect(await notified(left.id)).toEqual([null, false])
  expect(await notified(portal.id)).toEqual([null, true])
  expect(await notified(people.id)).toEqual([null, true])
  const listed = await vet.call(listPhoneClinics, {})
  const told = [silent, left, people].map((one) => listed.find(({ id }) => id === one.id)!.notify)
  expect(told).toEqual(['never', 'never', 'straight away'])
})

it('recording a phone consult leaves the portal’s link out of the mail if nobody can sign in for the clinic [VET-6] [CLI-2]', async () => {
  const vet = await world.vet()
  const [mailed, portal] = [await clinicWith(), await clinicWith({ username: 'readstheportal' })]
  const leadsToPortal = async ({ id, email }: { id: number; email: string }) => {
    await vet.call(recordPhoneConsultation, { ...phoneCall(id), decision: 'hours' })
    return (await world.mailsTo(email, 'phone consult'))[0]!.text.includes('portal')
  }
  expect([await leadsToPortal(mailed), await leadsToPortal(portal)]).toEqual([false, true])
})

it('recording a phone consult keeps the mail from the night until the morning, for a clinic that wants that [VET-6]', async () => {
  const [vet, clinic] = [await world.vet(), await clinicWith({ notify: 'in the morning' })]
  const due = morningAfter('za', world.now())
  const { consultation, mailed_at } = await vet.call(recordPhoneConsultation, phoneCall(clinic.id))
  const [row] = await world.rows(consultations, { id: consultation.id })
  expect(row!.clinicMailDueAt).toEqual(due)
  const [mail] = await world.mailsTo(clinic.email)
  if (due) expect([mailed_at, mail]).toEqual([due.toISOString(), undefined])
  else expect(mail!.subject).toContain('Whiskey')
})

it('a phone consult that is being typed is stored for its vet alone, and starts with its first letter [VET-6]', async () => {
  const [vet, other, clinic] = [await world.vet(), await world.vet(), await clinicWith()]
  const form = phoneCall(clinic.id)
  expect(await vet.call(getPhoneDraft, {})).toBe(null)
  const first = await vet.call(savePhoneDraft, { key: form.key, clinic: clinic.id, caller: 'Noku' })
  world.advance({ minutes: 3 })
  const second = await vet.call(savePhoneDraft, { key: form.key, pet: 'Whiskey', caller: null })
  expect(second.started_at).toBe(first.started_at)
  expect(await vet.call(getPhoneDraft, {})).toEqual({
    key: form.key,
    ...second,
    fields: { clinic: clinic.id, caller: '', pet: 'Whiskey' },
  })
  expect(await other.call(getPhoneDraft, {})).toBe(null)
  const { consultation } = await vet.call(recordPhoneConsultation, form)
  const [row] = await world.rows(consultations, { id: consultation.id })
  expect(row!.start.toISOString()).toBe(first.started_at)
  expect(await vet.call(getPhoneDraft, {})).toBe(null)
})

it('a phone consult that is being typed is read by the same rules as what owners write, for its kind of animal [VET-6]', async () => {
  const [vet, clinic] = [await world.vet(), await clinicWith()]
  const key = 'read'
  const query = 'In and out of the litter box since supper. No urine since about 22:00.'
  expect((await vet.call(savePhoneDraft, { key, caller: 'Noku' })).read).toBe(null)
  const { read } = await vet.call(savePhoneDraft, { key, clinic: clinic.id, species: 2, query })
  expect(read).toMatchObject({ level: 'emergency' })
  expect(read!.why).not.toBe('')
  expect((await vet.call(getPhoneDraft, {}))!.read).toEqual(read)
  const calm = await vet.call(savePhoneDraft, { key, query: 'When is her next vaccination due?' })
  expect(calm.read).toMatchObject({ level: 'routine', why: '' })
  const { consultation } = await vet.call(recordPhoneConsultation, {
    ...phoneCall(clinic.id, key),
    query,
    urgency: 'soon',
  })
  const [stored] = await world.db
    .select({ urgency: phoneConsults.urgency })
    .from(phoneConsults)
    .where(eq(phoneConsults.consultationId, consultation.id))
  expect(stored!.urgency).toBe('soon')
})

it('a phone consult that is being typed is replaced by another form, and can be discarded [VET-6]', async () => {
  const vet = await world.vet()
  await vet.call(savePhoneDraft, { key: 'one', caller: 'Noku', advice: 'Rest' })
  await vet.call(savePhoneDraft, { key: 'two', caller: 'Sam' })
  expect((await vet.call(getPhoneDraft, {}))!.fields).toEqual({ caller: 'Sam' })
  await vet.call(dropPhoneDraft, {})
  expect(await vet.call(getPhoneDraft, {})).toBe(null)
})

it('a day’s contact is listed with the clinic as people dial it [VET-6]', async () => {
  const [vet, clinic] = [await world.vet(), await clinicWith({ day_begins: 0 })]
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
  const away = { vetName: 'Dr Away', contact: '021 555 0100', na: true, note: 'Send to the hospital' }
  const there = { vetName: 'Dr There', contact: '+27 (82) 555-0143', na: false, note: '' }
  const today = clinic.today.day
  const week = Object.fromEntries(days.map((day) => [`contact_${day}`, day === today ? away : there]))
  await admin.call(saveClinic, { id: clinic.id, ...week })
  const listed = (await vet.call(listPhoneClinics, {})).find(({ id }) => id === clinic.id)!
  expect(listed.today).toMatchObject({ ...away, day: today })
  expect(listed.chain).toMatchObject([{ vetName: 'Dr There', contact: '082 555 0143' }])
})

/** Rows as recording makes them, at any time and of any region. */
async function recorded(
  clinicId: number,
  starts: (string | Date)[],
  region: 'za' | 'au' = 'za',
  pet = 'Rex',
) {
  const vet = await world.vet()
  const caller = { name: '=HYPERLINK("http://evil")', phone: '+27835550142', email: '', pet, speciesId: 1 }
  return world.db
    .insert(consultations)
    .values(
      starts.map((at) => ({
        type: 3 as const,
        region,
        clinicId,
        vetId: vet.id,
        caller,
        outcome: 'Contact called',
        petIssue: ' +cmd\r\n=1',
        start: new Date(at),
        vetStart: new Date(at),
        end: new Date(at),
      })),
    )
    .returning({ id: consultations.id })
}

it('the list of phone consults has 50 on a page, newest first, and every one once [ADM-6]', async () => {
  const clinic = await clinicWith()
  const from = Date.parse('2021-03-01T10:00:00Z')
  await recorded(
    clinic.id,
    Array.from({ length: 120 }, (_, minute) => new Date(from + minute * MINUTE)),
  )
  const page = (page?: number) => admin.call(listPhoneConsultations, { clinic: clinic.id, page })
  const pages = [await page(), await page(2), await page(3), await page(4)]
  expect(
    pages.map(({ consultations, page, pages, total }) => [consultations.length, page, pages, total]),
  ).toEqual([
    [50, 1, 3, 120],
    [50, 2, 3, 120],
    [20, 3, 3, 120],
    [0, 4, 3, 120],
  ])
  const starts = pages.flatMap(({ consultations }) => consultations.map(({ start }) => start))
  expect(new Set(starts).size).toBe(120)
  expect(starts).toEqual(starts.toSorted().toReversed())
  expect(pages[0]!.consultations[0]).toMatchObject({
    clinic: { id: clinic.id, clinic: clinic.clinic },
    caller: { phone: '083 555 0142' },
    urgency: null,
    decision: null,
  })
  expect((await admin.send(listPhoneConsultations, { page: 0 })).status).toBe(400)
})

it('the list of phone consults shows how a call ended, and nothing of what was said and advised [ADM-6, SAF-8]', async () => {
  const [vet, clinic] = [await world.vet(), await clinicWith()]
  await vet.call(recordPhoneConsultation, phoneCall(clinic.id))
  const { text } = await admin.send(listPhoneConsultations, { clinic: clinic.id })
  expect(text).toContain('Contact called')
  expect(text).not.toMatch(/No urine|Keep him quiet/)
})

it('the list of phone consults is found by clinic, caller, pet, number and days, with wildcards taken literally [ADM-6]', async () => {
  const clinic = await clinicWith({ clinic: 'Hundred % Vets' })
  const [row] = await recorded(clinic.id, ['2021-05-05T10:00:00Z'], 'za', 'Mr_Whiskers')
  const ids = async (input: object) =>
    (await admin.call(listPhoneConsultations, input)).consultations.map(({ id }) => id)
  for (const q of ['hundred %', 'mr_w', String(row!.id)]) expect(await ids({ q })).toEqual([row!.id])
  expect(await ids({ q: 'mr%w' })).toEqual([])
  expect(await ids({ from: '2021-05-05', to: '2021-05-05' })).toEqual([row!.id])
  expect(await ids({ from: '2021-05-06', to: '2021-05-06' })).toEqual([])
})

const report = (from?: unknown, to?: unknown) => admin.send(reportPhoneConsultations, { from, to })

it('the export asks for both days, in order [ADM-6]', async () => {
  for (const days of [[], ['', ''], ['2021-01-01'], [undefined, '2021-01-01'], ['2021-02-30', '2021-03-01']])
    expect(refusal(await report(...days))).toEqual([400, 'Provide dates to export.'])
  expect(refusal(await report('2021-01-02', '2021-01-01'))).toEqual([
    400,
    'To dates can not be before from date.',
  ])
  expect((await report('2001-01-01', '2001-01-01')).body).toMatchObject({ consultCount: 0 })
})

it.each([
  ['za', '2022-02-28', '2022-02-27T22:00:00Z', '2022-02-28T21:59:59.999Z'],
  // Days of 23 and of 25 hours in Sydney.
  ['au', '2022-10-02', '2022-10-01T14:00:00Z', '2022-10-02T12:59:59.999Z'],
  ['au', '2023-04-02', '2023-04-01T13:00:00Z', '2023-04-02T13:59:59.999Z'],
  ['za', '2024-02-29', '2024-02-28T22:00:00Z', '2024-02-29T21:59:59.999Z'],
] as const)(
  'the export contains a day from its first to its last moment in the region: %s, %s [ADM-6]',
  async (region, day, first, last) => {
    const clinic = await clinicWith()
    await world.change(clinics, clinic.id, { region })
    const inside = await recorded(clinic.id, [first, last], region)
    await recorded(clinic.id, [new Date(Date.parse(first) - 1), new Date(Date.parse(last) + 1)], region)
    const { body } = await report(day, day)
    expect(body.consultCount).toBe(2)
    const lines = body.csv.trimEnd().split('\r\n')
    expect(lines.slice(1).map((line) => [Number(line.split(',')[0]), line.split(',')[1]])).toEqual(
      inside.map(({ id }, at) => [id, `${day} ${at === 0 ? '00:00' : '23:59'}`]),
    )
  },
)

it('the export has no cell that a spreadsheet takes for a formula, and one line for each consult [ADM-6]', async () => {
  const clinic = await clinicWith({ clinic: '@SUM(1)' })
  await recorded(clinic.id, ['2020-06-06T10:00:00Z'], 'za', ' \t-2+3')
  const { body } = await report('2020-06-06', '2020-06-06')
  const [, line, ...rest] = body.csv.trimEnd().split('\r\n')
  expect(rest).toEqual([])
  expect(line).toContain("'@SUM(1)")
  expect(line).toContain(`"'=HYPERLINK(""http://evil"")"`)
  expect(line).toContain("' +cmd =1")
  for (const cell of line!.split(',')) expect(cell).not.toMatch(/^["\s]*[=+\-@]/)
})

it('the export reads on past the end of a page of a thousand [ADM-6]', async () => {
  const clinic = await clinicWith()
  // Many have the same time: no page may skip or repeat one.
  await recorded(clinic.id, Array<string>(2500).fill('2019-07-07T10:00:00Z'))
  const { body } = await report('2019-07-07', '2019-07-07')
  const ids = body.csv.trimEnd().split('\r\n').slice(1)
  expect([body.consultCount, new Set(ids).size]).toEqual([2500, 2500])
})
