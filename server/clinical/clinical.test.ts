import { expect, it } from 'vitest'
import { readMessages, sendMessageByCall } from '#contract/chat.ts'
import {
  addToNote,
  endConsultation,
  getRecord,
  listReplies,
  saveNote,
  sendSummary,
  removeReply,
  saveReply,
} from '#contract/clinical.ts'
import { getConsultation, listAccess, listConsultations } from '#contract/consultations.ts'
import { LIMITS } from '#contract/limits.ts'
import { handOverConsultation, setDuty, takeConsultation } from '#contract/queue.ts'
import { cannedReplies, consultations, pets, users } from '#server/db/schema.ts'
import { NOTE, sign } from '#test/advice.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

async function ended(values: object = {}) {
  const one = await world.taken(values)
  return { ...one, ...(await sign(one.vet, one.id)) }
}

it('the record has the pet, the owner, earlier consults and the note [CON-6]', async () => {
  const before = await ended()
  const { owner, vet } = before
  await world.change(users, owner.id, { userClinic: 'Two Oaks' })
  const { id } = await world.consultOf(owner)
  await world.change(pets, owner.pet.id, { putAwayAt: world.now(), putAwayWhy: 'moved' })
  const record = await vet.call(getRecord, { id })
  expect(record).toMatchObject({
    pet: { id: owner.pet.id, name: 'Biscuit' },
    owner: {
      name: `Thandi ${owner.lastName}`,
      mobile: owner.mobile,
      own_clinic: 'Two Oaks',
      is_member: true,
    },
    earlier: [{ id: before.id, summary: NOTE.summary, outcome: 'Home care' }],
    note: { version: 0, history: '', outcome: null, saved_at: null, signed_at: null, additions: [] },
  })
  expect((await vet.send(getRecord, { id: 2_000_000_000 })).status).toBe(404)
})

it('the record of a consult that another vet closed opens only with a reason, which its owner sees once [CON-6]', async () => {
  const { owner, vet, id } = await ended()
  const other = await world.vet()
  const read = () => other.send(readMessages, { consultation: id })
  expect(await other.refusal(getRecord, { id })).toBe('CONSULT_SAY_WHY')
  expect((await read()).body.code).toBe('CONSULT_SAY_WHY')
  for (let again = 0; again < 2; again++) await other.call(getRecord, { id, why: 'She asks again' })
  await other.call(getConsultation, { id, why: 'She asks again' })
  expect((await read()).status).toBe(200)
  const access = await owner.call(listAccess, { id })
  const by = (person: { lastName: string }) => `Dr Thandi ${person.lastName}`
  expect(access.map(({ name, action, reason }) => [name, action, reason])).toEqual([
    [by(other), 'opened', 'She asks again'],
    [by(other), 'read the record', 'She asks again'],
    [by(vet), 'ended', ''],
    [by(vet), 'took', ''],
  ])
  expect((await (await world.member()).send(listAccess, { id })).status).toBe(404)
})

it('the record of a phone consultation has its caller and no pet [CON-6]', async () => {
  const [clinic, vet] = [await world.clinic(), await world.vet()]
  const row = await world.add(consultations, {
    type: 3,
    region: 'za',
    petIssue: 'Swollen cheek',
    start: world.now(),
    clinicId: clinic.id,
    caller: { name: 'Marius', phone: '083', email: 'm@example.com', pet: 'Luna', speciesId: 2 },
  })
  expect(await vet.call(getRecord, { id: row.id })).toMatchObject({
    pet: null,
    owner: { name: 'Marius', mobile: '083', is_member: false },
    earlier: [],
  })
})

it('the note is saved while the vet types, one version after another [CON-6]', async () => {
  const { vet, id } = await world.taken()
  const first = await vet.call(saveNote, { id, version: 0, history: 'Ate' })
  const second = await vet.call(saveNote, { id, version: first.version, ...NOTE })
  expect(second.version).toBe(first.version + 1)
  expect((await vet.call(getRecord, { id })).note).toMatchObject({ ...NOTE, version: second.version })
})

it("the note can't be overwritten by another window, and saving it again changes nothing [CON-6]", async () => {
  const { vet, id } = await world.taken()
  const { version } = await vet.call(saveNote, { id, version: 0, history: 'One window' })
  expect(await vet.call(saveNote, { id, version: 0, history: 'One window' })).toMatchObject({ version })
  expect(await vet.refusal(saveNote, { id, version: 0, history: 'The other' })).toBe('NOTE_CHANGED_ELSEWHERE')
  expect((await vet.call(getRecord, { id })).note.history).toBe('One window')
})

it('the note is written by the vet who has the case and moves with it [CON-6]', async () => {
  const { vet, id } = await world.taken()
  const next = await world.vet()
  await next.call(setDuty, { on: true })
  const { version } = await vet.call(saveNote, { id, version: 0, ...NOTE })
  const write = { id, version, ...NOTE, history: 'Mine' }
  expect(await next.refusal(saveNote, write)).toBe('CONSULT_NOT_YOURS_TO_ANSWER')
  await vet.call(handOverConsultation, { id, vet_id: next.id, note: 'Pale gums' })
  expect(await vet.refusal(saveNote, write)).toBe('CONSULT_NOT_YOURS_TO_ANSWER')
  await next.call(saveNote, write)
  expect((await next.call(getRecord, { id })).note).toMatchObject({
    history: 'Mine',
    additions: [{ kind: 'hand_over', by: `Dr Thandi ${vet.lastName}`, body: 'Pale gums' }],
  })
})

it('the note is locked once signed; its vet can add to it [CON-6]', async () => {
  const { vet, id, version } = await ended()
  expect(await vet.refusal(saveNote, { id, version, ...NOTE, plan: 'x' })).toBe('NOTE_SIGNED')
  const note = await vet.call(addToNote, { id, body: 'Owner called: four, not three' })
  expect(note).toMatchObject({
    ...NOTE,
    signed_by: `Dr Thandi ${vet.lastName}`,
    additions: [{ kind: 'addition', body: 'Owner called: four, not three' }],
  })
  const other = await world.vet()
  expect(await other.refusal(addToNote, { id, body: 'x' })).toBe('CONSULT_NOT_YOURS_TO_ANSWER')
  const open = await world.taken()
  expect(await open.vet.refusal(addToNote, { id: open.id, body: 'x' })).toBe('NOTE_NOT_SIGNED')
})

it("the end is signed even if the owner gave a message the name that VetChat's own would have [CON-6, CON-2]", async () => {
  const { owner, vet, id } = await world.taken()
  for (let seq = 10; seq < 25; seq++)
    await owner.send(sendMessageByCall, { consultation: id, client_id: `vetchat-${seq}`, body: 'Mine' })
  const { version } = await vet.call(saveNote, { id, version: 0, ...NOTE })
  expect((await vet.send(endConsultation, { id, version })).status).toBe(200)
  const { messages } = await owner.call(readMessages, { consultation: id })
  expect(messages.at(-1)).toMatchObject({
    user_id: null,
    body: expect.stringContaining('ended the consult'),
  })
  const names = messages.filter(({ user_id }) => user_id === null).map(({ client_id }) => client_id)
  for (const client_id of names)
    expect((await owner.send(sendMessageByCall, { consultation: id, client_id, body: 'Mine' })).status).toBe(
      400,
    )
})

it('the end refuses a version beyond the highest number [CON-6, API-3]', async () => {
  const { vet, id } = await world.taken()
  for (const version of [-1, 0.5, 2 ** 31, 2 ** 40])
    expect((await vet.send(saveNote, { id, version, ...NOTE })).status, String(version)).toBe(400)
})

it('the end needs an outcome and advice for the owner, in the version that the vet sees [CON-6]', async () => {
  const { vet, id } = await world.taken()
  const end = async (version: number) => (await vet.send(endConsultation, { id, version })).body
  expect((await end(0)).errors).toEqual([
    'The note isn’t complete yet. Still missing: the summary for the owner, the outcome.',
  ])
  const { version } = await vet.call(saveNote, { id, version: 0, ...NOTE, summary: '' })
  expect((await end(version)).errors).toEqual([
    'The note isn’t complete yet. Still missing: the summary for the owner.',
  ])
  const whole = await vet.call(saveNote, { id, version, ...NOTE })
  expect((await end(version)).code).toBe('NOTE_CHANGED_ELSEWHERE')
  expect(await (await world.vet()).refusal(endConsultation, { id, version: whole.version })).toBe(
    'CONSULT_NOT_YOURS_TO_ANSWER',
  )
  await end(whole.version)
  expect((await vet.call(getConsultation, { id })).consultation.end).not.toBeNull()
})

it('the end gives the owner the advice, in the room, the history and by mail, once [CON-6, CON-7]', async () => {
  const { owner, vet, id, version, emailed } = await ended()
  expect(emailed).toEqual([owner.email])
  expect(await vet.call(endConsultation, { id, version })).toEqual({ emailed })
  const { consultation } = await owner.call(getConsultation, { id })
  const { summary, plan, watch_for, go_if } = NOTE
  const advice = { summary, plan, watch_for, go_if }
  expect(consultation).toMatchObject({ advice, outcome: 'Home care', follow_up_until: expect.any(String) })
  const [listed] = (await owner.call(listConsultations, {})).consultations
  expect(listed).toMatchObject({ id, summary: NOTE.summary, outcome: 'Home care' })
  const { messages } = await owner.call(readMessages, { consultation: id })
  expect(messages.map(({ body }) => body)).toEqual([
    `Dr Thandi ${vet.lastName} joined`,
    `Dr Thandi ${vet.lastName} ended the consult. What to do next is in the plan.`,
  ])
  const letters = await world.mailsTo(owner.email)
  expect(letters).toHaveLength(1)
  for (const words of [...Object.values(advice), `/text-chat/${id}`])
    expect(letters[0]!.text).toContain(words)
})

it('the end goes to a clinic by mail only if the owner chose it and agreed [CON-7]', async () => {
  const clinic = await world.clinic()
  const unshared = await ended({ clinicId: clinic.id })
  expect(unshared.emailed).toEqual([unshared.owner.email])
  expect(await world.mailsTo(clinic.email)).toEqual([])
  const shared = await ended({ clinicId: clinic.id, clinicSharedAt: world.now() })
  expect(shared.emailed).toEqual([shared.owner.email, clinic.email])
  const [letter] = await world.mailsTo(clinic.email)
  expect(letter!.text).toContain(NOTE.summary)
  expect((await world.mailsTo(shared.owner.email))[0]!.text).toContain(clinic.clinic)
  const { portalDetail } = (await shared.owner.call(getConsultation, { id: shared.id })).consultation
  expect(portalDetail.clinic_notified_at).not.toBeNull()
})

it("the end of a guest's consult is mailed with a signed link [CON-7, CON-9]", async () => {
  const [guest, vet] = [await world.guest(), await world.vet()]
  const { id } = guest.consultation
  await vet.call(takeConsultation, { id })
  await sign(vet, id)
  const [letter] = await world.mailsTo(guest.user.email)
  expect(letter!.text).toContain(NOTE.plan)
  expect(letter!.text).not.toContain('/text-chat/')
  expect(letter!.text).toContain(`/userVideo/${guest.user.publicId}/${id}?expires=`)
})

it('the end can be followed by new advice; what was signed stays [CON-7]', async () => {
  const { owner, vet, id } = await ended()
  const send = { consultationId: id, summary: 'It was five grapes.', goIf: 'She vomits twice' }
  expect(await vet.call(sendSummary, send)).toEqual({ emailed: [owner.email] })
  expect((await owner.call(getConsultation, { id })).consultation.advice).toMatchObject({
    summary: send.summary,
    plan: NOTE.plan,
    go_if: send.goIf,
  })
  expect((await vet.call(getRecord, { id })).note.summary).toBe(NOTE.summary)
  expect(await world.mailsTo(owner.email)).toHaveLength(2)
  expect((await (await world.admin()).send(sendSummary, send)).status).toBe(200)
  expect(await (await world.vet()).refusal(sendSummary, send)).toBe('CONSULT_NOT_YOURS_TO_ANSWER')
  const empty = await vet.send(sendSummary, { consultationId: id, summary: ' ' })
  expect(empty.body.errors).toEqual(['Please write what the owner should know.'])
})

it('the end can’t be followed by so much advice that it fills a mailbox [SAF-3]', async () => {
  const { owner, vet, id } = await ended()
  const send = { consultationId: id, summary: 'It was five grapes.' }
  for (let n = 0; n < LIMITS.adviceSent.max; n++) await vet.call(sendSummary, send)
  expect((await vet.send(sendSummary, send)).status).toBe(429)
  expect(await world.mailsTo(owner.email)).toHaveLength(1 + LIMITS.adviceSent.max)
  world.advance({ minutes: LIMITS.adviceSent.minutes + 1 })
  await vet.call(sendSummary, send)
})

it('vets have replies to choose from [CON-6]', async () => {
  await world.add(cannedReplies, { title: 'Gums', body: 'Please lift the lip.' })
  expect(await (await world.vet()).call(listReplies, {})).toEqual([
    { id: expect.any(Number), title: 'Gums', body: 'Please lift the lip.', own: false },
  ])
})

it("a vet's own replies come before the shared ones, and nobody else sees them [CON-16]", async () => {
  const [vet, other] = [await world.vet(), await world.vet()]
  const shared = (await vet.call(listReplies, {})).filter(({ own }) => !own)
  const saved = await vet.call(saveReply, { title: 'Gums', body: 'Please lift {his} lip.' })
  expect(saved).toEqual([
    { id: expect.any(Number), title: 'Gums', body: 'Please lift {his} lip.', own: true },
    ...shared,
  ])
  const { id } = saved[0]!
  await vet.call(saveReply, { id, title: 'Gums', body: 'Lift {his} lip, {owner}.' })
  expect((await vet.call(listReplies, {}))[0]).toMatchObject({ id, body: 'Lift {his} lip, {owner}.' })
  expect(await other.call(listReplies, {})).toEqual(shared)
  expect((await other.send(saveReply, { id, title: 'Mine', body: 'Now' })).status).toBe(404)
  expect(await other.call(removeReply, { id })).toEqual(shared)
  expect(await vet.call(removeReply, { id })).toEqual(shared)
  expect(await vet.call(removeReply, { id })).toEqual(shared)
  expect((await vet.send(saveReply, { id, title: 'Gums', body: 'x' })).body.errors).toEqual([
    'You deleted this reply in another window. Copy what you wrote into a new one.',
  ])
  expect((await vet.send(saveReply, { title: ' ', body: 'x' })).status).toBe(400)
})
