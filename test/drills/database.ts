import { audit, auditSees, settled } from './audit.ts'
import { peopleIn, startCluster } from './cluster.ts'
import { startFallingPostgres } from './falling-postgres.ts'
import { pause, postAs, spread, statusOf, until } from './load.ts'
import type { Drill } from './run.ts'
import { openTalkers, talking } from './talker.ts'

const CONSULTS = 5
const SIGNERS = 4
const LONGEST_PAUSE = 60
const HEALTHY_WITHIN = 5000
/** Confirms before it writes, so an immediate stop loses acknowledged writes. */
const FORGETFUL = { synchronous_commit: 'off', wal_writer_delay: '10s', commit_delay: '0' }

interface Answers {
  ok: number
  later: number
  wrong: string[]
}

/** Signs sessions out one by one, and records the acknowledged ones. */
async function signOut(url: string, tokens: string[], ended: string[], answers: Answers, over: AbortSignal) {
  for (const token of tokens) {
    if (over.aborted) return
    const answer = await postAs(url, token, '/logout').catch(() => undefined)
    if (answer?.ok) ended.push(token)
    if (answer?.ok) answers.ok++
    else if (answer?.status === 503) answers.later++
    else answers.wrong.push(answer ? `${answer.status} ${await answer.text()}` : 'none')
    await pause(LONGEST_PAUSE)
  }
}

async function stops(n: number, random: () => number, settings: Record<string, string>) {
  await using postgres = await startFallingPostgres(settings)
  await using cluster = await startCluster(postgres.url)
  await using people = await peopleIn(postgres.url)
  const talkers = await openTalkers(cluster.url, people, CONSULTS)
  const over = new AbortController()
  const ended: string[] = []
  const answers: Answers = { ok: 0, later: 0, wrong: [] }
  const owner = await people.owner()
  const fallSilent = talking(talkers, LONGEST_PAUSE, random)
  const load: Promise<void>[] = []
  for (let at = 0; at < SIGNERS; at++) {
    const tokens: string[] = []
    while (tokens.length < n * 60) tokens.push(await people.signIn(owner.id))
    load.push(signOut(cluster.url, tokens, ended, answers, over.signal))
  }
  const healthy: number[] = []
  const speaking: number[] = []
  for (let falls = 0; falls < n; falls++) {
    await pause(300 + random() * 1200)
    await postgres.fall()
    await pause(random() * 3000)
    await postgres.rise()
    const began = performance.now()
    const isWell = async ({ url }: { url: string }) => (await fetch(`${url}/api/health`)).ok
    await until(async () => (await Promise.all(cluster.running.map(isWell))).every(Boolean))
    healthy.push(performance.now() - began)
    const before = talkers.map((one) => one.acknowledged.length)
    await until(() => talkers.every((one, at) => one.isJoined() && one.acknowledged.length > before[at]!))
    speaking.push(performance.now() - began)
  }
  over.abort()
  await Promise.all([...load, fallSilent()])
  const stored = await settled(people.pool, talkers)
  const found = audit(stored, talkers)
  let risen = 0
  for (const token of ended) if ((await statusOf(cluster.url, token)) !== 401) risen++
  for (const one of talkers) one.close()
  return { stored, talkers, found, ended: ended.length, risen, answers, healthy, speaking }
}

/** Stops PostgreSQL n times while people write and sign out. Acknowledged writes survive, and the server recovers without help. */
export default {
  n: 20,
  async run(n, random) {
    const { stored, talkers, found, healthy, speaking, ...rest } = await stops(n, random, {})
    // A planted fault: a database that confirms before it has written.
    const bad = await stops(2, random, FORGETFUL)
    const badLost = bad.found.lost + bad.found.unfounded + bad.risen
    const seesFaults = auditSees(stored, talkers) && badLost > 0
    const { ok, later, wrong } = rest.answers
    return {
      figure: {
        stops: n,
        messages: stored.length,
        ...found,
        signedOut: rest.ended,
        risen: rest.risen,
        calls: { ok, later, wrong: wrong.length },
        healthyMs: spread(healthy),
        speakingMs: spread(speaking),
        seesFaults,
        forgetfulOneLost: badLost,
      },
      target: `0 acknowledged lost, 0 doubled, 0 out of order, 0 risen; refused calls say 503; healthy, and everyone heard again, within ${HEALTHY_WITHIN} ms`,
      pass:
        Object.values(found).every((count) => count === 0) &&
        rest.ended > 0 &&
        rest.risen + wrong.length === 0 &&
        seesFaults &&
        Math.max(...healthy, ...speaking) <= HEALTHY_WITHIN,
    }
  },
} satisfies Drill
