import { and, asc, eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import type { Input } from '#contract/call.ts'
import { addClinic, DAY_IDS, deleteClinic, saveClinic } from '#contract/clinics.ts'
import { getConsultation } from '#contract/consultations.ts'
import {
  answerContactCall,
  CONTACT_LINK_HOURS,
  getEscalation,
  listEscalations,
  moveEscalation,
  readContactCall,
} from '#contract/escalation.ts'
import { LIMITS } from '#contract/limits.ts'
import { recordPhoneConsultation } from '#contract/phone.ts'
import { setDuty } from '#contract/queue.ts'
import { acceptConsultation, countDeferred, listClinicConsultations } from '#contract/portal.ts'
import { addDays, addHours, addMinutes, MINUTE } from '#contract/time.ts'
import { findPerson } from '#contract/vets.ts'
import {
  auditLog,
  consultations,
  escalations,
  escalationSteps,
  smsMessages,
  users,
} from '#server/db/schema.ts'
import { phoneCall } from '#test/phone-calls.ts'
import { createWorld } from '#test/world.ts'
import { answerUntil, contactSms } from './rules.ts'

const world = await createWorld()
let admin = await world.admin()

let count = 0
const number = () => `+2782${String(5_550_000 + ++count)}`

const contactOf = (vetName: string, contact: string) => ({ vetName, contact, na: false, note: '' })
const AWAY = { ...contactOf('', ''), na: true }
/** The same contact on each day of the week. */
const everyDay = (contact: object) => Object.fromEntries(DAY_IDS.map((day) => [`contact_${day}`, contact]))
/** A clinic whose every day has two numbers to call, whatever day it is. */
async function clinicOf(values: object = {}) {
  const [first, next] = [number(), number()]
  const sample = { ...contactOf('Dr Pieter Sample', first), email: `pieter${count}@clinic.example` }
  const thandeka = contactOf('Dr Thandeka Demo', next)
  const clinic = await admin.call(addClinic, {
    clinic: `Parow ${++count}`,
    email: `parow${count}@clinic.example`,
    username: `parowclinic${count}`,
    ...everyDay(sample),
    contact_tue: thandeka,
    contact_thu: thandeka,
    contact_sat: thandeka,
    ...values,
  })
  const isFirst = clinic.today.contact === first
  const names = ['Dr Pieter Sample', 'Dr Thandeka Demo']
  return {
    ...clinic,
    numbers: isFirst ? [first, next] : [next, first],
    names: isFirst ? names : names.toReversed(),
  }
}
async function begun(values: object = {}) {
  const [vet, clinic] = [await world.vet(), await clinicOf(values)]
  const { consultation } = await vet.call(recordPhoneConsultation, phoneCall(clinic.id))
  return { vet, clinic, id: consultation.id }
}
const smsTo = async (to: string) => {
  await world.runDue()
  return world.rows(smsMessages, { to })
}
/** The code in the latest SMS to one of a clinic's contacts. */
async function codeTo(clinic: Awaited<ReturnType<typeof clinicOf>>, place: number) {
  const sent = await smsTo(clinic.numbers[place]!)
  return /\/on-call\/(\w+)$/.exec(sent.at(-1)!.text)![1]!
}
/** The vet's next move, after what the vet sees now. */
const mover =
  (vet: Awaited<ReturnType<typeof world.vet>>, id: number) =>
  async (to: Input<typeof moveEscalation>['to']) =>
    vet.call(moveEscalation, { id, step: (await vet.call(getEscalation, { id })).step, to })
const answer = (code: string, answer: 'yes' | 'no') => world.nobody.call(answerContactCall, { code, answer })
const callOf = async (id: number) =>
  (await world.rows(escalationSteps, { consultationId: id, kind: 'called' }))[0]!.id
const kindsOf = async (id: number) =>
  (await admin.call(getEscalation, { id })).steps.map(({ kind, name }) => (name ? `${kind} ${name}` : kind))

it('a long name in an SMS is cut without a gap before the comma [CLI-5]', () => {
  const nothing = { caller: '', phone: '', problem: '', advice: '' }
  const who = {
    clinic: 'Parow',
    name: 'Dr A',
    vet_name: 'Dr B',
    pet: 'Sir Barksalot the Third of Parow',
    about: 'dog',
  }
  const sms = contactSms({ ...nothing, ...who, urgency: 'urgent', until: 'by 02:19', link: 'L' })
  expect(sms).toContain('Urgent: Sir Barksalot the Third, dog.')
})

it('a contact is told minutes when the time of day comes twice [CLI-5]', () => {
  const said = (region: 'za' | 'au', at: string) =>
    answerUntil(region, new Date(at), addMinutes(new Date(at), 5))
  // In Sydney 3:00 becomes 2:00 at 16:00 UTC.
  expect(said('au', '2027-04-03T15:58:00Z')).toBe('within 5 minutes')
  expect(said('au', '2027-04-03T15:10:00Z')).toBe('within 5 minutes')
  expect(said('au', '2027-04-03T14:50:00Z')).toBe('by 01:55')
  expect(said('au', '2027-04-03T16:58:00Z')).toBe('by 03:03')
  expect(said('au', '2026-10-03T15:58:00Z')).toBe('by 03:03')
  expect(said('za', '2027-04-03T15:58:00Z')).toBe('by 18:03')
})

it('the first contact gets the case by SMS and mail, once, however often it is recorded [CLI-5]', async () => {
  const [vet, clinic] = [await world.vet(), await clinicOf()]
  const sent = phoneCall(clinic.id)
  await Promise.all([1, 2, 3].map(() => vet.call(recordPhoneConsultation, sent)))
  const [message, ...others] = await smsTo(clinic.numbers[0]!)
  expect(others).toEqual([])
  expect(message!.text).toMatch(
    /^VetChat for Parow \d+\. Emergency: Whiskey, cat, male, 5 years\. Owner 083 555 0142\. Can you take it\? Answer by \d\d:\d\d: http:\/\/localhost\/on-call\/[0-9a-z]+$/,
  )
  expect(message!.text.length).toBeLessThan(306)
  const isPieter = clinic.names[0] === 'Dr Pieter Sample'
  const pieters = clinic.contact_mon.email!
  const mails = await world.mailsTo(isPieter ? pieters : clinic.email, 'contact call')
  expect(mails).toHaveLength(1)
  for (const said of ['Nokuthula Example, 083 555 0142', 'No urine since 22:00', 'Keep him quiet'])
    expect(mails[0]!.text).toContain(said)
  expect(await smsTo(clinic.numbers[1]!)).toEqual([])
})

it('once the clock is right, the call moves on from a contact who was called while it was a year ahead [CLI-5]', async () => {
  const { clinic, id } = await begun()
  const dueAt = addDays(world.now(), 365)
  await world.db.update(escalations).set({ dueAt }).where(eq(escalations.consultationId, id))
  await world.runDue()
  const [a, b] = clinic.names
  expect(await kindsOf(id)).toEqual([`called ${a}`, `missed ${a}`, `called ${b}`])
})

it('the call moves to the next contact after the clinic’s minutes, then to the vet, and records every time [CLI-5]', async () => {
  const { vet, clinic, id } = await begun({ escalation_minutes: 7 })
  const [a, b] = clinic.names
  const first = await vet.call(getEscalation, { id })
  expect(first).toMatchObject({
    state: 'calling',
    place: 0,
    minutes: 7,
    pet: 'Whiskey',
    about: 'cat, male, 5 years',
    contacts: [{ name: a }, { name: b }],
    in_portal: true,
  })
  expect(Date.parse(first.due_at!) - Date.parse(first.steps[0]!.at)).toBe(7 * MINUTE)
  await world.pass({ minutes: 6, seconds: 50 })
  expect(await kindsOf(id)).toEqual([`called ${a}`])
  await world.pass({ seconds: 10 })
  await world.runDue()
  expect(await kindsOf(id)).toEqual([`called ${a}`, `missed ${a}`, `called ${b}`])
  expect(await smsTo(clinic.numbers[1]!)).toHaveLength(1)
  await world.pass({ minutes: 7 })
  const last = await vet.call(getEscalation, { id })
  expect(last).toMatchObject({ state: 'yours', due_at: null })
  expect(last.steps.map(({ kind }) => kind)).toEqual(['called', 'missed', 'called', 'missed', 'nobody'])
  expect(last.steps.map(({ sms, mail }) => [sms, mail])).toEqual([
    ['sent', 'sent'],
    [null, null],
    ['sent', 'sent'],
    [null, null],
    [null, null],
  ])
  const logged = await world.db
    .select({ action: auditLog.action, details: auditLog.details })
    .from(auditLog)
    .where(and(eq(auditLog.subject, 'consultation'), eq(auditLog.subjectId, String(id))))
    .orderBy(asc(auditLog.id))
  expect(logged.map(({ action }) => action).filter((action) => !action.startsWith('recorded'))).toEqual([
    'called the contact',
    'contact did not answer',
    'called the contact',
    'contact did not answer',
    'nobody left to call',
  ])
  expect(logged.find(({ action }) => action === 'contact did not answer')!.details).toEqual({
    step: 2,
    contact: a,
  })
})

it('the vet is asked straight away if nobody can be called [CLI-5]', async () => {
  const vet = await world.vet()
  const clinic = await admin.call(addClinic, { clinic: `Closed ${++count}`, ...everyDay(AWAY) })
  const { consultation } = await vet.call(recordPhoneConsultation, phoneCall(clinic.id))
  expect(await vet.call(getEscalation, consultation)).toMatchObject({
    state: 'yours',
    contacts: [],
    in_portal: false,
    steps: [{ kind: 'nobody' }],
  })
  const { status } = await vet.send(moveEscalation, { id: consultation.id, step: 1, to: 'again' })
  expect(status).toBe(409)
})

it('no contact is called for a consult that waits or went to an emergency clinic [CLI-5]', async () => {
  const [vet, clinic] = [await world.vet(), await clinicOf()]
  const sent = { ...phoneCall(clinic.id), decision: 'hours' as const }
  const { consultation } = await vet.call(recordPhoneConsultation, sent)
  expect((await vet.send(getEscalation, consultation)).status).toBe(404)
  expect(await smsTo(clinic.numbers[0]!)).toEqual([])
})

it("the clinic is mailed if a contact has no email, and no SMS is sent to something that isn't a number [CLI-5]", async () => {
  const { vet, clinic, id } = await begun(everyDay(contactOf('Dr Note', 'ring the bell twice')))
  await world.runDue()
  expect((await vet.call(getEscalation, { id })).steps).toMatchObject([
    { name: 'Dr Note', contact: 'ring the bell twice', sms: null, mail: 'sent' },
  ])
  const letters = (await world.mailsTo(clinic.email)).map(({ template }) => template)
  expect(letters).toContain('contact call')
})

it('the limit of calls holds for a vet, however the contacts are called, and says what to do [CLI-5, SAF-5]', async () => {
  const { vet, clinic, id } = await begun()
  const move = mover(vet, id)
  for (let calls = 1; calls < LIMITS.contactsCalled.max; calls += 2) {
    await move('stop')
    await move('again')
    await vet.send(recordPhoneConsultation, phoneCall(clinic.id))
  }
  await move('stop')
  const says =
    'You’ve called contacts too many times in the last hour. Phone them yourself, or wait 60 minutes and try again.'
  await expect(move('again')).rejects.toThrow(says)
  await expect(vet.call(recordPhoneConsultation, phoneCall(clinic.id))).rejects.toThrow(says)
  expect(await smsTo(clinic.numbers[0]!)).toHaveLength(LIMITS.contactsCalled.max)
  // Everything else still works, and so do colleagues.
  await vet.call(recordPhoneConsultation, { ...phoneCall(clinic.id), decision: 'hours' })
  await (await world.vet()).call(recordPhoneConsultation, phoneCall(clinic.id))
  world.advance({ minutes: LIMITS.contactsCalled.minutes + 1 })
  admin = await world.admin()
  expect(await move('again')).toMatchObject({ state: 'calling' })
})

it('a contact’s link shows the case and changes nothing, however often it is opened [CLI-5]', async () => {
  const { clinic, id } = await begun()
  const code = await codeTo(clinic, 0)
  for (let times = 0; times < 3; times++)
    expect(await world.nobody.call(readContactCall, { code })).toMatchObject({
      standing: 'asked',
      name: clinic.names[0],
      clinic: clinic.clinic,
      next: clinic.names[1],
      taken: null,
      case: { pet: 'Whiskey', caller: 'Nokuthula Example', phone: '083 555 0142' },
    })
  expect(await kindsOf(id)).toEqual([`called ${clinic.names[0]}`])
  for (const method of ['GET', 'HEAD'] as const)
    expect(
      (await world.app.inject({ url: `/api/contact-call?code=${code}&answer=yes`, method })).statusCode,
    ).toBe(404)
  expect(await kindsOf(id)).toHaveLength(1)
})

it('a contact’s link takes the case with one press, and a doubled or later press changes nothing [CLI-5]', async () => {
  const { vet, clinic, id } = await begun()
  const code = await codeTo(clinic, 0)
  const answers = await Promise.all([1, 2, 3, 4].map(() => answer(code, 'yes')))
  expect(answers.map(({ standing }) => standing)).toEqual(['on it', 'on it', 'on it', 'on it'])
  await world.pass({ minutes: 30 })
  expect(await answer(code, 'yes')).toMatchObject({ standing: 'on it' })
  const [a] = clinic.names
  expect(await kindsOf(id)).toEqual([`called ${a}`, `acknowledged ${a}`])
  expect(await vet.call(getEscalation, { id })).toMatchObject({ state: 'taken', due_at: null })
  const [row] = await world.rows(consultations, { id })
  expect(row!.outcome).toBe(`Contact called: ${a} took the case`)
  expect(await smsTo(clinic.numbers[1]!)).toEqual([])
})

it('a contact’s link gives the case to the first of two contacts who press; the second reads who has it and no more of the case [CLI-5]', async () => {
  const { clinic, id } = await begun()
  const late = await codeTo(clinic, 0)
  await world.pass({ minutes: 5 })
  const both = [late, await codeTo(clinic, 1)]
  await Promise.all(both.map((code) => answer(code, 'yes')))
  const shown = await Promise.all(both.map((code) => world.nobody.call(readContactCall, { code })))
  expect(shown.map(({ standing }) => standing).toSorted()).toEqual(['on it', 'over'])
  const over = shown.find(({ standing }) => standing === 'over')!
  expect(over.case).toBe(null)
  const winner = shown.find(({ standing }) => standing === 'on it')!
  expect(over.taken!.name).toBe(winner.name)
  expect(JSON.stringify(over)).not.toMatch(/Whiskey|Nokuthula|0142/)
  expect((await kindsOf(id)).filter((kind) => kind.startsWith('ack'))).toHaveLength(1)
})

it('a contact’s link still works after the contact’s minutes, and at the latest for two hours [CLI-5]', async () => {
  const { clinic, id } = await begun()
  const code = await codeTo(clinic, 0)
  await world.pass({ minutes: 5 })
  await world.pass({ minutes: 5 })
  expect(await world.nobody.call(readContactCall, { code })).toMatchObject({
    standing: 'asked',
    until: null,
  })
  const early = await begun()
  const old = await codeTo(early.clinic, 0)
  expect(await answer(code, 'yes')).toMatchObject({ standing: 'on it' })
  expect((await admin.call(getEscalation, { id })).state).toBe('taken')
  await world.pass({ hours: 2 })
  expect(await answer(old, 'yes')).toMatchObject({ standing: 'over', case: null, taken: null })
  expect(await kindsOf(early.id)).not.toContain(`acknowledged ${early.clinic.names[0]}`)
})

it('a contact’s link lets a contact say no, which calls the next straight away, and still lets them take the case, once [CLI-5]', async () => {
  const { clinic, id } = await begun()
  const [a, b] = clinic.names
  const code = await codeTo(clinic, 0)
  expect(await answer(code, 'no')).toMatchObject({ standing: 'declined', next: b, until: null })
  expect(await answer(code, 'no')).toMatchObject({ standing: 'declined' })
  expect(await kindsOf(id)).toEqual([`called ${a}`, `declined ${a}`, `called ${b}`])
  expect(await answer(code, 'yes')).toMatchObject({ standing: 'on it' })
  expect(await answer(code, 'no')).toMatchObject({ standing: 'over' })
  expect(await answer(code, 'yes')).toMatchObject({ standing: 'over' })
  expect((await kindsOf(id)).slice(3)).toEqual([`acknowledged ${a}`, `released ${a}`, `called ${b}`])
})

it('a contact’s link can’t be guessed, changed or used for another call [CLI-5]', async () => {
  const { clinic, id } = await begun()
  const code = await codeTo(clinic, 0)
  const other = await codeTo((await begun()).clinic, 0)
  const wrong = [
    '',
    'x',
    `${code}0`,
    code.slice(1),
    code.slice(0, -24) + other.slice(-24),
    `zzzzzz${code.slice(-24)}`,
    'A'.repeat(61),
  ]
  for (const one of wrong)
    for (const definition of [readContactCall, answerContactCall]) {
      const { status } = await world.nobody.send(definition, { code: one, answer: 'yes' })
      expect([400, 404]).toContain(status)
    }
  expect(await kindsOf(id)).toHaveLength(1)
})

it('a contact’s link ends when the vet decides [CLI-5]', async () => {
  const { vet, clinic, id } = await begun()
  const code = await codeTo(clinic, 0)
  await vet.call(moveEscalation, { id, step: 1, to: 'emergency' })
  const over = await answer(code, 'yes')
  expect(over).toMatchObject({ standing: 'over', taken: null, case: null })
  expect(over.decided_at).not.toBe(null)
})

it('a clinic can’t be deleted before its case is settled, and then its links lead to no portal [CLI-5] [ADM-5]', async () => {
  const { vet, clinic, id } = await begun()
  const remove = () => admin.send(deleteClinic, { id: clinic.id })
  const code = await codeTo(clinic, 0)
  const refused = async () => {
    const { status, body } = await remove()
    expect([status, body.errors]).toEqual([
      409,
      [
        'The case of Whiskey isn’t settled yet: see Phone consults. A contact who has a case can give it back for two hours. Delete the clinic after that.',
      ],
    ])
    expect(await world.nobody.call(readContactCall, { code })).toMatchObject({ in_portal: true })
  }
  await refused()
  // The contact who has the case can give it back as long as their link works.
  await answer(code, 'yes')
  await refused()
  await answer(code, 'no')
  await refused()
  await mover(vet, id)('emergency')
  expect((await remove()).status).toBe(200)
  const over = { standing: 'over', in_portal: false, case: null }
  expect(await world.nobody.call(readContactCall, { code })).toMatchObject(over)
  expect(await vet.call(getEscalation, { id })).toMatchObject({ in_portal: false })
})

it('a clinic can be deleted two hours after a contact took its last case [CLI-5] [ADM-5]', async () => {
  const { clinic, id } = await begun()
  await answer(await codeTo(clinic, 0), 'yes')
  await world.change(escalationSteps, await callOf(id), { at: addHours(world.now(), -CONTACT_LINK_HOURS) })
  expect((await admin.send(deleteClinic, { id: clinic.id })).status).toBe(200)
})

it('a clinic is deleted or gets a case, not both [CLI-5] [ADM-5]', async () => {
  const vet = await world.vet()
  for (let round = 0; round < 6; round++) {
    const clinic = await clinicOf()
    const [recorded, removed] = await Promise.all([
      vet.send(recordPhoneConsultation, phoneCall(clinic.id)),
      admin.send(deleteClinic, { id: clinic.id }),
    ])
    expect([
      [200, 409],
      [404, 200],
    ]).toContainEqual([recorded.status, removed.status])
  }
})

it('the vet calls the contacts whom the clinic names by then, and the earlier links still take the case [CLI-5]', async () => {
  const { vet, clinic, id } = await begun()
  const [a] = clinic.names
  const old = await codeTo(clinic, 0)
  const move = mover(vet, id)
  const same = await move('stop')
  expect(same.again).toEqual(same.contacts)
  expect((await admin.call(findPerson, { email: vet.email })).open_calls).toBe(1)
  const right = contactOf(a!, number())
  await admin.call(saveClinic, { id: clinic.id, ...everyDay(right) })
  const changed = await vet.call(getEscalation, { id })
  expect(changed.again).toMatchObject([{ name: a }])
  expect(changed.contacts).toHaveLength(2)
  await move('again')
  expect(await smsTo(right.contact)).toHaveLength(1)
  expect(await smsTo(clinic.numbers[0]!)).toHaveLength(1)
  await move('stop')
  await move('again')
  expect(await smsTo(right.contact)).toHaveLength(2)
  expect((await vet.call(getEscalation, { id })).contacts).toHaveLength(3)
  expect(await answer(old, 'yes')).toMatchObject({ standing: 'on it' })
})

it('the vet calls both again in another order, and an earlier link answers for its contact’s turn [CLI-5]', async () => {
  const { vet, clinic, id } = await begun()
  const [a, b] = clinic.names
  const old = await codeTo(clinic, 0)
  const move = mover(vet, id)
  await move('stop')
  const { contact_mon, contact_tue } = clinic
  const swapped = { ...everyDay(contact_mon), contact_mon: contact_tue, contact_wed: contact_tue }
  await admin.call(saveClinic, {
    id: clinic.id,
    ...swapped,
    contact_fri: contact_tue,
    contact_sun: contact_tue,
  })
  expect((await move('again')).contacts.map(({ name }) => name)).toEqual([a, b, b, a])
  await move('next')
  expect(await answer(old, 'no')).toMatchObject({ standing: 'declined' })
  expect((await kindsOf(id)).slice(-3)).toEqual([`called ${a}`, `declined ${a}`, 'nobody'])
  expect(await answer(old, 'yes')).toMatchObject({ standing: 'on it' })
})

it('the vet can call somebody once a clinic without a contact has one [CLI-5]', async () => {
  const { vet, clinic, id } = await begun(everyDay(AWAY))
  const late = contactOf('Dr Late', number())
  await admin.call(saveClinic, { id: clinic.id, ...everyDay(late) })
  expect((await vet.call(getEscalation, { id })).again).toMatchObject([{ name: 'Dr Late' }])
  await mover(vet, id)('again')
  expect(await kindsOf(id)).toEqual(['nobody', 'called Dr Late'])
  expect(await smsTo(late.contact)).toHaveLength(1)
})

it('the vet calls the next contact sooner, stops, calls again and decides, each stored with who and when [CLI-5]', async () => {
  const { vet, clinic, id } = await begun()
  const [a, b] = clinic.names
  const says = `Dr Thandi ${vet.lastName}`
  const move = mover(vet, id)
  expect(await move('next')).toMatchObject({ state: 'calling', place: 1 })
  expect(await move('stop')).toMatchObject({ state: 'yours' })
  expect(await move('again')).toMatchObject({ state: 'calling', place: 0 })
  expect(await move('hours')).toMatchObject({ state: 'decided', due_at: null })
  const { steps } = await vet.call(getEscalation, { id })
  expect(steps.map(({ kind, name, by }) => [kind, name, by])).toEqual([
    ['called', a, says],
    ['called', b, says],
    ['stopped', null, says],
    ['called', a, says],
    ['hours', null, says],
  ])
  expect(await smsTo(clinic.numbers[0]!)).toHaveLength(2)
  await world.pass({ hours: 3 })
  expect(await kindsOf(id)).toHaveLength(5)
  const [row] = await world.rows(consultations, { id })
  expect(row!.outcome).toBe('Contact called. Wait for opening hours')
})

it('the vet learns when something else happened first, and of two vets one decides [CLI-5]', async () => {
  const { vet, clinic, id } = await begun()
  const seen = (await vet.call(getEscalation, { id })).step
  await answer(await codeTo(clinic, 0), 'yes')
  const { status, body } = await vet.send(moveEscalation, { id, step: seen, to: 'stop' })
  expect([status, body.errors]).toEqual([
    409,
    ['Something else happened first. Read the steps again before you decide.'],
  ])
  const other = await begun()
  const sent = { id: other.id, step: 1, to: 'stop' as const }
  const both = await Promise.all([vet.send(moveEscalation, sent), admin.send(moveEscalation, sent)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  for (const step of [-1, 'x', null])
    expect((await vet.send(moveEscalation, { ...sent, step })).status).toBe(400)
})

it('the vet sees what waits for a vet of that region first, and what was settled in the last hours [CLI-5]', async () => {
  const { vet, clinic, id } = await begun()
  const waits = await begun()
  await waits.vet.call(moveEscalation, { id: waits.id, step: 1, to: 'stop' })
  const ids = async (who = vet) => (await who.call(listEscalations, {})).map((one) => one.id)
  const listed = await vet.call(listEscalations, {})
  expect(listed.findIndex((one) => one.id === waits.id)).toBeLessThan(
    listed.findIndex((one) => one.id === id),
  )
  expect(listed.find((one) => one.id === id)).toMatchObject({
    pet: 'Whiskey',
    state: 'calling',
    contact: clinic.names[0],
    urgency: 'emergency',
  })
  await world.change(consultations, id, { region: 'au' })
  expect(await ids()).not.toContain(id)
  expect((await admin.call(listEscalations, {})).map((one) => one.id)).toContain(id)
  await waits.vet.call(moveEscalation, { id: waits.id, step: 2, to: 'hours' })
  expect(await ids()).toContain(waits.id)
  world.advance({ hours: 13 })
  admin = await world.admin()
  expect(await ids(await world.vet())).not.toContain(waits.id)
})

it('a case that nobody answered is decided by another vet once its own is off duty [CLI-5] [VET-7]', async () => {
  const { vet, id } = await begun()
  const colleague = await world.vet()
  await vet.call(setDuty, { on: true })
  await vet.call(moveEscalation, { id, step: 1, to: 'stop' })
  const decides = async (who: Pick<typeof vet, 'call'>) =>
    (await who.call(listEscalations, {})).find((one) => one.id === id)?.decides
  expect([await decides(vet), await decides(colleague), await decides(admin)]).toEqual([true, false, false])
  await colleague.call(setDuty, { on: true })
  await vet.call(setDuty, { on: false })
  expect([await decides(vet), await decides(colleague), await decides(admin)]).toEqual([true, true, false])
})

it('the last vet stays on duty until somebody has every case [CLI-5] [VET-7]', async () => {
  await world.db.update(users).set({ onDutySince: null })
  await world.db.update(escalations).set({ state: 'decided', dueAt: null })
  const { clinic } = await begun()
  const last = await world.vet()
  await last.call(setDuty, { on: true })
  const { code, errors } = (await last.send(setDuty, { on: false })).body
  expect([code, errors![0]]).toEqual([
    'DUTY_CLINIC_WAITS',
    expect.stringContaining(`nobody has taken Whiskey (${clinic.clinic}) yet`),
  ])
  await answer(await codeTo(clinic, 0), 'yes')
  expect(await last.call(setDuty, { on: false })).toEqual({ since: null })
})

it('a vet neither sees nor moves a case of another region [CLI-5]', async () => {
  const { vet, id } = await begun()
  await world.change(consultations, id, { region: 'au' })
  expect((await vet.send(getEscalation, { id })).status).toBe(404)
  expect((await vet.send(moveEscalation, { id, step: 1, to: 'stop' })).status).toBe(404)
  expect((await admin.call(getEscalation, { id })).state).toBe('calling')
})

it('a vet reads what is open or was settled recently, and anything older only with a reason [SAF-8]', async () => {
  const { vet, id } = await begun()
  const other = await world.vet()
  await vet.call(moveEscalation, { id, step: 1, to: 'hours' })
  expect((await other.call(getEscalation, { id })).advice).toBe('Keep him quiet')
  world.advance({ hours: 13 })
  admin = await world.admin()
  for (const who of [await world.vet(), admin]) {
    const refused = await who.send(getEscalation, { id })
    expect([refused.status, refused.body.code]).toEqual([403, 'CONSULT_SAY_WHY'])
    expect(refused.text).not.toMatch(/Whiskey|0142|quiet/)
    await who.call(getConsultation, { id, why: 'The clinic rang back about him' })
    expect((await who.call(getEscalation, { id })).pet).toBe('Whiskey')
  }
})

it('the clinic reads every step in its portal, and no step of another clinic; the vet reads that it confirmed [CLI-5] [CLI-2]', async () => {
  const [theirs, other] = [await world.clinic(), await world.clinic()]
  const vet = await world.vet()
  const { consultation } = await vet.call(recordPhoneConsultation, phoneCall(theirs.id))
  const listed = async () =>
    (await theirs.call(listClinicConsultations, {})).find(({ id }) => id === consultation.id)!
  expect((await listed()).steps).toMatchObject([{ kind: 'called', name: 'Dr Test' }])
  const before = await theirs.send(listClinicConsultations, {})
  await world.pass({ minutes: 5 })
  const etag = { 'if-none-match': String(before.headers['etag']) }
  const after = await theirs.send(listClinicConsultations, {}, etag)
  expect(after.status).toBe(200)
  expect((await listed()).steps.map(({ kind }) => kind)).toEqual(['called', 'missed', 'nobody'])
  expect(await other.call(listClinicConsultations, {})).toEqual([])
  const acceptedAt = async () => (await vet.call(getEscalation, { id: consultation.id })).accepted_at
  expect(await acceptedAt()).toBeNull()
  await theirs.call(acceptConsultation, { id: consultation.id })
  expect(await acceptedAt()).toEqual(expect.any(String))
  expect((await theirs.call(countDeferred, {})).answers).toEqual({
    called: 1,
    answered: 0,
    median_minutes: null,
  })
  for (const definition of [listEscalations, getEscalation, moveEscalation])
    expect((await theirs.send(definition, { id: consultation.id, step: 1, to: 'stop' })).status).toBe(401)
})

it('a clinic reads one row for each step, in order, whatever happens at the same moment [CLI-5]', async () => {
  const { vet, clinic, id } = await begun()
  const code = await codeTo(clinic, 0)
  world.advance({ minutes: 5 })
  await Promise.all([
    world.runDue(),
    world.runDue(),
    answer(code, 'no'),
    answer(code, 'yes'),
    vet.send(moveEscalation, { id, step: 1, to: 'stop' }),
  ])
  const rows = await world.db
    .select()
    .from(escalationSteps)
    .where(eq(escalationSteps.consultationId, id))
    .orderBy(asc(escalationSteps.step))
  expect(rows.map(({ step }) => step)).toEqual(rows.map((_, at) => at + 1))
  expect((await vet.call(getEscalation, { id })).step).toBe(rows.length)
  for (const place of [0, 1]) {
    const told = rows.filter((row) => row.kind === 'called' && row.place === place).length
    expect(await smsTo(clinic.numbers[place]!)).toHaveLength(told)
  }
})
