import { expect, it } from 'vitest'
import { FOLLOW_UP_HOURS, readMessages, sendMessageByCall } from '#contract/chat.ts'
import { getConsultation, listAccess } from '#contract/consultations.ts'
import { FOLLOW_UP_MINUTES, listFollowUps, settleFollowUp, takeConsultation } from '#contract/queue.ts'
import { addDays, addMinutes } from '#contract/time.ts'
import { consultations, users } from '#server/db/schema.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

const duty = (id: number, on: boolean) =>
  world.change(users, id, { onDutySince: on ? world.now() : null, lastSeenAt: world.now() })

let count = 0
const says = (body: string, consultation: number) => ({
  consultation,
  client_id: `follow-up-${++count}`,
  body,
})

/** A consult that a vet on duty ended, and its owner. */
async function ended(minutesAgo = 60) {
  const [owner, vet] = [await world.member(), await world.vet()]
  const past = (minutes: number) => addMinutes(world.now(), -minutes)
  const { id } = await world.consultOf(owner, {
    vetId: vet.id,
    start: past(minutesAgo + 30),
    vetStart: past(minutesAgo + 25),
    end: past(minutesAgo),
    outcome: 'Home care',
  })
  await duty(vet.id, true)
  return { owner, vet, id }
}
type Ended = Awaited<ReturnType<typeof ended>>

const asks = ({ owner, id }: Ended, body = 'Can she eat now?') =>
  owner.call(sendMessageByCall, says(body, id))
const listed = async (vet: Ended['vet'], id: number) =>
  (await vet.call(listFollowUps, {})).find(({ consultation }) => consultation.id === id)
const questionOf = async ({ owner, id }: Pick<Ended, 'owner' | 'id'>) =>
  (await owner.call(getConsultation, { id })).consultation.asked_again

it('a question after the end goes to the vet who ended it, and the owner sees who has it [CON-12]', async () => {
  const one = await ended()
  expect(await questionOf(one)).toBeNull()
  await asks(one)
  expect(await listed(one.vet, one.id)).toMatchObject({ vet_id: one.vet.id })
  expect(await questionOf(one)).toMatchObject({
    vet_id: one.vet.id,
    vet_name: `Dr Thandi ${one.vet.lastName}`,
    nobody: false,
  })
  const colleague = await world.vet()
  expect(await colleague.refusal(takeConsultation, { id: one.id })).toBe('CONSULT_TAKEN')
  await one.vet.call(sendMessageByCall, says('Yes, a little.', one.id))
  expect(await questionOf(one)).toBeNull()
  expect(await listed(one.vet, one.id)).toBeUndefined()
  expect(await world.mailsTo(one.vet.email)).toEqual([])
})

it('an emergency after the end is every vet’s at once and comes first, until a vet takes it; its owner reads what to do [CON-12, TRI-3]', async () => {
  const before = await ended(90)
  await asks(before)
  const one = await ended()
  await asks(one, 'Thank you doctor')
  expect(await questionOf(one)).toMatchObject({ vet_id: one.vet.id, flag: null })
  await asks(one, 'He has collapsed and he cannot breathe')
  expect(await questionOf(one)).toMatchObject({
    vet_id: null,
    nobody: false,
    flag: { level: 'emergency', told: expect.stringContaining('breathe'), advice: expect.any(Array) },
  })
  const colleague = await world.vet()
  await duty(colleague.id, true)
  const [first, ...others] = await colleague.call(listFollowUps, {})
  expect(first).toMatchObject({ consultation: { id: one.id, urgency: { level: 'emergency' } }, vet_id: null })
  expect(others.map(({ consultation: { urgency } }) => urgency!.level)).not.toContain('emergency')
  await colleague.call(takeConsultation, { id: one.id })
  expect(await listed(colleague, one.id)).toMatchObject({ vet_id: colleague.id })
  const third = await world.vet()
  expect(await third.refusal(takeConsultation, { id: one.id })).toBe('CONSULT_TAKEN')
  await colleague.call(sendMessageByCall, says('Go to a clinic now.', one.id))
  await asks(one, 'Is there one near us?')
  expect(await questionOf(one)).toMatchObject({ vet_id: colleague.id, flag: null })
})

it('the answer is mailed word for word, with all its messages in one mail [CON-12]', async () => {
  const one = await ended()
  await asks(one)
  await one.vet.call(sendMessageByCall, says('Yes, a little rice.', one.id))
  world.advance({ seconds: 20 })
  await one.vet.call(sendMessageByCall, says('And fresh water.', one.id))
  world.advance({ minutes: 2 })
  await duty(one.vet.id, true)
  const mails = (await world.mailsTo(one.owner.email)).filter(({ subject }) => subject.includes('answered'))
  expect(mails.map(({ subject }) => subject)).toEqual([
    `Dr Thandi ${one.vet.lastName} answered your question about Biscuit`,
  ])
  expect(mails[0]!.text).toContain('Yes, a little rice.')
  expect(mails[0]!.text).toContain('And fresh water.')
})

it('a question is open to every vet after a while, or once its vet is off duty, who then gets a mail [CON-12]', async () => {
  const [slow, gone] = [await ended(), await ended()]
  await duty(gone.vet.id, false)
  await asks(slow)
  await asks(gone, 'Is that normal?')
  const [colleague, other] = [await world.vet(), await world.vet()]
  expect(await listed(colleague, slow.id)).toMatchObject({ vet_id: slow.vet.id })
  expect(await listed(colleague, gone.id)).toMatchObject({
    vet_id: null,
    consultation: { ended_by_another: true, pet_issue: '' },
  })
  expect((await world.mailsTo(gone.vet.email)).map(({ subject }) => subject)).toEqual([
    'A follow-up question about Biscuit',
  ])
  world.advance({ minutes: FOLLOW_UP_MINUTES })
  await duty(slow.vet.id, true)
  expect(await listed(colleague, slow.id)).toMatchObject({ vet_id: null })

  // A colleague may read it without giving a reason, takes it and answers. One of two gets it.
  expect((await colleague.call(getConsultation, { id: slow.id })).consultation.id).toBe(slow.id)
  await colleague.call(takeConsultation, { id: slow.id })
  expect(await other.refusal(takeConsultation, { id: slow.id })).toBe('CONSULT_TAKEN')
  expect(await questionOf(slow)).toMatchObject({ vet_name: `Dr Thandi ${colleague.lastName}` })
  await colleague.call(sendMessageByCall, says('Yes, she can.', slow.id))
  const { messages } = await slow.owner.call(readMessages, { consultation: slow.id })
  expect(messages.at(-1)).toMatchObject({ user_id: colleague.id, body: 'Yes, she can.' })
  expect((await slow.owner.call(listAccess, { id: slow.id })).map(({ action }) => action)).toEqual([
    'took the question',
    'opened',
  ])
  expect(await other.refusal(sendMessageByCall, says('Me too', slow.id))).toBe('CONSULT_NOT_YOURS_TO_ANSWER')
})

it('an unanswered question outlives the days for questions, and a thank you can be put aside [CON-12]', async () => {
  const [late, thanks] = [await ended(FOLLOW_UP_HOURS * 60 - 5), await ended()]
  await asks(late)
  await asks(thanks, 'Thank you so much')
  const stranger = await world.vet()
  expect((await stranger.send(settleFollowUp, { id: thanks.id })).status).toBe(404)
  await thanks.vet.call(settleFollowUp, { id: thanks.id })
  expect(await questionOf(thanks)).toBeNull()
  world.advance({ minutes: 10 })
  expect(await late.owner.refusal(sendMessageByCall, says('And now?', late.id))).toBe('CONSULT_ENDED')
  await late.vet.call(sendMessageByCall, says('Sorry for the wait.', late.id))
  expect(await questionOf(late)).toBeNull()
})

it('a vet off duty gets the question by mail though its time was set while the clock was a year ahead [CON-12]', async () => {
  const one = await ended()
  await duty(one.vet.id, false)
  await asks(one)
  await world.change(consultations, one.id, { questionMailDueAt: addDays(world.now(), 365) })
  expect(await world.mailsTo(one.vet.email)).toHaveLength(1)
})

it('answers to two questions within a minute are all mailed [CON-12]', async () => {
  const one = await ended()
  await asks(one)
  await one.vet.call(sendMessageByCall, says('First answer.', one.id))
  world.advance({ seconds: 20 })
  await asks(one, 'And water?')
  world.advance({ seconds: 10 })
  await one.vet.call(sendMessageByCall, says('Second answer.', one.id))
  world.advance({ minutes: 3 })
  await duty(one.vet.id, true)
  const mails = (await world.mailsTo(one.owner.email)).filter(({ subject }) => subject.includes('answered'))
  const all = mails.map(({ text }) => text).join('\n')
  expect([all.includes('First answer.'), all.includes('Second answer.')]).toEqual([true, true])
})

it('an owner who reads who opened the consult sees an admin without a name as “An admin” [SAF-8]', async () => {
  const one = await ended()
  const admin = await world.admin()
  await world.change(users, admin.id, { firstName: '', lastName: '' })
  await admin.call(getConsultation, { id: one.id, why: 'A complaint' })
  expect((await one.owner.call(listAccess, { id: one.id })).map(({ name }) => name)).toEqual(['An admin'])
})
