import { expect, it } from 'vitest'
import { readMessages } from '#contract/chat.ts'
import {
  mailWhenTaken,
  cancelConsultation,
  getConsultation,
  PROMISED_MINUTES,
  rateConsultation,
} from '#contract/consultations.ts'
import { handBackConsultation, takeConsultation } from '#contract/queue.ts'
import { addDays } from '#contract/time.ts'
import { consultations, pets, users } from '#server/db/schema.ts'
import { createWorld, type TestWorld } from '#test/world.ts'

const world = await createWorld()

/** A consult that a vet has just ended. Its owner signs in again after the days that pass. */
async function ended() {
  const { owner, id } = await world.waiting()
  const [vet, at] = [await world.vet(), world.now()]
  const followUpDueAt = addDays(at, 1)
  await world.change(consultations, id, { vetId: vet.id, vetStart: at, end: at, followUpDueAt })
  return { owner, vet, id }
}
const vetChatsWords = async ({ owner, id }: Awaited<ReturnType<TestWorld['waiting']>>) => {
  const reader = owner.with(await world.signIn(owner.id))
  const { messages } = await reader.call(readMessages, { consultation: id })
  return messages.filter(({ user_id }) => user_id === null).map(({ body }) => body)
}

it('an owner who waits longer than we promised gets one apology, in the room and by mail [CON-11]', async () => {
  const [late, early] = [await world.waiting(), await world.waiting()]
  await world.pass({ minutes: PROMISED_MINUTES - 1 })
  expect(await vetChatsWords(late)).toEqual([])
  await early.owner.call(cancelConsultation, { id: early.id })
  await world.pass({ minutes: 2 })
  await world.pass({ hours: 1 })
  expect(await vetChatsWords(late)).toEqual([expect.stringContaining('We’re sorry')])
  const letters = await world.mailsTo(late.owner.email)
  expect(letters.map(({ subject }) => subject)).toEqual(['We’re sorry you’re still waiting'])
  expect(letters[0]!.text).toContain(`/text-chat/${late.id}`)
  expect(await vetChatsWords(early)).toEqual([])
})

it('an owner whose case is handed back late gets the apology only if nobody takes it soon [CON-11] [VET-7]', async () => {
  const [taken, left, vet] = [await world.waiting(), await world.waiting(), await world.vet()]
  for (const { id } of [taken, left]) {
    await vet.call(takeConsultation, { id })
    await world.change(consultations, id, { start: addDays(world.now(), -1) })
    await vet.call(handBackConsultation, { id, note: 'My shift ends' })
  }
  await world.pass({ minutes: PROMISED_MINUTES - 1 })
  const said = async (one: typeof left) => (await vetChatsWords(one)).filter((body) => /sorry/.test(body))
  expect(await said(left)).toEqual([])
  await (await world.vet()).call(takeConsultation, { id: taken.id })
  await world.pass({ minutes: 2 })
  expect(await said(left)).toEqual([expect.stringContaining('We’re sorry')])
  expect(await said(taken)).toEqual([])
})

it('a mail when a vet has joined can be requested while waiting, and cancelled, and is sent only on request [CON-3]', async () => {
  const [{ owner, id }, other, vet] = [await world.waiting(), await world.waiting(), await world.vet()]
  await vet.call(takeConsultation, { id: other.id })
  expect(await world.mailsTo(other.owner.email)).toEqual([])
  const asked = async () => (await owner.call(getConsultation, { id })).consultation.mails_when_taken
  await owner.call(mailWhenTaken, { id })
  expect(await asked()).toBe(true)
  await owner.call(mailWhenTaken, { id, on: false })
  expect(await asked()).toBe(false)
  await owner.call(mailWhenTaken, { id, on: true })
  await vet.call(takeConsultation, { id })
  const [letter] = await world.mailsTo(owner.email)
  expect(letter!.subject).toBe(`Dr Thandi ${vet.lastName} has joined your consult`)
  expect(letter!.text).toContain(`/text-chat/${id}`)
  expect(await owner.refusal(mailWhenTaken, { id })).toBe('CONSULT_NOT_WAITING')
  await vet.call(handBackConsultation, { id, note: 'My network is bad' })
  const second = await world.vet()
  for (let times = 0; times < 2; times++) {
    await second.call(takeConsultation, { id })
    // One mail for each vet, however often they take it.
    expect(await world.mailsTo(owner.email)).toHaveLength(2)
    await second.call(handBackConsultation, { id, note: 'My network is bad' })
  }
})

it('a rating is given once a vet has ended the consult, and replaced by a later one [CON-10]', async () => {
  const { owner, id } = await ended()
  await owner.call(rateConsultation, { id, stars: 2, words: 'Slow' })
  await owner.call(rateConsultation, { id, stars: 5, words: '' })
  expect((await owner.call(getConsultation, { id })).consultation.rating).toEqual({ stars: 5, words: '' })
  for (const stars of [0, 6, 2.5])
    expect((await owner.send(rateConsultation, { id, stars })).status, `${stars}`).toBe(400)
})

it('a rating is not given before the end, nor for a consult that the owner left [CON-10]', async () => {
  const { owner, id } = await world.waiting()
  const rate = () => owner.refusal(rateConsultation, { id, stars: 5 })
  expect(await rate()).toBe('RATING_TOO_EARLY')
  await owner.call(cancelConsultation, { id })
  expect(await rate()).toBe('RATING_TOO_EARLY')
})

it('the day after, the owner is asked how the pet is, once, in the room and by mail [CON-8]', async () => {
  const one = await ended()
  await world.pass({ hours: 23 })
  expect(await vetChatsWords(one)).toEqual([])
  world.advance({ hours: 2 })
  await Promise.all([world.runDue(), world.runDue()])
  await world.pass({ days: 1 })
  expect(await vetChatsWords(one)).toEqual([expect.stringContaining('How is Biscuit today')])
  const letters = await world.mailsTo(one.owner.email)
  expect(letters.map(({ subject }) => subject)).toEqual(['How is Biscuit today?'])
})

it('the day after, the owner is asked though the time was set while the clock was a year ahead [CON-8]', async () => {
  const { owner, id } = await ended()
  await world.change(consultations, id, { followUpDueAt: addDays(world.now(), 365) })
  expect(await world.mailsTo(owner.email)).toHaveLength(1)
})

it('the day after, the mail names the profile as the place to switch it off only to owners with an account [CON-8]', async () => {
  const [member, guest, vet] = [await ended(), await world.guest(), await world.vet()]
  const at = world.now()
  await world.change(consultations, guest.consultation.id, {
    vetId: vet.id,
    vetStart: at,
    end: at,
    followUpDueAt: addDays(at, 1),
  })
  world.advance({ hours: 25 })
  const [theirs] = await world.mailsTo(member.owner.email)
  const [letter] = await world.mailsTo(guest.user.email)
  expect(theirs!.text).toContain('in your profile')
  expect(letter!.subject).toMatch(/^How is /)
  expect(letter!.text).not.toContain('profile')
})

it('the day after, owners who opted out get no mail, and nobody is asked about a pet that died [CON-8]', async () => {
  const [quiet, mourning] = [await ended(), await ended()]
  await world.change(users, quiet.owner.id, { notifications: { check_in: false } })
  await world.change(pets, mourning.owner.pet.id, { putAwayAt: world.now(), putAwayWhy: 'died' })
  world.advance({ hours: 25 })
  expect(await world.mailsTo(quiet.owner.email)).toEqual([])
  expect(await world.mailsTo(mourning.owner.email)).toEqual([])
  expect(await vetChatsWords(quiet)).toHaveLength(1)
  expect(await vetChatsWords(mourning)).toEqual([])
})
