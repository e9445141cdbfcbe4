import { expect, it } from 'vitest'
import { sendMarksByCall, type Message, readMessages, sendMessageByCall } from '#contract/chat.ts'
import { consultations, messages } from '#server/db/schema.ts'
import { cancelConsultation } from '#contract/consultations.ts'
import { atOnce } from '#test/at-once.ts'
import { openSocket } from '#test/open-socket.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()
const address = await world.listen()

/** One page that has the room open. */
async function page(token: string) {
  const socket = openSocket(address, token)
  const said: Message[] = []
  const marks: unknown[] = []
  socket.on('messageSaid', ({ message }: { message: Message }) => void said.push(message))
  socket.on('marksMoved', ({ mark }: { mark: unknown }) => void marks.push(mark))
  return {
    socket,
    said,
    marks,
    ask: (event: string, input: object) => socket.emitWithAck(event, input) as Promise<Answer>,
    heard: (event: string) => new Promise<Record<string, unknown>>((resolve) => socket.once(event, resolve)),
  }
}
interface Answer {
  ok?: { seq: number; at: string; messages: Message[]; marks: object[]; more: boolean }
  code?: string
  errors?: string[]
}

let count = 0
const clientId = () => `message-${++count}`
const written = (consultation: number, body: string) => ({ consultation, client_id: clientId(), body })

/** An owner and a vet in one consultation, which the vet has taken. */
async function consult(values: object = {}) {
  const [owner, vet] = [await world.member(), await world.vet()]
  const start = world.now()
  const row = await world.consultOf(owner, { vetId: vet.id, start, vetStart: start, ...values })
  return { owner, vet, consultation: row.id }
}

/** The same with a page of each in the room: the owner's here and the vet's there. */
async function joined(values: object = {}) {
  const both = await consult(values)
  const [here, there] = [await page(both.owner.token), await page(both.vet.token)]
  for (const one of [here, there]) await one.ask('joinRoom', { consultation: both.consultation })
  return { ...both, here, there }
}

/** Stores this many messages, each with its number as its text. */
async function said(userId: number, consultationId: number, count: number) {
  const numbers = Array.from({ length: count }, (_, at) => at + 1)
  await world.db
    .insert(messages)
    .values(numbers.map((seq) => ({ consultationId, seq, clientId: clientId(), userId, body: `${seq}` })))
  await world.change(consultations, consultationId, { lastSeq: count })
}

it('a message is stored and numbered before it is acknowledged, and reaches the other side [CON-2]', async () => {
  const { owner, vet, consultation, here, there } = await joined()
  const heard = there.heard('messageSaid')
  const { ok } = await here.ask('sendMessage', {
    consultation,
    client_id: 'my-first-1',
    body: 'She ate grapes',
  })
  expect(ok).toMatchObject({ seq: 1, at: expect.any(String) })
  expect(await heard).toMatchObject({
    consultation,
    message: { seq: 1, client_id: 'my-first-1', user_id: owner.id, body: 'She ate grapes' },
  })
  expect((await vet.call(readMessages, { consultation })).messages).toEqual(there.said)
})

it('a message is stored once however often it is sent [CON-2]', async () => {
  const { owner, consultation, here, there } = await joined()
  const once = written(consultation, 'Is it bad?')
  const answers = await Promise.all([1, 2, 3].map(() => here.ask('sendMessage', once)))
  answers.push(await here.ask('sendMessage', once))
  expect(await owner.call(sendMessageByCall, once)).toEqual(answers[0]!.ok)
  expect(new Set(answers.map(({ ok }) => ok!.seq))).toEqual(new Set([1]))
  expect((await owner.call(readMessages, { consultation })).messages).toHaveLength(1)
  await here.ask('sendMessage', written(consultation, 'Hello?'))
  await there.ask('joinRoom', { consultation })
  const heard = new Map(there.said.map(({ seq, body }) => [seq, body]))
  expect([...heard]).toEqual([
    [1, 'Is it bad?'],
    [2, 'Hello?'],
  ])
})

it('a message is pushed again as stored when it is sent again, in case the server died before it pushed it [CON-2]', async () => {
  const { owner, consultation, here, there } = await joined()
  const stored = { consultationId: consultation, seq: 1, clientId: clientId(), userId: owner.id }
  await world.add(messages, { ...stored, body: 'She ate grapes', at: world.now() })
  const heard = there.heard('messageSaid')
  await here.ask('sendMessage', { consultation, client_id: stored.clientId, body: 'Something else' })
  expect(await heard).toMatchObject({ message: { seq: 1, user_id: owner.id, body: 'She ate grapes' } })
})

it('a message has the same position for everyone when all write at the same time [CON-2]', async () => {
  const { owner, vet, consultation } = await consult()
  const other = await consult()
  const [here, there] = [await page(owner.token), await page(vet.token)]
  for (const one of [here, there]) await one.ask('joinRoom', { consultation })
  const all = await Promise.all(
    Array.from({ length: 60 }, (_, at) =>
      [here, there][at % 2]!.ask('sendMessage', written(consultation, `${at}`)),
    ).concat(owner.send(sendMessageByCall, written(other.consultation, 'x')) as never),
  )
  const numbers = all.slice(0, 60).map(({ ok }) => ok!.seq)
  expect(new Set(numbers).size).toBe(60)
  const { messages } = await vet.call(readMessages, { consultation, after: 0 })
  expect(messages.map(({ seq }) => seq)).toEqual(numbers.toSorted((a, b) => a - b))
  const byOwner = messages.filter(({ user_id }) => user_id === owner.id).map(({ body }) => Number(body))
  expect(byOwner).toEqual(byOwner.toSorted((a, b) => a - b))
})

it('a message is never missed: a page joins the room first, then loads what came after its last number [CON-2]', async () => {
  const { owner, vet, consultation } = await consult()
  await said(owner.id, consultation, 230)
  const late = await page(vet.token)
  const { ok: missed } = await late.ask('joinRoom', { consultation, after: 20 })
  expect([missed!.messages.length, missed!.messages[0]!.seq, missed!.more]).toEqual([200, 21, true])
  const { ok: rest } = await late.ask('joinRoom', { consultation, after: 220 })
  expect([rest!.messages.map(({ seq }) => seq)[0], rest!.messages.length, rest!.more]).toEqual([
    221,
    10,
    false,
  ])
  const { ok: latest } = await late.ask('joinRoom', { consultation })
  expect([latest!.messages.length, latest!.messages.at(-1)!.body, latest!.more]).toEqual([50, '230', true])
  const older = await vet.call(readMessages, { consultation, before: 181 })
  expect([older.messages.length, older.messages.at(-1)!.seq, older.more]).toEqual([50, 180, true])
})

it('a message can be anything that people write: long, in any script, emoji, with markup [CON-2]', async () => {
  const { owner, consultation } = await consult()
  const bodies = [
    'a'.repeat(10_000),
    '🐶👩‍⚕️🏽'.repeat(50),
    'הכלבה שלי \u202Eאכלה',
    '<script>alert(1)</script>',
    "'; drop table messages; --",
    ' \n spaced \n ',
  ]
  for (const body of bodies) await owner.call(sendMessageByCall, written(consultation, body))
  const { messages } = await owner.call(readMessages, { consultation })
  expect(messages.map(({ body }) => body)).toEqual(bodies)
  for (const [body, words] of [
    ['a'.repeat(10_001), 'A message can be up to 10,000 characters long.'],
    ['  \n ', 'There’s nothing to send yet.'],
  ] as const) {
    const refused = await owner.send(sendMessageByCall, written(consultation, body))
    expect([refused.status, refused.body.fields!['body']]).toEqual([400, words])
  }
})

it('a message can be one of a thousand, which can be read in either direction [CON-2]', async () => {
  const { owner, vet, consultation } = await consult()
  await said(owner.id, consultation, 900)
  const here = await page(owner.token)
  await atOnce(100, (at) => here.ask('sendMessage', written(consultation, `${901 + at}`)))
  const forward: string[] = []
  for (let after = 0, more = true; more;) {
    const read = await vet.call(readMessages, { consultation, after })
    forward.push(...read.messages.map(({ body }) => body))
    after = read.messages.at(-1)!.seq
    more = read.more
  }
  // A hundred messages sent in parallel have one order for everyone.
  const numbers = forward.map(Number).toSorted((a, b) => a - b)
  expect(numbers).toEqual(Array.from({ length: 1000 }, (_, at) => at + 1))
  const backward: string[] = []
  for (let before: number | undefined, more = true; more;) {
    const read = await vet.call(readMessages, { consultation, ...(before && { before }) })
    backward.unshift(...read.messages.map(({ body }) => body))
    before = read.messages[0]!.seq
    more = read.more
  }
  expect(backward).toEqual(forward)
})

it('a message can be long; one read then returns fewer of them, and the next reads the rest [CON-2, SAF-5]', async () => {
  const { owner, vet, consultation } = await consult()
  const long = (at: number) => `${at} `.padEnd(9000, '🐶')
  for (let at = 1; at <= 25; at++) await owner.call(sendMessageByCall, written(consultation, long(at)))
  const numbers: number[] = []
  for (let after = 0, more = true; more;) {
    const read = await vet.call(readMessages, { consultation, after })
    expect(read.messages.length).toBeLessThan(5)
    numbers.push(...read.messages.map(({ seq }) => seq))
    after = numbers.at(-1)!
    more = read.more
  }
  expect(numbers).toEqual(Array.from({ length: 25 }, (_, at) => at + 1))
  const latest = await vet.call(readMessages, { consultation })
  expect([latest.messages.length, latest.messages.at(-1)!.seq, latest.more]).toEqual([4, 25, true])
})

it("a message has the server's time, whatever the phone's clock says [CON-2]", async () => {
  const { owner, vet, consultation } = await consult()
  const say = (who: typeof owner | typeof vet, at: string) =>
    who.send(sendMessageByCall, { consultation, client_id: clientId(), body: 'x', at, seq: 99 })
  const from = world.now()
  await say(owner, '2031-01-01T00:00:00.000Z')
  await say(vet, '1999-01-01T00:00:00.000Z')
  const { messages } = await owner.call(readMessages, { consultation })
  expect(messages.map(({ seq, user_id }) => [seq, user_id])).toEqual([
    [1, owner.id],
    [2, vet.id],
  ])
  for (const { at } of messages) {
    expect(Date.parse(at)).toBeGreaterThanOrEqual(from.getTime())
    expect(Date.parse(at)).toBeLessThanOrEqual(world.now().getTime())
  }
})

it('a consultation is read and written by its owner, its guest and our vets; nobody else finds it [CON-1]', async () => {
  const { owner, vet, consultation } = await consult()
  const [stranger, guest, colleague] = [await world.member(), await world.guest(), await world.vet()]
  for (const reader of [owner, vet, colleague])
    expect((await reader.send(readMessages, { consultation })).status).toBe(200)
  for (const other of [stranger, guest]) {
    const tried = await page(other.token)
    expect((await tried.ask('joinRoom', { consultation })).code).toBe('NOT_FOUND')
    expect((await tried.ask('sendMessage', written(consultation, 'x'))).code).toBe('NOT_FOUND')
    expect((await tried.ask('tellTyping', { consultation, writing: true })).code).toBe('NOT_FOUND')
    expect((await other.send(sendMarksByCall, { consultation, delivered: 1, seen: 1 })).status).toBe(404)
  }
  const own = guest.consultation.id
  expect(await guest.call(sendMessageByCall, written(own, 'Hello'))).toMatchObject({
    seq: 1,
  })
  const { messages } = await guest.call(readMessages, { consultation: own })
  expect(messages[0]!.user_id).toBe(guest.user.id)
})

it('a consultation is written to by one vet only: the one who has taken it [CON-6]', async () => {
  const { consultation } = await consult()
  const colleague = await world.vet()
  expect(await colleague.refusal(sendMessageByCall, written(consultation, 'Hello'))).toBe(
    'CONSULT_NOT_YOURS_TO_ANSWER',
  )
})

it('a consultation takes no message from owners who left the queue; it is refused, not lost [CON-3]', async () => {
  const { owner, id } = await world.waiting()
  const here = await page(owner.token)
  await here.ask('joinRoom', { consultation: id })
  await owner.call(cancelConsultation, { id })
  const message = written(id, 'One more thing')
  expect(await here.ask('sendMessage', message)).toMatchObject({
    code: 'CONSULT_ENDED',
    errors: ['This consult has ended. What you wrote is still here, so you can copy it.'],
  })
  expect((await owner.call(readMessages, { consultation: id })).messages).toEqual([])
})

it("a consultation takes the owner's messages for 48 hours after the end, and then says why not [CON-3]", async () => {
  const { owner, consultation } = await consult()
  await world.db.update(consultations).set({ end: world.now() })
  const message = () => written(consultation, 'She is better')
  expect((await owner.send(sendMessageByCall, message())).status).toBe(200)
  world.advance({ hours: 49 })
  expect(await owner.with(await world.signIn(owner.id)).refusal(sendMessageByCall, message())).toBe(
    'CONSULT_ENDED',
  )
})

it('the room pushes marks, which only move forward and not past the last message [CON-3]', async () => {
  const { owner, vet, consultation } = await consult()
  const here = await page(owner.token)
  await here.ask('joinRoom', { consultation })
  for (let at = 0; at < 3; at++) await owner.call(sendMessageByCall, written(consultation, 'x'))
  const heard = here.heard('marksMoved')
  await vet.call(sendMarksByCall, { consultation, delivered: 3, seen: 2 })
  expect(await heard).toEqual({ consultation, mark: { user_id: vet.id, delivered: 3, seen: 2 } })
  await vet.call(sendMarksByCall, { consultation, delivered: 1, seen: 1 })
  await vet.call(sendMarksByCall, { consultation, delivered: 99, seen: 3 })
  const { marks } = await owner.call(readMessages, { consultation })
  expect(marks).toEqual([{ user_id: vet.id, delivered: 3, seen: 3 }])
  const looking = await world.vet()
  await looking.call(sendMarksByCall, { consultation, delivered: 3, seen: 3 })
  expect((await owner.call(readMessages, { consultation })).marks).toHaveLength(1)
})

it("the room shows typing to the others and doesn't store it [CON-3]", async () => {
  const { consultation, here, there } = await joined()
  const heard = here.heard('someoneTypes')
  await there.ask('tellTyping', { consultation, writing: true })
  expect(await heard).toEqual({ consultation, side: 'vet', writing: true })
  await here.ask('leaveRoom', { consultation })
  expect((await here.ask('tellTyping', { consultation, writing: true })).code).toBe('NOT_FOUND')
})

it('a vet who only looks at a case isn’t shown as typing [CON-3] [VET-7]', async () => {
  const { owner, consultation, here, there } = await joined()
  const looking = await page((await world.vet()).token)
  await looking.ask('joinRoom', { consultation })
  const typed: unknown[] = []
  here.socket.on('someoneTypes', (heard) => void typed.push(heard))
  await looking.ask('tellTyping', { consultation, writing: true })
  const said = here.heard('messageSaid')
  await there.ask('tellTyping', { consultation, writing: true })
  await owner.call(sendMessageByCall, written(consultation, 'Hello?'))
  await said
  expect(typed).toEqual([{ consultation, side: 'vet', writing: true }])
})

it('a program’s endless typing, and marks that don’t move, reach nobody’s page [CON-3] [SAF-5]', async () => {
  const { owner, consultation, here, there } = await joined({ lastSeq: 1 })
  let typed = 0
  there.socket.on('someoneTypes', () => void typed++)
  const pages = [here, ...(await Promise.all(Array.from({ length: 4 }, () => page(owner.token))))]
  for (const one of pages) await one.ask('joinRoom', { consultation })
  const since = performance.now()
  for (let n = 0; n < 30; n++)
    for (const one of pages) await one.ask('tellTyping', { consultation, writing: n % 2 === 0 })
  const most = 2 + (performance.now() - since) / 250
  for (let n = 0; n < 3; n++) await here.ask('sendMarks', { consultation, delivered: 1, seen: 1 })
  const said = there.heard('messageSaid')
  await here.ask('sendMessage', written(consultation, 'Hello?'))
  await said
  expect(typed).toBeGreaterThan(0)
  expect(typed).toBeLessThanOrEqual(most)
  expect(there.marks).toEqual([{ user_id: owner.id, delivered: 1, seen: 1 }])
})
