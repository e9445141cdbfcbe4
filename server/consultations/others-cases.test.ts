import { expect, it } from 'vitest'
import { getPlanFile } from '#contract/aftercare.ts'
import { me } from '#contract/accounts.ts'
import { readMessages, sendMessageByCall } from '#contract/chat.ts'
import { addToNote, getRecord } from '#contract/clinical.ts'
import {
  cancelConsultation,
  type Consultation,
  getConsultation,
  listAccess,
  listConsultations,
} from '#contract/consultations.ts'
import { handOverConsultation, setDuty, takeConsultation } from '#contract/queue.ts'
import { sign } from '#test/advice.ts'
import { contractCalls } from '#test/contract-calls.ts'
import { openSocket } from '#test/open-socket.ts'
import { createWorld, type TestWorld } from '#test/world.ts'

const world = await createWorld()
const address = await world.listen()

/** Only people who have given a reason may read this. */
const ISSUE = 'She swallowed a thimble'
const NOTE = {
  history: 'Thimble history',
  findings: 'Thimble findings',
  assessment: 'Thimble assessment',
  summary: 'Thimble summary',
  plan: 'Thimble plan',
  watch_for: 'Thimble signs',
  go_if: 'Thimble emergency',
  outcome: 'sent_in',
} as const
const SECRET = /thimble|sent in now|asks for a colleague/i

type Owner = Awaited<ReturnType<TestWorld['member']>>
type Vet = Awaited<ReturnType<TestWorld['vet']>>

async function taken(owner: Owner, vet: Vet, petIssue = ISSUE) {
  const { id } = await world.consultOf(owner, { petIssue })
  await vet.call(takeConsultation, { id })
  return id
}

/** A case with everything in it, handed over once and ended by the second vet. */
async function ended() {
  const [owner, first, vet] = [await world.member(), await world.vet(), await world.vet()]
  const id = await taken(owner, first)
  await vet.call(setDuty, { on: true })
  await first.call(handOverConsultation, { id, vet_id: vet.id, note: 'Asks for a colleague' })
  await owner.call(sendMessageByCall, { consultation: id, client_id: `thimble-${id}`, body: 'The thimble' })
  await sign(vet, id, NOTE)
  await vet.call(addToNote, { id, body: 'Thimble found' })
  return { owner, first, vet, id }
}

const listed = async (who: Pick<Vet, 'call'>, asked: object, id: number) =>
  (await who.call(listConsultations, asked)).consultations.find((one) => one.id === id)

const HIDDEN = { pet_issue: '', query: '', outcome: '', summary: null, ended_by_another: true }
const SHOWN = {
  pet_issue: ISSUE,
  query: ISSUE,
  outcome: 'Sent in now',
  summary: NOTE.summary,
  ended_by_another: false,
} satisfies Partial<Consultation>

it('a case that another vet ended shows other staff only that it happened, in lists, searches and earlier consults [SAF-8]', async () => {
  const { owner, first, vet, id } = await ended()
  const next = await world.consultOf(owner, { petIssue: 'Again' })
  const ways = [{}, { filter: 'completed' }, { q: String(id) }, { q: owner.email }, { q: owner.lastName }]
  for (const other of [first, await world.vet(), await world.admin()]) {
    for (const asked of ways) {
      const one = await listed(other, asked, id)
      expect(one).toMatchObject({
        ...HIDDEN,
        vet_name: `Dr Thandi ${vet.lastName}`,
        pet: { name: 'Biscuit', species_id: 1 },
        user: { email: owner.email },
      })
      expect(one!.end).not.toBeNull()
    }
    expect((await other.call(getRecord, { id: next.id })).earlier).toMatchObject([{ id, ...HIDDEN }])
  }
  for (const asked of ways) expect(await listed(vet, asked, id)).toMatchObject(SHOWN)
  expect((await vet.call(getRecord, { id: next.id })).earlier).toMatchObject([{ id, ...SHOWN }])
  expect(await listed(owner, {}, id)).toMatchObject(SHOWN)
  expect((await vet.call(me, {})).consultations).toContainEqual(expect.objectContaining({ id, ...SHOWN }))
  await owner.call(cancelConsultation, { id: next.id })
})

it('a case that another vet ended appears in no call that reads [SAF-8]', async () => {
  const { owner, id } = await ended()
  const other = await world.vet()
  const reads = (await contractCalls()).filter(({ method }) => method === 'GET')
  expect(reads.length).toBeGreaterThan(20)
  for (const asked of [{}, { q: 'Biscuit' }, { q: owner.email }, { filter: 'completed' }, { why: '  ' }])
    for (const definition of reads) {
      const { status, text } = await other.send(definition, {
        id,
        consultation: id,
        userId: owner.id,
        ...asked,
      })
      expect(text, `${definition.path} ${status}`).not.toMatch(SECRET)
    }
})

it('a case that another vet ended opens with a reason that the owner sees, and so do its parts [SAF-8]', async () => {
  const { owner, id } = await ended()
  const other = await world.vet()
  const parts = [
    [readMessages, { consultation: id }],
    [listAccess, { id }],
    [getPlanFile, { id }],
    [getRecord, { id }],
    [getConsultation, { id }],
  ] as const
  for (const [part, asked] of parts) {
    expect(await other.refusal(part, asked), part.path).toBe('CONSULT_SAY_WHY')
  }
  await other.call(getConsultation, { id, why: 'She rang the clinic' })
  expect((await other.call(readMessages, { consultation: id })).messages.length).toBeGreaterThan(0)
  for (const who of [other, owner])
    expect((await who.call(listAccess, { id }))[0]).toMatchObject({
      name: `Dr Thandi ${other.lastName}`,
      action: 'opened',
      reason: 'She rang the clinic',
    })
  // The list still hides it, as a list leaves no trace of who read it.
  expect(await listed(other, {}, id)).toMatchObject(HIDDEN)
  const later = async () => other.with(await world.signIn(other.id))
  world.advance({ hours: 11 })
  expect((await (await later()).send(readMessages, { consultation: id })).status).toBe(200)
  world.advance({ hours: 2 })
  expect(await (await later()).refusal(readMessages, { consultation: id })).toBe('CONSULT_SAY_WHY')
})

it('a case that another vet ended opens without typing to the vet who treats the pet, and the owner sees why [SAF-8]', async () => {
  const { owner, id } = await ended()
  const other = await world.vet()
  const now = await taken(owner, other, 'Again')
  expect((await other.call(getRecord, { id: now })).earlier).toMatchObject([{ id, ...HIDDEN }])
  expect(await owner.call(listAccess, { id })).not.toContainEqual(
    expect.objectContaining({ name: `Dr Thandi ${other.lastName}` }),
  )
  expect((await other.call(getConsultation, { id })).consultation).toMatchObject(SHOWN)
  expect((await other.call(getRecord, { id })).note).toMatchObject(NOTE)
  expect((await owner.call(listAccess, { id })).slice(0, 2)).toMatchObject([
    { name: `Dr Thandi ${other.lastName}`, action: 'read the record', reason: 'While treating Biscuit' },
    { name: `Dr Thandi ${other.lastName}`, action: 'opened', reason: 'While treating Biscuit' },
  ])
  await sign(other, now, NOTE)
  expect(await other.refusal(getConsultation, { id })).toBe('CONSULT_SAY_WHY')
})

it('a case that another vet ended needs a reason from a vet who treats another pet, or only sees this one wait [SAF-8]', async () => {
  const [{ owner, id }, other] = [await ended(), await world.vet()]
  await taken(await world.member(), other, 'Another pet')
  const waits = await world.consultOf(owner)
  expect(await other.refusal(getConsultation, { id })).toBe('CONSULT_SAY_WHY')
  await owner.call(cancelConsultation, { id: waits.id })
})

it('a case that another vet ended opens to an administrator with a reason that lasts for thirty minutes [SAF-8]', async () => {
  const [{ owner, id }, admin] = [await ended(), await world.admin()]
  for (const part of [getConsultation, getRecord])
    expect(await admin.refusal(part, { id })).toBe('CONSULT_SAY_WHY')
  const why = 'She asks for her money'
  expect((await admin.call(getConsultation, { id, why })).consultation).toMatchObject(SHOWN)
  expect((await owner.call(listAccess, { id }))[0]).toMatchObject({
    name: `Thandi ${admin.lastName}`,
    action: 'opened',
    reason: why,
  })
  expect((await admin.send(readMessages, { consultation: id })).status).toBe(200)
  world.advance({ minutes: 29 })
  expect((await admin.send(readMessages, { consultation: id })).status).toBe(200)
  world.advance({ minutes: 2 })
  expect(await admin.refusal(readMessages, { consultation: id })).toBe('CONSULT_SAY_WHY')
  // The server's clock was ahead for a moment, when the reason was given.
  world.advance({ hours: 1 })
  await admin.call(getConsultation, { id, why })
  world.advance({ hours: -1 })
  expect(await admin.refusal(readMessages, { consultation: id })).toBe('CONSULT_SAY_WHY')
})

it('a case that another vet ended records who opened it, and an open one without asking for a reason [SAF-8]', async () => {
  const [owner, vet, other] = [await world.member(), await world.vet(), await world.vet()]
  const id = await taken(owner, vet)
  const traces = async (who: Vet) =>
    (await owner.call(listAccess, { id })).filter(({ name }) => name.endsWith(who.lastName))
  for (const who of [vet, other])
    for (let twice = 0; twice < 2; twice++) await who.call(readMessages, { consultation: id })
  expect((await traces(other)).map(({ action }) => action)).toEqual(['opened'])
  expect((await traces(vet)).map(({ action }) => action)).toEqual(['took'])
  world.advance({ hours: 1 })
  await other.call(readMessages, { consultation: id })
  // The server's clock was half an hour ahead, and is right again.
  world.advance({ minutes: -30 })
  await other.call(readMessages, { consultation: id })
  expect(await traces(other)).toHaveLength(3)
})

it('a case that another vet ended is its owner’s own, even if they are a vet [SAF-8]', async () => {
  const [keeper, vet] = [await world.vet(), await world.vet()]
  const pet = await world.pet(keeper.id)
  const { id } = await world.consultation({ userId: keeper.id, petId: pet.id, petIssue: ISSUE })
  await vet.call(takeConsultation, { id })
  await sign(vet, id, NOTE)
  expect(await listed(keeper, {}, id)).toMatchObject(SHOWN)
  expect((await keeper.call(getConsultation, { id })).consultation).toMatchObject(SHOWN)
})

/** A page with the room open. */
async function page(token: string, consultation: number, event = 'joinRoom') {
  const socket = openSocket(address, token)
  const said: string[] = []
  socket.on('messageSaid', ({ message }: { message: { body: string } }) => void said.push(message.body))
  const join = () =>
    socket.emitWithAck(event, { consultation, device: 'device-1' }) as Promise<{ code?: string }>
  return { said, join, joined: await join() }
}

it('the room is left by all staff but the vet who ends the consult, even by one who was only in its video call [SAF-8]', async () => {
  const [owner, first, vet, onlooker, admin] = [
    await world.member(),
    await world.vet(),
    await world.vet(),
    await world.vet(),
    await world.admin(),
  ]
  const id = await taken(owner, first)
  const pages = await Promise.all([owner, first, vet, onlooker, admin].map(({ token }) => page(token, id)))
  const caller = await page(first.token, id, 'joinCall')
  expect(caller.joined.code).toBeUndefined()
  await vet.call(setDuty, { on: true })
  await first.call(handOverConsultation, { id, vet_id: vet.id, note: 'Please' })
  await sign(vet, id, NOTE)
  const body = 'Is a second thimble worse?'
  await owner.call(sendMessageByCall, { consultation: id, client_id: `thimble-${id}`, body })
  const [owners, firsts, vets, ...others] = pages.map(({ said }) => said)
  await expect.poll(() => [owners!.at(-1), vets!.at(-1)]).toEqual([body, body])
  expect([...firsts!, ...others.flat(), ...caller.said]).not.toContain(body)
  expect((await pages[3]!.join()).code).toBe('CONSULT_SAY_WHY')
  expect((await pages[2]!.join()).code).toBeUndefined()
})
