import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { checkIn, reopenConsultation } from '#contract/aftercare.ts'
import { readMessages } from '#contract/chat.ts'
import { getRecord } from '#contract/clinical.ts'
import { cancelConsultation, getConsultation, listConsultations } from '#contract/consultations.ts'
import { takeConsultation } from '#contract/queue.ts'
import type { Region } from '#contract/regions.ts'
import { DAY } from '#contract/time.ts'
import { consultations, pets } from '#server/db/schema.ts'
import { advise, NOTE } from '#test/advice.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

/** A member's or guest's consult, signed and ended by a vet. */
async function ended(who: 'member' | 'guest' = 'member', region: Region = 'za') {
  const vet = await world.vet(region)
  const signedIn = who === 'guest' ? await world.guest() : await world.member(region)
  const [owner, id] =
    'consultation' in signedIn
      ? [{ ...signedIn.user, ...signedIn, id: signedIn.user.id }, signedIn.consultation.id]
      : [signedIn, (await world.consultOf(signedIn, { region, type: 2 })).id]
  await advise(vet, id)
  return { owner, vet, id }
}
const aDayLater = async () => {
  await world.pass({ hours: 25 })
}
/** The owner or guest, signed in again after the days that passed. */
const again = async ({ owner }: Awaited<ReturnType<typeof ended>>) =>
  owner.with('consultation' in owner ? owner.token : await world.signIn(owner.id))
const lastFromVetChat = async (reader: { call: typeof world.nobody.call }, consultation: number) =>
  (await reader.call(readMessages, { consultation })).messages.findLast(({ user_id }) => user_id === null)!
    .body

it.each(['member', 'guest'] as const)(
  'the follow-up a day later is answered only once it was sent, and the vet reads the answer (%s) [CON-8]',
  async (who) => {
    const one = await ended(who)
    expect(await one.owner.refusal(checkIn, { id: one.id, answer: 'better' })).toBe('CHECK_IN_CLOSED')
    await aDayLater()
    const owner = await again(one)
    const read = async () => (await owner.call(getConsultation, { id: one.id })).consultation.check_in
    expect(await read()).toEqual({ asked: true, answer: null, at: null })
    await owner.call(checkIn, { id: one.id, answer: 'same' })
    for (let twice = 0; twice < 2; twice++) await owner.call(checkIn, { id: one.id, answer: 'worse' })
    expect(await read()).toEqual({ asked: true, answer: 'worse', at: expect.any(String) })
    const vet = one.vet.with(await world.signIn(one.vet.id))
    const { messages } = await vet.call(readMessages, { consultation: one.id })
    expect(messages.slice(-2).map(({ user_id, body }) => [user_id, body])).toEqual([
      [null, 'Thandi says that Biscuit is about the same'],
      [null, 'Thandi says that Biscuit is worse'],
    ])
    const { consultation } = await vet.call(getConsultation, { id: one.id })
    expect(consultation.check_in.answer).toBe('worse')
  },
)

it('the follow-up a day later is not sent about a pet that died [CON-8]', async () => {
  const one = await ended()
  await aDayLater()
  await world.db
    .update(pets)
    .set({ putAwayAt: world.now(), putAwayWhy: 'died' })
    .where(eq(pets.ownerId, one.owner.id))
  const owner = await again(one)
  expect((await owner.call(getConsultation, { id: one.id })).consultation.check_in.asked).toBe(false)
  expect(await owner.refusal(checkIn, { id: one.id, answer: 'same' })).toBe('CHECK_IN_CLOSED')
})

it('reopening a consult that has ended starts a free consult with the same pet and type, and two presses start only one [CON-8, ACC-8]', async () => {
  const one = await ended()
  const open = () => one.owner.call(reopenConsultation, { id: one.id, query: 'She vomits now' })
  const [first, second] = await Promise.all([open(), open()])
  expect(second).toEqual(first)
  expect(first.token).toBeNull()
  const { id } = first.consultation
  const { consultation } = await one.owner.call(getConsultation, { id })
  expect(consultation).toMatchObject({
    type: 2,
    pet_issue: 'She vomits now',
    end: null,
    vet_name: null,
    goes_on_from: one.id,
    goes_on_in: null,
    paid: null,
    waiting: { place: 1 },
  })
  const earlier = (await one.owner.call(getConsultation, { id: one.id })).consultation
  expect([earlier.goes_on_in, earlier.goes_on_from, earlier.pet]).toEqual([id, null, consultation.pet])
  expect(await lastFromVetChat(one.owner, one.id)).toBe('This continues in a new consult.')
  expect((await one.owner.call(listConsultations, {})).counts.needs_help).toBe(1)
  const colleague = await world.vet()
  await colleague.call(takeConsultation, { id })
  expect((await colleague.call(getRecord, { id })).earlier).toMatchObject([{ id: one.id }])
  expect((await colleague.call(getRecord, { id: one.id })).note.summary).toBe(NOTE.summary)
})

it('reopening a consult that has ended gives a guest a token that opens the new consult and nothing else [CON-8, D24]', async () => {
  const one = await ended('guest')
  const open = () => one.owner.call(reopenConsultation, { id: one.id, query: 'He limps again' })
  const [{ consultation, token }, other] = [await open(), await open()]
  expect(other).toEqual({ consultation, token })
  const inside = one.owner.with(token!)
  expect((await inside.call(getConsultation, consultation)).consultation.goes_on_from).toBe(one.id)
  expect((await inside.send(getConsultation, { id: one.id })).status).toBe(404)
  expect((await one.owner.send(getConsultation, consultation)).status).toBe(404)
  await inside.call(cancelConsultation, consultation)
})

it("reopening a consult that has ended works once: a free reopened consult can't be reopened for free [CON-8, BUY-9]", async () => {
  const one = await ended()
  const open = (id: number) => one.owner.send(reopenConsultation, { id, query: 'She vomits now' })
  const { id } = (await open(one.id)).body.consultation
  const vet = await world.vet()
  await advise(vet, id)
  const refused = await open(id)
  expect([refused.status, refused.body.code]).toEqual([409, 'REOPEN_ONCE'])
  // Reopening the first again returns the same consult. The second's follow-up doesn't offer reopening.
  expect((await open(one.id)).body.consultation).toEqual({ id })
  await aDayLater()
  const mails = await world.mailsTo(one.owner.email, 'follow-up')
  expect(mails.map(({ text }) => text.includes('please start a new consult')).toSorted()).toEqual([
    false,
    true,
  ])
})

it('reopening a consult that has ended is offered only for two days after a vet ended the consult [CON-8]', async () => {
  const [late, waiting] = [await ended(), await world.member()]
  const query = 'Still not eating'
  const { id } = await world.consultOf(waiting)
  const refused = () => waiting.refusal(reopenConsultation, { id, query })
  expect(await refused()).toBe('REOPEN_NOT_ENDED')
  await waiting.call(cancelConsultation, { id })
  expect(await refused()).toBe('REOPEN_NOT_ENDED')
  expect((await late.owner.send(reopenConsultation, { id: late.id, query: ' ' })).status).toBe(400)
  world.advance({ hours: 49 })
  const owner = await again(late)
  expect(await owner.refusal(reopenConsultation, { id: late.id, query })).toBe('REOPEN_TOO_LATE')
})

it("reopening a consult that has ended is possible only during the region's hours [ACC-9]", async () => {
  const one = await ended('member', 'au')
  const night = new Date(world.now())
  // Two in the morning in Sydney is 15:00 or 16:00 UTC.
  night.setUTCHours(15, 30, 0, 0)
  const ahead = (night.getTime() + DAY - world.now().getTime()) / 1000
  world.advance({ seconds: Math.ceil(ahead % 86_400) })
  const owner = await again(one)
  expect(await owner.refusal(reopenConsultation, { id: one.id, query: 'Worse' })).toBe('CONSULT_CLOSED_HOURS')
  world.advance({ hours: 8 })
  const { consultation } = await owner.call(reopenConsultation, { id: one.id, query: 'Worse' })
  const [row] = await world.rows(consultations, { id: consultation.id })
  expect(row).toMatchObject({ region: 'au', userId: one.owner.id, goesOnFrom: one.id, freeSince: null })
})
