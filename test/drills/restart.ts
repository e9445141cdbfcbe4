import { Agent, request, type OutgoingHttpHeaders } from 'node:http'
import { randomUUID } from 'node:crypto'
import { pageFiles } from '#server/db/schema.ts'
import { startPostgres } from '#test/postgres.ts'
import { PASSWORD } from '#test/people.ts'
import { audit, auditSees, settled } from './audit.ts'
import { peopleIn, startCluster } from './cluster.ts'
import { pause, percentile, repeating, spread, starvation, until } from './load.ts'
import type { Drill } from './run.ts'
import { buildAgain } from './second-build.ts'
import { openTalkers, talking } from './talker.ts'
import { loadPage, reader } from './whole-pages.ts'

const CONSULTS = 5
const LONGEST_PAUSE = 60
const CALLERS = 8
const BACK_WITHIN = 2000
/** Enough that nobody signs in more often than an account may. */
const SIGN_IN = 50
/** Killed instead of stopped, so calls must fail. */
const BAD_RESTARTS = 4

interface Ask {
  method: 'GET' | 'POST'
  path: string
  token?: string
  body?: object
}

/** Visitors who call without a pause, each on its own keep-alive connection. Returns the failures. */
function visitors(url: string, asks: (() => Ask)[], random: () => number) {
  const failed: Record<string, number> = {}
  let calls = 0
  const call = ({ method, path, token, body }: Ask, agent: Agent) =>
    new Promise<string>((resolve) => {
      const headers: OutgoingHttpHeaders = { ...(token && { authorization: `Bearer ${token}` }) }
      const text = body && JSON.stringify(body)
      if (text) headers['content-type'] = 'application/json'
      const asked = request(url + path, { method, agent, headers }, (answer) => {
        answer
          .resume()
          .on('end', () => resolve(String(answer.statusCode)))
          .on('error', () => resolve('cut'))
      })
      asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'lost')).end(text)
    })
  const agents = Array.from({ length: CALLERS }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  const ends = agents.map((agent) =>
    repeating(async () => {
      const ask = asks[Math.floor(random() * asks.length)]!()
      const outcome = await call(ask, agent)
      calls++
      const name = `${ask.method} ${ask.path.replace(/\d+/g, '*')} ${outcome}`
      if (outcome !== '200') failed[name] = (failed[name] ?? 0) + 1
      await pause(random() * 10)
    }),
  )
  return {
    async stop() {
      await Promise.all(ends.map((end) => end()))
      for (const agent of agents) agent.destroy()
      return { calls, failed }
    },
  }
}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0)

/**
 * Updates two instances in turn to another build and back, n restarts in all, while people open pages, call and talk.
 * Nobody notices.
 */
export default {
  n: 20,
  async run(n, random) {
    using next = buildAgain()
    await using postgres = await startPostgres()
    await using cluster = await startCluster(postgres.url)
    await using people = await peopleIn(postgres.url)
    const { owner, vet, consultation } = await people.consult()
    const emails: string[] = []
    while (emails.length < SIGN_IN) emails.push((await people.person()).email)
    const talkers = await openTalkers(cluster.url, people, CONSULTS)
    const asks: (() => Ask)[] = [
      () => ({ method: 'GET', path: '/' }),
      () => ({ method: 'GET', path: '/api/user/me', token: owner.token }),
      () => ({ method: 'GET', path: '/api/consultation', token: vet.token }),
      () => ({
        method: 'POST',
        path: `/api/consultation/${consultation}/messages`,
        token: owner.token,
        body: { client_id: randomUUID(), body: 'Is it bad?' },
      }),
      // The slowest call, so one is always in progress when an instance stops.
      () => ({
        method: 'POST',
        path: '/api/login',
        body: { email: emails[Math.floor(random() * SIGN_IN)], password: PASSWORD },
      }),
    ]
    const fallSilent = talking(talkers, LONGEST_PAUSE, random)
    const good = visitors(cluster.url, asks, random)
    const reading = reader(cluster.url)
    const waited: number[] = []
    for (let restarts = 0; restarts < n; restarts++) {
      await pause(200 + random() * 800)
      const waitedOf = starvation(cluster.running[1 - (restarts % 2)]!.child.pid!)
      const isUpdate = restarts % 4 < 2
      await cluster.restart(restarts % 2, 'stop', isUpdate ? next.folder : undefined)
      await until(() => talkers.every((one) => one.isJoined()))
      waited.push(waitedOf())
    }
    const read = await reading.stop()
    const { calls, failed } = await good.stop()
    await fallSilent()
    const stored = await settled(people.pool, talkers)
    const found = audit(stored, talkers)
    const rejoins = talkers.flatMap((one) => one.rejoins)
    const seesBooks = auditSees(stored, talkers)
    for (const one of talkers) one.close()

    const bad = visitors(cluster.url, asks, random)
    for (let kills = 0; kills < BAD_RESTARTS; kills++) {
      await pause(200 + random() * 800)
      await cluster.restart(kills % 2, 'kill', kills % 2 === 0 ? next.folder : undefined)
    }
    const lostOnes = sum((await bad.stop()).failed)
    // Neither build has the other's scripts and styles any more.
    await people.db.delete(pageFiles)
    const { missing } = await loadPage(cluster.url, '/login')
    const reconnectMs = spread(rejoins)
    return {
      figure: {
        restarts: n,
        partsOfTheOtherBuild: next.own,
        read,
        calls,
        failed,
        messages: stored.length,
        ...found,
        reconnects: rejoins.length,
        reconnectMs,
        // On a machine that is busy with something else, this explains the times above.
        otherInstanceWaitedForProcessor: Number(percentile(waited, 0.5).toFixed(2)),
        seesFaults: seesBooks && lostOnes > 0 && missing.length > 0,
        failedWhenKilled: lostOnes,
        missingWhenForgotten: missing.length,
      },
      target: `0 pages without a part, 0 failed calls, 0 messages lost; every socket back within ${BACK_WITHIN} ms`,
      pass:
        next.own > 0 &&
        read.pages > 0 &&
        read.brokenPages === 0 &&
        missing.length > 0 &&
        sum(failed) === 0 &&
        Object.values(found).every((count) => count === 0) &&
        seesBooks &&
        lostOnes > 0 &&
        rejoins.length > 0 &&
        reconnectMs.max <= BACK_WITHIN,
    }
  },
} satisfies Drill
