import { Agent, request, type OutgoingHttpHeaders } from 'node:http'
import { randomUUID } from 'node:crypto'
import { startPostgres } from '#test/postgres.ts'
import { DEMO_PASSWORD, emailOf } from '#test/e2e/people.ts'
import { audit, auditSees, settled } from './books.ts'
import { peopleIn, startCluster } from './cluster.ts'
import { pause, percentile, until } from './load.ts'
import type { Drill } from './run.ts'
import { openTalker, type Talker } from './talker.ts'

const CONSULTS = 5
const LONGEST_PAUSE = 60
const CALLERS = 8
const BACK_WITHIN = 2000
const SIGN_IN = ['owner', 'lapsed', 'new', 'petstock', 'vet', 'vet2']
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
  const over = new AbortController()
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
  const done = Array.from({ length: CALLERS }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!over.signal.aborted) {
      const ask = asks[Math.floor(random() * asks.length)]!()
      const outcome = await call(ask, agent)
      calls++
      const name = `${ask.method} ${ask.path.replace(/\d+/g, '*')} ${outcome}`
      if (outcome !== '200') failed[name] = (failed[name] ?? 0) + 1
      await pause(random() * 10)
    }
    agent.destroy()
  })
  return {
    async stop() {
      over.abort()
      await Promise.all(done)
      return { calls, failed }
    },
  }
}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0)

/** Restarts two instances in turn, n times, while people call and talk. Nobody notices. */
export default {
  n: 20,
  async run(n, random) {
    const postgres = await startPostgres()
    const cluster = await startCluster(postgres.url)
    const people = await peopleIn(postgres.url)
    const talkers: Talker[] = []
    const { owner, vet, consultation } = await people.consult()
    for (let at = 0; at < CONSULTS; at++) {
      const { owner, vet, consultation } = await people.consult()
      for (const { token } of [owner, vet])
        talkers.push(openTalker({ url: cluster.url, consultation, token }))
    }
    await until(() => talkers.every((one) => one.isJoined()))
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
        body: { email: emailOf(SIGN_IN[Math.floor(random() * SIGN_IN.length)]!), password: DEMO_PASSWORD },
      }),
    ]
    const over = new AbortController()
    const talking = talkers.map(async (talker, name) => {
      for (let at = 0; !over.signal.aborted; at++) {
        await talker.sendMessage(`${name} says ${at}`)
        await pause(random() * LONGEST_PAUSE)
      }
    })
    const good = visitors(cluster.url, asks, random)
    for (let restarts = 0; restarts < n; restarts++) {
      await pause(200 + random() * 800)
      await cluster.restart(restarts % 2, 'stop')
      await until(() => talkers.every((one) => one.isJoined()))
    }
    const { calls, failed } = await good.stop()
    over.abort()
    await Promise.all(talking)
    const stored = await settled(people.pool, talkers)
    const found = audit(stored, talkers)
    const rejoins = talkers.flatMap((one) => one.rejoins)
    const seesBooks = auditSees(stored, talkers)
    for (const one of talkers) one.close()

    const bad = visitors(cluster.url, asks, random)
    for (let kills = 0; kills < BAD_RESTARTS; kills++) {
      await pause(200 + random() * 800)
      await cluster.restart(kills % 2, 'kill')
    }
    const lostOnes = sum((await bad.stop()).failed)
    await people.close()
    await cluster.remove()
    await postgres.stop()
    const longest = Math.round(Math.max(...rejoins))
    return {
      figure: {
        restarts: n,
        calls,
        failed,
        messages: stored.length,
        ...found,
        reconnects: rejoins.length,
        reconnectMs: { p95: Math.round(percentile(rejoins, 0.95)), max: longest },
        seesFaults: seesBooks && lostOnes > 0,
        failedWhenKilled: lostOnes,
      },
      target: `0 failed calls, 0 messages lost; every socket back within ${BACK_WITHIN} ms`,
      pass:
        sum(failed) === 0 &&
        Object.values(found).every((count) => count === 0) &&
        seesBooks &&
        lostOnes > 0 &&
        rejoins.length > 0 &&
        longest <= BACK_WITHIN,
    }
  },
} satisfies Drill
