import { peopleIn } from '../drills/cluster.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { atOnce } from '#test/at-once.ts'
import { freePort } from '#test/e2e/product.ts'
import { fetched } from './fetched.ts'
import { inTurn, median, startOnPostgres } from './measure.ts'
import { pause, percentile } from '../drills/load.ts'
import { atLeast, atMost, type Row } from './row.ts'

const ROOMS = 100
const ROUNDS = 3
const SECONDS = 4
/** Unacknowledged messages per side at full load. */
const WINDOW = 8
const PACED_PER_SECOND = 200
const MISSED = 20
const REJOINS = 60
const TEXT = 'She ate something in the garden and has been sick twice since. '

/** Fills the database with history: a thousand messages in each of a hundred ended consults. */
const PAST = [
  `insert into consultations (type, region, user_id, pet_id, vet_id, pet_issue, start, vet_start, "end", last_seq)
    select 1, 'za', user_id, pet_id, vet_id, 'Before', start, start, start + interval '9 min', 1000
    from consultations where "end" is null and vet_id is not null limit 100`,
  `insert into messages (consultation_id, seq, client_id, user_id, body, at)
    select id, n, 'before-' || n, user_id, '${TEXT}', "end"
    from consultations cross join generate_series(1, 1000) n where pet_issue = 'Before'`,
  'vacuum analyze',
]

interface Side {
  /** Resolves once the message is acknowledged. */
  sendMessage: (body: string) => Promise<unknown>
  /** Called with every message from the other side. */
  onHeard: (body: string) => void
  close: () => void
}
type Room = [Side, Side]

const opened = (socket: WebSocket) => new Promise((resolve) => socket.addEventListener('open', resolve))

/** Connects one side of a room of the bare server. */
async function bareSide(url: string, room: number): Promise<Side> {
  const socket = new WebSocket(`${url}?room=${room}`)
  const waiting = new Map<number, () => void>()
  let sent = 0
  const side: Side = {
    sendMessage: (body) =>
      new Promise<void>((done) => {
        waiting.set(++sent, done)
        socket.send(JSON.stringify({ id: sent, body }))
      }),
    onHeard: () => {},
    close: () => socket.close(),
  }
  socket.addEventListener('message', ({ data }) => {
    const { id, body } = JSON.parse(String(data)) as { id?: number; body: string }
    if (id === undefined) side.onHeard(body)
    else waiting.get(id)!()
    if (id !== undefined) waiting.delete(id)
  })
  await opened(socket)
  return side
}

/** Connects one side of a consultation with raw protocol frames: a client library would take half the measured time. */
async function chatSide(url: string, token: string, consultation: number, after?: number) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/live/?EIO=4&transport=websocket`)
  const waiting = new Map<number, (answer: unknown) => void>()
  let asked = 0
  const ask = (event: string, input: object) =>
    new Promise<{ ok?: { messages: unknown[] } }>((done) => {
      waiting.set(++asked, done as (answer: unknown) => void)
      socket.send(`42${asked}${JSON.stringify([event, input])}`)
    })
  let admitted: (value: unknown) => void
  const isIn = new Promise((resolve) => (admitted = resolve))
  let said = 0
  const side: Side = {
    sendMessage: (body) =>
      ask('sendMessage', { consultation, client_id: `${token.slice(-12)}-${++said}`, body }),
    onHeard: () => {},
    close: () => socket.close(),
  }
  socket.addEventListener('message', ({ data }) => {
    const frame = String(data)
    if (frame === '2') return socket.send('3')
    if (frame.startsWith('0')) return socket.send(`40${JSON.stringify({ token })}`)
    if (frame.startsWith('40')) return admitted(undefined)
    if (frame.startsWith('44')) throw new Error(`The socket is refused: ${frame}`)
    const [, kind, id, rest] = /^(42|43)(\d*)(.*)$/s.exec(frame) ?? []
    if (kind === '43') {
      waiting.get(Number(id))!(JSON.parse(rest!)[0])
      waiting.delete(Number(id))
    } else if (kind === '42') {
      const [event, payload] = JSON.parse(rest!) as [string, { message: { body: string } }]
      if (event === 'messageSaid') side.onHeard(payload.message.body)
    }
  })
  await isIn
  const answer = await ask('joinRoom', { consultation, ...(after !== undefined && { after }) })
  if (!answer.ok) throw new Error(`The room is closed: ${JSON.stringify(answer)}`)
  return { side, missed: answer.ok.messages }
}

/** Both sides of every room send as fast as they can. Returns the messages received per second. */
async function fullLoad(rooms: Room[]) {
  let heard = 0
  const until = performance.now() + SECONDS * 1000
  for (const side of rooms.flat()) side.onHeard = () => void heard++
  await Promise.all(
    rooms.flat().flatMap((side) =>
      Array.from({ length: WINDOW }, async () => {
        while (performance.now() < until) await side.sendMessage(TEXT)
      }),
    ),
  )
  return heard / SECONDS
}

/** Sends at a steady rate. Returns how long each message took from one side to the other. */
async function paced(rooms: Room[]) {
  const took: number[] = []
  for (const side of rooms.flat())
    side.onHeard = (body) => void took.push(performance.now() - Number(body.slice(TEXT.length)))
  const began = performance.now()
  const said: Promise<unknown>[] = []
  while (said.length < PACED_PER_SECOND * SECONDS) {
    const due = ((performance.now() - began) / 1000) * PACED_PER_SECOND
    while (said.length < due) {
      const side = rooms[said.length % rooms.length]![said.length % 2]!
      said.push(side.sendMessage(`${TEXT}${performance.now()}`))
    }
    await pause(2)
  }
  await Promise.all(said)
  await pause(100)
  return took
}

export default async function chat(): Promise<Row[]> {
  await using started = await startOnPostgres()
  const { product, databaseUrl, env } = started
  await using people = await peopleIn(databaseUrl, env.SECRET)
  const consults = await atOnce(ROOMS, async () => {
    const { owner, vet, consultation } = await people.consult({ vetHere: true })
    return { id: consultation, tokens: [owner.token, vet.token] }
  })
  for (const statement of PAST) await people.pool.query(statement)
  const rooms = await Promise.all(
    consults.map(
      async ({ id, tokens }) =>
        (await Promise.all(
          tokens.map(async (token) => (await chatSide(product.url, token, id)).side),
        )) as Room,
    ),
  )

  const port = await freePort()
  const order = JSON.stringify({ port, databaseUrl, ws: await fetched('ws', '8.18.3') })
  const floor = spawn(process.execPath, [path.join(import.meta.dirname, 'ws-floor.mjs'), order], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
  })
  const kill = () => void floor.kill('SIGKILL')
  process.once('exit', kill)
  await once(floor.stdout, 'data')
  const bare = await Promise.all(
    consults.map(
      async ({ id }) =>
        (await Promise.all([1, 2].map(() => bareSide(`ws://127.0.0.1:${port}/`, id)))) as Room,
    ),
  )

  const load = await inTurn(ROUNDS, { floor: () => fullLoad(bare), product: () => fullLoad(rooms) })
  const took = { floor: [] as number[][], product: [] as number[][] }
  for (let round = 0; round < ROUNDS; round++) {
    took.floor.push(await paced(bare))
    took.product.push(await paced(rooms))
  }

  const { id, tokens } = consults[0]!
  const { missed } = await chatSide(product.url, tokens[0]!, id, 0)
  const last = (missed.at(-1) as { seq: number }).seq
  const rejoins: number[] = []
  for (let at = 0; at < REJOINS; at++) {
    const began = performance.now()
    const { side, missed } = await chatSide(product.url, tokens[at % 2]!, id, last - MISSED)
    rejoins.push(performance.now() - began)
    if (missed.length < MISSED) throw new Error('The missed messages never arrived')
    side.close()
  }
  for (const side of [...rooms, ...bare].flat()) side.close()
  kill()
  const BESIDE = 'beside bare ws that stores in groups'
  return [
    atLeast(0.5, {
      job: `chat: stored and delivered, ${ROOMS} rooms at full load, ${BESIDE}`,
      unit: 'messages/s',
      figure: load.product,
      floor: load.floor,
    }),
    ...(
      [
        ['p50', 0.5, 1.1],
        ['p99', 0.99, 1.5],
      ] as const
    ).map(([name, part, most]) => {
      const of = (rounds: number[][]) => median(rounds.map((round) => percentile(round, part)))
      const job = `chat: delivery ${name} at ${PACED_PER_SECOND} messages/s, ${BESIDE}`
      return atMost(most, { job, unit: 'ms', figure: of(took.product), floor: of(took.floor) })
    }),
    atMost(10, {
      job: `chat: reconnect with ${MISSED} missed messages, sign-in included`,
      unit: 'ms',
      figure: percentile(rejoins, 0.5),
    }),
  ]
}
