import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { startProduct, type Product } from '#test/e2e/product.ts'
import { startPostgres } from '#test/postgres.ts'
import { atOnce } from '#test/at-once.ts'
import { badFrames } from './bad-frames.ts'
import { clusterEnv, peopleIn } from './cluster.ts'
import { openLive, type Live } from './live.ts'
import { pause, percentile, repeating, visitor } from './load.ts'
import type { Drill } from './run.ts'

const AT_ONCE = 6
const FRAMES_AT_ONCE = 3
const FOREIGN = ['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://localhost', 'file://', 'x']
const FLOOD_MS = 10_000
const NOTICED_AT = 250

type People = Awaited<ReturnType<typeof peopleIn>>
type Consult = Awaited<ReturnType<People['consult']>>

/** Tries everything that an actor may not do in a room. Returns what the server let through. */
async function intrude(url: string, people: People, { owner, vet, consultation }: Consult) {
  const inside = await openLive(url, { token: owner.token })
  await inside.ask('joinRoom', { consultation })
  const accepted: string[] = []
  const refuse = async (who: string, live: Live, event: string, input: object) => {
    const answer = await live.ask(event, input)
    if (answer.ok !== undefined) accepted.push(`${who}: ${event}`)
  }
  const strangers = {
    owner: await people.owner(),
    guest: await people.guest(),
    clinic: await people.clinic(),
  }
  for (const [who, { token }] of Object.entries(strangers)) {
    const live = await openLive(url, { token })
    await refuse(who, live, 'joinRoom', { consultation })
    await refuse(who, live, 'joinRoom', { consultation, after: 0 })
    await refuse(who, live, 'sendMessage', { consultation, client_id: `forged-by-${who}`, body: 'forged' })
    await refuse(who, live, 'sendMarks', { consultation, delivered: 1, seen: 1 })
    await refuse(who, live, 'tellTyping', { consultation, writing: true })
    live.close()
  }
  // Another vet may look into the room, but not say anything.
  const colleague = await openLive(url, { token: (await people.vet()).token })
  await colleague.ask('joinRoom', { consultation })
  await refuse('colleague', colleague, 'sendMessage', {
    consultation,
    client_id: 'forged-by-vet',
    body: 'forged',
  })
  await colleague.ask('sendMarks', { consultation, delivered: 1, seen: 1 })
  colleague.close()

  const forger = await openLive(url, { token: vet.token })
  await forger.ask('joinRoom', { consultation })
  const asOther = { user_id: owner.id, userId: owner.id, seq: 99, side: 'owner', actor: { kind: 'owner' } }
  const true_ = { consultation, client_id: 'said-by-vet', body: 'said by the vet' }
  await forger.ask('sendMessage', { ...true_, ...asOther })
  await inside.ask('sendMessage', { consultation, client_id: 'said-by-owner', body: 'said by the owner' })
  await forger.ask('sendMessage', { consultation, client_id: 'said-by-owner', body: 'forged' })
  await forger.ask('sendMarks', { consultation, delivered: 1, seen: 1, ...asOther })
  await forger.ask('tellTyping', { consultation, writing: true, ...asOther })
  const message = {
    seq: 98,
    client_id: 'pushed',
    user_id: owner.id,
    body: 'forged',
    attachment: null,
    at: '',
  }
  for (const push of ['messageSaid', 'marksMoved', 'someoneTypes', 'consultationChanged'])
    forger.send(`42${JSON.stringify([push, { consultation, message, mark: {}, side: 'owner' }])}`)
  await forger.ask('tellTyping', { consultation, writing: false })
  await pause(200)

  const { rows: stored } = await people.pool.query(
    'select user_id, client_id, body from messages where consultation_id = $1 order by seq',
    [consultation],
  )
  const { rows: marks } = await people.pool.query(
    'select user_id from read_marks where consultation_id = $1',
    [consultation],
  )
  const right = [
    { user_id: vet.id, client_id: 'said-by-vet', body: 'said by the vet' },
    { user_id: owner.id, client_id: 'said-by-owner', body: 'said by the owner' },
  ]
  if (JSON.stringify(stored) !== JSON.stringify(right)) accepted.push(`stored ${JSON.stringify(stored)}`)
  if (marks.some(({ user_id }) => user_id !== vet.id)) accepted.push('mark of another')
  if (inside.heard.some((frame) => frame.includes('forged') || frame.includes('pushed')))
    accepted.push('forged words were told')
  const told = inside.told('messageSaid').map(({ message }) => message as (typeof right)[number])
  const isRight = (one: (typeof right)[number]) =>
    right.some(({ client_id, user_id }) => client_id === one.client_id && user_id === one.user_id)
  if (!told.every(isRight)) accepted.push('words under another name')
  if (inside.told('someoneTypes').some(({ side }) => side !== 'vet'))
    accepted.push('typing as the other side')
  // Proves that the forger was in the room and would have been heard.
  const works = told.length > 0 && inside.told('someoneTypes').length > 0
  inside.close()
  forger.close()
  return { accepted, works }
}

/** Measures the time from one side to the other throughout. */
async function conversation(url: string, { owner, vet, consultation }: Consult) {
  const here = await openLive(url, { token: vet.token })
  const there = await openLive(url, { token: owner.token })
  for (const live of [here, there]) await live.ask('joinRoom', { consultation })
  const took: number[] = []
  const end = repeating(async () => {
    const at = took.length + 1
    const began = performance.now()
    await here.ask('sendMessage', { consultation, client_id: `talk-${consultation}-${at}`, body: `${at}` })
    while (there.told('messageSaid').length < at) await pause(1)
    took.push(performance.now() - began)
    await pause(50)
  })
  return {
    async stop() {
      await end()
      here.close()
      there.close()
      return { p99: Math.round(percentile(took, 0.99)), messages: took.length }
    },
  }
}

async function flood(url: string, { owner, consultation }: Consult, { noise = false } = {}) {
  const workerData = { url, token: owner.token, consultation, forMs: FLOOD_MS, noise }
  const worker = new Worker(new URL('flooder.ts', import.meta.url), { workerData })
  const [flooded] = (await once(worker, 'message')) as [object]
  return flooded
}

/** A planted fault: a server that freezes for a moment. Returns what others notice of it. */
async function standStill({ url, child }: Product, consult: Consult) {
  const [other, talk] = [visitor(url), await conversation(url, consult)]
  await pause(500)
  child.kill('SIGSTOP')
  await pause(2 * NOTICED_AT)
  child.kill('SIGCONT')
  await pause(500)
  return Math.min((await other.stop()).p99, (await talk.stop()).p99)
}

/** Foreign pages, strangers and forgers stay out. n bad frames and a flood from a signed-in person disturb nobody. */
export default {
  n: 100_000,
  async run(n, random) {
    await using postgres = await startPostgres()
    await using product = await startProduct({ env: { ...clusterEnv(postgres.url), LOG_LEVEL: 'silent' } })
    const { url } = product
    await using people = await peopleIn(postgres.url)
    const { token } = await people.owner()
    const accepted: string[] = []
    for (const origin of FOREIGN) {
      const live = await openLive(url, { token, origin })
      if (live.answer !== 'refused') accepted.push(`socket from ${origin}`)
      live.close()
      const polled = await fetch(`${url}/api/live/?EIO=4&transport=polling`, { headers: { origin } })
      if (polled.ok) accepted.push(`polling from ${origin}`)
    }
    const stranger = await openLive(url, {})
    if (stranger.admitted) accepted.push('stranger')
    stranger.close()
    const own = await openLive(url, { token, origin: url })
    const intruded = await intrude(url, people, await people.consult())
    accepted.push(...intruded.accepted)
    const works = own.admitted && intruded.works

    let other = visitor(url)
    let talk = await conversation(url, await people.consult())
    await pause(FLOOD_MS / 2)
    const alone = { ...(await other.stop()), talk: await talk.stop() }

    const frame = badFrames((await people.consult()).consultation, random)
    other = visitor(url)
    talk = await conversation(url, await people.consult())
    let sent = 0
    let cutOff = 0
    const isLetThrough = (heard: string) => /^43\d*\[\{"ok"/.test(heard)
    await atOnce(AT_ONCE, async () => {
      let live = await openLive(url, { token })
      const look = () => accepted.push(...live.heard.filter(isLetThrough))
      while (sent < n) {
        if (live.isClosed()) {
          cutOff++
          look()
          live = await openLive(url, { token })
        }
        // Send few at a time: once a bad frame ends the connection, the server doesn't read the rest.
        for (let at = 0; at < FRAMES_AT_ONCE && sent < n; at++, sent++) live.send(frame())
        await pause(1)
        while (!live.isClosed() && live.unsent() > 0) await pause(1)
      }
      look()
      live.close()
    })
    const besideFrames = { ...(await other.stop()), talk: await talk.stop() }

    other = visitor(url)
    talk = await conversation(url, await people.consult())
    const flooded = await flood(url, await people.consult())
    const besideFlood = { ...(await other.stop()), talk: await talk.stop() }
    other = visitor(url)
    talk = await conversation(url, await people.consult())
    const noisy = await flood(url, await people.consult(), { noise: true })
    const besideNoise = { ...(await other.stop()), talk: await talk.stop() }
    const besideStandstill = await standStill(product, await people.consult())
    const stillThere = !own.isClosed()
    own.close()
    const lives = product.child.exitCode === null && (await fetch(`${url}/api/health`)).ok
    const beside = [besideFrames, besideFlood, besideNoise]
    return {
      figure: {
        accepted,
        works,
        alone,
        frames: sent,
        cutOff,
        besideFrames,
        flooded,
        besideFlood,
        noisy,
        besideNoise,
        besideStandstill,
        stillThere,
        lives,
      },
      target: `0 accepted; others' calls and words p99 under ${NOTICED_AT} ms`,
      pass:
        accepted.length === 0 &&
        works &&
        besideStandstill >= NOTICED_AT &&
        stillThere &&
        lives &&
        beside.every(
          ({ failures, p99, talk }) => failures === 0 && p99 < NOTICED_AT && talk.p99 < NOTICED_AT,
        ),
    }
  },
} satisfies Drill
