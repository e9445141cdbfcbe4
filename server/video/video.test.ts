import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { readMessages } from '#contract/chat.ts'
import { LIMITS } from '#contract/limits.ts'
import { handBackConsultation, handOverConsultation, setDuty, takeConsultation } from '#contract/queue.ts'
import { addMinutes } from '#contract/time.ts'
import { getCall, type Signal, type VideoCall } from '#contract/video.ts'
import { consultations } from '#server/db/schema.ts'
import { openSocket } from '#test/open-socket.ts'
import { createWorld, type TestWorld } from '#test/world.ts'
import { tryTake } from '../identity/limits.ts'
import { waysOf, whyOver } from './rules.ts'

const world = await createWorld()
const address = await world.listen()

interface Answer {
  ok?: { call: VideoCall | null; ice_servers: unknown[]; relay_only: boolean }
  code?: string
  errors?: string[]
}
interface Heard {
  from: string
  n: number
  signals: Signal[]
}
type Person = { token: string }

let count = 0

/** A page of one person that follows the consult's call. */
function page({ token }: Person, consultation: number) {
  const socket = openSocket(address, token)
  const device = `device-${++count}`
  const heard: Heard[] = []
  const calls: (VideoCall | null)[] = []
  const said: string[] = []
  socket.on('messageSaid', ({ message }: { message: { body: string } }) => void said.push(message.body))
  socket.on('signalled', (signalled: Heard) => void heard.push(signalled))
  socket.on('callChanged', ({ call }: { call: VideoCall | null }) => void calls.push(call))
  let n = 0
  return {
    device,
    heard,
    calls,
    said,
    ask: (event: string, more: object = {}) =>
      socket.emitWithAck(event, { consultation, device, ...more }) as Promise<Answer>,
    signal: (to: string, sdp: string) =>
      socket.emitWithAck('sendSignals', {
        consultation,
        device,
        to,
        n: ++n,
        signals: [{ description: { type: 'offer', sdp } }],
      }) as Promise<Answer>,
  }
}

async function consult(vet?: Awaited<ReturnType<TestWorld['vet']>>) {
  const owner = await world.member()
  const by = vet ?? (await world.vet())
  const start = world.now()
  const { id } = await world.consultOf(owner, { vetId: by.id, start, vetStart: start, type: 2 })
  return { owner, vet: by, id }
}

/** A consult with both in the call. */
async function inCall() {
  const one = await consult()
  const [vets, owners] = [page(one.vet, one.id), page(one.owner, one.id)]
  await vets.ask('joinCall')
  await owners.ask('joinCall')
  return { ...one, vets, owners }
}

const messagesOf = async ({ owner, id }: Pick<Awaited<ReturnType<typeof consult>>, 'owner' | 'id'>) =>
  (await owner.call(readMessages, { consultation: id })).messages.map(({ body }) => body)

it('a call rings, is answered, and is over when the vet leaves, with a message that says how long it was [CON-5]', async () => {
  const { owner, vet, id } = await consult()
  const [vets, owners] = [page(vet, id), page(owner, id)]
  await owners.ask('joinRoom')
  expect((await owners.ask('joinCall')).code).toBe('CALL_OVER')
  const rung = await vets.ask('joinCall')
  expect(rung.ok!.call).toMatchObject({ answered_at: null, owner_device: null, vet_device: vets.device })
  await expect.poll(() => owners.calls.at(-1)?.vet).toMatch(/^Dr Thandi/)
  expect((await owner.call(getCall, { consultation: id })).call?.id).toBe(rung.ok!.call!.id)
  await owners.ask('answerCall', { comes: true })
  const joined = await owners.ask('joinCall')
  expect(joined.ok!.call).toMatchObject({ owner_device: owners.device, vet_device: vets.device })
  world.advance({ seconds: 59 })
  await vets.ask('holdCall')
  world.advance({ seconds: 59 })
  await vets.ask('leaveCall')
  expect((await owner.call(getCall, { consultation: id })).call).toBeNull()
  expect(await messagesOf({ owner, id })).toEqual([`Video call with Dr Thandi ${vet.lastName}, 2 minutes`])
})

it('a call tells both sides what became of it, even the one that left or declined [CON-5] [CON-2]', async () => {
  const { owner, vet, id } = await consult()
  const [vets, owners] = [page(vet, id), page(owner, id)]
  await owners.ask('joinRoom')
  await vets.ask('joinCall')
  await vets.ask('leaveCall')
  await vets.ask('joinCall')
  await owners.ask('answerCall', { comes: false })
  for (const { said } of [vets, owners])
    await expect
      .poll(() => said)
      .toEqual([expect.stringMatching(/nobody answered/), expect.stringMatching(/^Video call declined/)])
})

it('a call lets the owner leave and come back while the vet is in it [CON-5]', async () => {
  const { owners, owner, id } = await inCall()
  await owners.ask('leaveCall')
  expect((await owners.ask('holdCall')).ok!.call).toMatchObject({ owner_device: null })
  expect((await owners.ask('joinCall')).ok!.call!.owner_device).toBe(owners.device)
  expect(await messagesOf({ owner, id })).toEqual([])
})

it('a call that is under way isn’t ended by a late decline on another page of the owner [CON-5]', async () => {
  const { owner, id } = await inCall()
  await page(owner, id).ask('answerCall', { comes: false })
  expect(await messagesOf({ owner, id })).toEqual([])
  expect((await owner.call(getCall, { consultation: id })).call).not.toBeNull()
})

it('a call that is declined ends with a message [CON-5]', async () => {
  const { owner, vet, id } = await consult()
  const [vets, owners] = [page(vet, id), page(owner, id)]
  await vets.ask('joinCall')
  expect((await vets.ask('answerCall', { comes: false })).code).toBe('CALL_NOT_YOURS')
  await owners.ask('answerCall', { comes: false })
  await expect.poll(() => vets.calls.at(-1)).toBeNull()
  expect(await messagesOf({ owner, id })).toEqual(['Video call declined. You can carry on in the chat.'])
})

it('a call that nobody answers becomes a message, once [CON-5]', async () => {
  const { owner, vet, id } = await consult()
  await page(vet, id).ask('joinCall')
  await world.runDue()
  expect(await messagesOf({ owner, id })).toEqual([])
  await world.pass({ seconds: 46 })
  await world.runDue()
  expect(await messagesOf({ owner, id })).toEqual([expect.stringContaining('nobody answered')])
  expect((await page(vet, id).ask('joinCall', { call: 1_000_000 })).code).toBe('CALL_OVER')
  expect((await page(vet, id).ask('joinCall')).ok!.call).toMatchObject({ answered_at: null })
})

it('a call is over a minute after its vet was last heard, and not before [CON-5]', async () => {
  const { owners, vets, owner, id } = await inCall()
  world.advance({ seconds: 50 })
  await vets.ask('holdCall')
  world.advance({ seconds: 50 })
  expect((await owners.ask('holdCall')).ok!.call).not.toBeNull()
  world.advance({ seconds: 11 })
  expect((await owners.ask('holdCall')).ok!.call).toBeNull()
  await world.runDue()
  expect(await messagesOf({ owner, id })).toEqual([expect.stringMatching(/, 1 minute$/)])
})

it('a call survives a server that was away for long, and is over if its vet stays silent for a minute after the start [CON-5]', () => {
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)
  const call = { vetId: 3, rungAt: ago(900), answeredAt: ago(890), vetSeenAt: ago(300) }
  const why = (startedAgo: number) =>
    whyOver(call, { vetId: 3, end: null }, ago(0), ago(startedAgo).getTime())
  expect([why(20), why(61), why(4000)]).toEqual([null, 'vet gone', 'vet gone'])
})

it('a call of one vet is refused while another of theirs is open, and the refusal names the pet [CON-5]', async () => {
  const { vet, vets, owner } = await inCall()
  const second = await consult(vet)
  const refused = await page(vet, second.id).ask('joinCall')
  expect(refused.code).toBe('CALL_ELSEWHERE')
  expect(refused.errors![0]).toContain(owner.pet.name)
  await vets.ask('leaveCall')
  expect((await page(vet, second.id).ask('joinCall')).code).toBeUndefined()
})

it('a call is over when the consult is handed over or back, and the next vet can ring [CON-5]', async () => {
  const { vet, owners, vets, owner, id } = await inCall()
  const next = await world.vet()
  await next.call(setDuty, { on: true })
  await vet.call(handOverConsultation, { id, vet_id: next.id, note: 'Please go on' })
  expect((await vets.ask('joinCall')).code).toBe('CALL_NOT_YOURS')
  expect((await vets.signal(owners.device, 'x')).code).toBe('CALL_OVER')
  expect((await owners.ask('holdCall')).ok!.call).toBeNull()
  expect((await page(next, id).ask('joinCall')).ok!.call).toMatchObject({ answered_at: null })
  await next.call(handBackConsultation, { id, note: 'Back' })
  expect((await owner.call(getCall, { consultation: id })).call).toBeNull()
})

it('the two sides of a call hear each other’s signals, and nobody else does [CON-5] [SAF-1]', async () => {
  const { owners, vets, owner, id } = await inCall()
  const [stranger, colleague] = [await world.member(), await world.vet()]
  const secondPage = page(owner, id)
  const others = [page(stranger, id), page(colleague, id), page(await world.admin(), id), secondPage]
  for (const one of others) await one.ask('joinRoom')
  await vets.signal(owners.device, 'from the vet')
  await owners.signal(vets.device, 'from the owner')
  await expect.poll(() => owners.heard).toMatchObject([{ from: vets.device, n: 1 }])
  await expect.poll(() => vets.heard).toMatchObject([{ from: owners.device, n: 1 }])
  expect(others.flatMap(({ heard }) => heard)).toEqual([])
})

it('the two sides of a call let no third person in, whatever devices they name [CON-5] [SAF-1]', async () => {
  const { owners, vets, id } = await inCall()
  const refusals = { stranger: 'NOT_FOUND', colleague: 'CALL_NOT_YOURS', admin: 'CALL_NOT_YOURS' }
  const people = {
    stranger: await world.member(),
    colleague: await world.vet(),
    admin: await world.admin(),
  }
  for (const [who, code] of Object.entries(refusals)) {
    const person = people[who as keyof typeof people]
    const third = page(person, id)
    expect((await third.ask('joinCall')).code, who).toBe(code)
    expect((await third.ask('answerCall', { comes: true })).code, who).toBe(code)
    expect((await third.ask('leaveCall', { device: vets.device })).ok?.call, who).toBeUndefined()
    const as = { device: vets.device, to: owners.device, n: 9, signals: [] }
    expect((await third.ask('sendSignals', as)).code, who).toBe('NOT_FOUND')
    const told = await person.send(getCall, { consultation: id })
    expect(told.status === 404 || told.body.ice_servers.length === 0, who).toBe(true)
  }
  expect((await owners.ask('holdCall')).ok!.call).toMatchObject({ vet_device: vets.device })
})

it('the two sides of a call can move to another device, and the first one is told so and no longer heard [CON-5]', async () => {
  const { owners, vets, owner, id } = await inCall()
  const tablet = page(owner, id)
  await tablet.ask('joinCall')
  await expect.poll(() => owners.calls.at(-1)?.owner_device).toBe(tablet.device)
  expect((await owners.signal(vets.device, 'late')).code).toBe('CALL_MOVED')
  expect((await vets.signal(owners.device, 'late')).code).toBe('CALL_MOVED')
  expect((await vets.signal(tablet.device, 'new')).ok).toEqual({})
  // The call continues when the first device leaves.
  await owners.ask('leaveCall')
  expect((await tablet.ask('holdCall')).ok!.call).toMatchObject({ owner_device: tablet.device })
})

it('one side of a call may be a guest, in the guest’s own consult alone [CON-5] [CON-9]', async () => {
  const [guest, vet] = [await world.guest(), await world.vet()]
  const { id } = guest.consultation
  const other = await inCall()
  await vet.call(takeConsultation, { id })
  await page(vet, id).ask('joinCall')
  expect((await page(guest as Person, id).ask('joinCall')).ok!.call!.owner_device).not.toBeNull()
  expect((await page(guest as Person, other.id).ask('joinCall')).code).toBe('NOT_FOUND')
})

const batchOf = (page: { device: string }, to: { device: string }, n: number, sdp: string) => ({
  device: page.device,
  to: to.device,
  n,
  signals: [{ description: { type: 'offer', sdp } }],
})
const many = <T>(count: number, ask: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => ask(at + 1)))
/** As if a side had made so many signals or joins that only this many are left. */
const leaves = (left: number, name: 'callSignals' | 'callJoins', key: string) =>
  many(LIMITS[name].max - left, () => tryTake(world, name, key))

it('the limits of a call spare the owner after a vet has rung twelve times [CON-5] [SAF-5]', async () => {
  const { vet, owner, id } = await consult()
  const vets = page(vet, id)
  for (let at = 0; at < LIMITS.rings.max; at++) {
    await vets.ask('joinCall')
    await vets.ask('leaveCall')
  }
  expect((await vets.ask('joinCall')).code).toBe('TOO_MANY_TRIES')
  expect((await owner.call(getCall, { consultation: id })).call).toBeNull()
  expect(await messagesOf({ owner, id })).toHaveLength(LIMITS.rings.max)
  world.advance({ minutes: LIMITS.rings.minutes + 1 })
  expect((await vets.ask('joinCall')).ok!.call).toMatchObject({ answered_at: null })
})

it('the limits of a call let only so many joins and signals of an owner reach the vet [CON-5] [SAF-5]', async () => {
  const { owners, vets, id } = await inCall()
  await leaves(3, 'callSignals', `${id} owner`)
  await many(10, (n) => owners.ask('sendSignals', batchOf(owners, vets, n, 'x')))
  await expect.poll(() => vets.heard.length).toBe(3)
  await leaves(3, 'callJoins', `${id} owner`)
  const joins = await many(10, () => owners.ask('joinCall'))
  expect(joins.filter(({ code }) => code === 'TOO_MANY_TRIES').length).toBeGreaterThanOrEqual(7)
  // The vet's own side isn't used up.
  expect((await vets.signal(owners.device, 'mine')).ok).toEqual({})
  expect((await vets.ask('joinCall')).ok!.call).not.toBeNull()
})

it('the limits of a call stop signals that are too long, after the end, or of another consult [CON-5] [SAF-1]', async () => {
  const { owners, vets, owner, id } = await inCall()
  const other = await inCall()
  const long = 'x'.repeat(30_001)
  expect((await owners.ask('sendSignals', batchOf(owners, vets, 1, long))).code).toBe('INVALID_INPUT')
  const theirs = batchOf(owners, other.vets, 2, 'x')
  expect((await owners.ask('sendSignals', { ...theirs, consultation: other.id })).code).toBe('NOT_FOUND')
  expect((await owners.ask('sendSignals', theirs)).code).toBe('CALL_MOVED')
  await world.change(consultations, id, { end: world.now() })
  for (const one of [owners.signal(vets.device, 'late'), vets.signal(owners.device, 'late')])
    expect((await one).code).toBe('CALL_OVER')
  expect((await owners.ask('joinCall')).code).toBe('CALL_NOT_YOURS')
  expect((await owner.call(getCall, { consultation: id })).ice_servers).toEqual([])
  expect([...vets.heard, ...other.vets.heard]).toEqual([])
})

const now = new Date('2026-11-23T02:00:00Z')
const turn = { urls: ['turn:relay.example:3478'], secret: 'shared with the relay' }

it('the connection details of a call give credentials that the relay can check and that expire within two hours [CON-5]', () => {
  const { ice_servers, relay_only } = waysOf({ stunUrl: 'stun:s', turn, turnOnly: false }, 7, 'owner', now)
  expect(relay_only).toBe(false)
  const [, relay] = ice_servers
  expect(relay!.username).toBe(`${now.getTime() / 1000 + 3600}:7:owner`)
  expect(relay!.credential).toBe(createHmac('sha1', turn.secret).update(relay!.username!).digest('base64'))
  expect(relay!.urls).toEqual([turn.urls[0], `${turn.urls[0]}?transport=tcp`])
})

it("the connection details of a call are the same for an hour however often one side asks, so the relay’s quota isn't used up [CON-5] [SAF-5]", () => {
  const later = (minutes: number) => addMinutes(now, minutes)
  const name = (at: Date, side: 'owner' | 'vet' = 'owner') =>
    waysOf({ stunUrl: undefined, turn, turnOnly: true }, 7, side, at).ice_servers[0]!.username
  const names = new Set(Array.from({ length: 60 }, (_, minute) => name(later(minute + 1))))
  expect(names).toEqual(new Set([`${now.getTime() / 1000 + 2 * 3600}:7:owner`]))
  expect(name(later(1), 'vet')).not.toBe(name(later(1)))
})

it('the connection details of a call hide addresses behind the relay if that is configured, and work without a relay [CON-5]', () => {
  expect(waysOf({ stunUrl: 'stun:s', turn, turnOnly: true }, 7, 'vet', now)).toMatchObject({
    relay_only: true,
    ice_servers: [{ username: expect.any(String) }],
  })
  const none = { stunUrl: undefined, turn: undefined, turnOnly: false }
  expect(waysOf(none, 7, 'owner', now).ice_servers).toEqual([])
})

it('the connection details of a call are given only to the two sides [CON-5] [SAF-1]', async () => {
  const relayed = await createWorldWithRelay()
  const [owner, vet, colleague] = [await relayed.member(), await relayed.vet(), await relayed.vet()]
  const start = relayed.now()
  const { id } = await relayed.consultOf(owner, { vetId: vet.id, start, vetStart: start })
  const ways = async (who: typeof colleague) =>
    (await who.call(getCall, { consultation: id })).ice_servers.length
  expect([await ways(owner as never), await ways(vet), await ways(colleague)]).toEqual([1, 1, 0])
  await relayed.close()
})

const createWorldWithRelay = () =>
  createWorld({ env: { TURN_URL: 'turn:relay.example:3478', TURN_SECRET: 'shared' } })
