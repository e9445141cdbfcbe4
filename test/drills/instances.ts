import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { mails } from '#server/db/schema.ts'
import { photo } from '#test/pictures.ts'
import { startPostgres } from '#test/postgres.ts'
import { postmasterOf, processorTimeOfAll } from '../bench/measure.ts'
import { startBucket, startRedis } from './bucket-and-redis.ts'
import { peopleIn, startCluster } from './cluster.ts'
import { openLive } from './live.ts'
import { getAs, pause, percentile, post, postAs, sendFile, until } from './load.ts'
import { startMailServer } from './mail-server.ts'
import type { Drill } from './run.ts'

const MOST_INSTANCES = 3
const MAILS = 60
const CALLERS = 6
/** Until each instance has compiled what it runs often. */
const WARMS = 20_000
const IDLES = 10_000
const CROSSES_WITHIN = 5000
/** As contract/limits.ts has it, for a typed email from one address. */
const WRONG_PASSWORDS = 10

/** So many instances on one PostgreSQL behind nginx, with a bucket, and with Redis or without. */
async function measure(instances: number, withRedis: boolean, seconds: number) {
  await using postgres = await startPostgres()
  using bucket = await startBucket()
  using mail = await startMailServer({})
  using redis = withRedis ? await startRedis() : undefined
  const env = { ...bucket.env, ...mail.env, ...redis?.env }
  await using cluster = await startCluster(postgres.url, { instances, env })
  await using people = await peopleIn(postgres.url)
  const urls = cluster.running.map(({ url }) => url)
  const wrong: string[] = []

  // Events: what is said through one instance is heard on each.
  const took: number[] = []
  const { owner, vet, consultation } = await people.consult()
  const say = (url: string, token: string, consultation: number, body: string) =>
    postAs(url, token, `/consultation/${consultation}/messages`, { client_id: randomUUID(), body })
  const ears = await Promise.all(urls.map((url) => openLive(url, { token: vet.token })))
  for (const ear of ears) await ear.ask('joinRoom', { consultation, after: 0 })
  for (const [from, url] of urls.entries()) {
    const began = performance.now()
    const body = `Said to ${from}`
    await say(url, owner.token, consultation, body)
    const heard = (ear: (typeof ears)[number]) =>
      ear.told('messageSaid').some(({ message }) => (message as { body: string }).body === body)
    if (!(await until(() => ears.every(heard), { every: 2, within: CROSSES_WITHIN })))
      wrong.push(`what was said to instance ${from} isn’t heard on each`)
    took.push(performance.now() - began)
  }
  for (const ear of ears) ear.close()

  // Files: sent through the first instance, read through the last.
  const picture = await photo()
  const paw = new File([new Uint8Array(picture)], 'paw.jpg', { type: 'image/jpeg' })
  await sendFile(urls[0]!, owner.token, { consultation, clientId: randomUUID(), file: paw })
  const opened = await getAs(urls.at(-1)!, vet.token, `/consultation/${consultation}`)
  const cookie = opened.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const read = await getAs(urls.at(-1)!, vet.token, `/consultation/${consultation}/messages`)
  const { messages } = (await read.json()) as { messages: { attachment: { url: string } | null }[] }
  const address = messages.find(({ attachment }) => attachment)?.attachment?.url ?? '/none'
  const file = await fetch(new URL(address, urls.at(-1)), { headers: { cookie } })
  await file.arrayBuffer()
  if (!file.ok) wrong.push(`the photo can’t be read on the last instance: ${address} ${file.status}`)
  if (!bucket.holds(path.parse(address).name)) wrong.push('the photo isn’t in the bucket')

  // Limits: wrong passwords, spread over the instances, are refused after as many as on one.
  let refusedAfter = 0
  for (; refusedAfter <= 2 * WRONG_PASSWORDS; refusedAfter++) {
    const guess = { email: owner.email, password: `Wrong${refusedAfter}` }
    const answer = await post(urls[refusedAfter % instances]!, '/login', guess)
    if (answer.status === 429) break
  }
  if (refusedAfter !== WRONG_PASSWORDS) wrong.push(`${refusedAfter} wrong passwords were let in`)

  // Jobs: each mail is sent once, from any instance.
  const text = { subject: 'Hello', text: 'Hello', html: 'Hello', template: 'welcome', region: 'za' as const }
  await people.db.insert(mails).values(
    Array.from({ length: MAILS }, (_, at) => ({
      ...text,
      to: `one${at}@example.com`,
      messageId: `<one${at}@vetchat>`,
      dueAt: new Date(),
    })),
  )
  const unsent = `select from mails where message_id like '<one%' and sent_at is null`
  await until(async () => (await people.pool.query(unsent)).rowCount === 0)
  const sent = mail.taken.filter(({ to }) => to.startsWith('one'))
  if (sent.length !== MAILS || new Set(sent.map(({ id }) => id)).size !== MAILS)
    wrong.push(`${MAILS} mails were sent ${sent.length} times`)
  const senders = await Promise.all(
    urls.map(async (url) =>
      /vetchat_job_seconds_count\{name="send mails"\} [1-9]/.test(
        await (await fetch(`${url}/api/metrics`)).text(),
      ),
    ),
  )
  if (senders.includes(false)) wrong.push('an instance runs no jobs')

  // Load: owners and vets who talk and look, through nginx.
  const rooms = await Promise.all(Array.from({ length: CALLERS }, () => people.consult()))
  const listening = await Promise.all(
    rooms.flatMap(({ owner, vet, consultation }) =>
      [owner, vet].map(async ({ token }) => {
        const live = await openLive(cluster.url, { token })
        await live.ask('joinRoom', { consultation, after: 0 })
        return live
      }),
    ),
  )
  const processes = {
    instances: cluster.running.map(({ child }) => child.pid!),
    postgres: [await postmasterOf(people.pool)],
    nginx: [cluster.nginx],
    ...(redis && { redis: [redis.pid] }),
  }
  const look = () => Object.values(processes).map((pids) => processorTimeOfAll(pids))
  const idleBefore = look()
  await pause(IDLES)
  const idle = look().map((time, at) => (time - idleBefore[at]!) / IDLES)
  const over = new AbortController()
  let calls = 0
  let failed = 0
  const slow: number[] = []
  const load = rooms.flatMap(({ owner, vet, consultation }) =>
    [owner, vet].map(async ({ token }, which) => {
      const asks = [
        () => say(cluster.url, token, consultation, `From ${which}`),
        () => getAs(cluster.url, token, '/consultation'),
        () => getAs(cluster.url, token, `/consultation/${consultation}/messages`),
        () => fetch(`${cluster.url}/`),
      ]
      for (let at = which; !over.signal.aborted; at++) {
        const began = performance.now()
        const answer = await asks[at % asks.length]!()
        await answer.arrayBuffer()
        slow.push(performance.now() - began)
        calls++
        if (!answer.ok) failed++
      }
    }),
  )
  await pause(WARMS)
  const [before, callsBefore, began] = [look(), calls, performance.now()]
  slow.length = 0
  await pause(seconds * 1000)
  const spent = look().map((time, at) => time - before[at]!)
  const [asked, lasted] = [calls - callsBefore, (performance.now() - began) / 1000]
  over.abort()
  await Promise.all(load)
  if (failed > 0) wrong.push(`${failed} calls failed under load`)
  for (const live of listening) live.close()
  const named = (figure: (at: number) => number) =>
    Object.fromEntries(Object.keys(processes).map((name, at) => [name, figure(at)]))
  return {
    instances,
    redis: withRedis,
    callsPerSecond: Math.round(asked / lasted),
    p95: Math.round(percentile(slow, 0.95)),
    /** Milliseconds of processor time for a thousand calls, and percent of one core with nobody calling. */
    perThousand: named((at) => Math.round((spent[at]! * 1000) / asked)),
    idle: named((at) => Math.round(idle[at]! * 1000) / 10),
    crossesIn: Math.round(Math.max(...took)),
    wrong,
  }
}

/** One to three instances, with Redis and without, each under load for n seconds. Events cross, jobs run once, limits are shared. */
export default {
  n: 15,
  async run(n) {
    const figure: Awaited<ReturnType<typeof measure>>[] = []
    for (const withRedis of [false, true])
      for (let instances = 1; instances <= MOST_INSTANCES; instances++) {
        figure.push(await measure(instances, withRedis, n))
        process.stderr.write(`${JSON.stringify(figure.at(-1))}\n`)
      }
    return {
      figure,
      target:
        'what one instance is told is heard, read, counted and sent once on each; the table says what each part takes',
      pass: figure.every(({ wrong }) => wrong.length === 0),
    }
  },
} satisfies Drill
