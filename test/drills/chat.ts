import { startPostgres } from '#test/postgres.ts'
import { audit, auditSees, settled } from './audit.ts'
import { peopleIn, startCluster } from './cluster.ts'
import { pause, spread, until } from './load.ts'
import type { Drill } from './run.ts'
import { openTalker, type Talker } from './talker.ts'

const CONSULTS = 10
const KILLS = 20
const LONGEST_PAUSE = 120
const RETURN_WITHIN = 2000
/** 20 clients send n messages through two instances, one of which is killed again and again. */
export default {
  n: 10_000,
  async run(n, random) {
    await using postgres = await startPostgres()
    await using cluster = await startCluster(postgres.url)
    await using people = await peopleIn(postgres.url)
    const talkers: Talker[] = []
    /** A planted fault: a client in the first consultation that never asks for what it missed. */
    let deaf: Talker | undefined
    for (let at = 0; at < CONSULTS; at++) {
      const { owner, vet, consultation } = await people.consult()
      const of = { url: cluster.url, consultation }
      talkers.push(openTalker({ ...of, token: owner.token }), openTalker({ ...of, token: vet.token }))
      deaf ??= openTalker({ ...of, token: vet.token, resumes: false })
    }
    await until(() => talkers.every((one) => one.isJoined()))

    let kills = 0
    let said = 0
    const share = n / talkers.length
    const talking = Promise.all(
      talkers.map(async (talker, name) => {
        for (let at = 0; at < share; at++) {
          // Clients wait for the kills, so that each one happens during the conversation.
          await until(() => at < ((kills + 1) * share) / KILLS)
          await talker.sendMessage(`${name} says ${at}`)
          said++
          await pause(random() * LONGEST_PAUSE)
        }
      }),
    )
    while (kills < KILLS) {
      const due = ((kills + 0.1 + random() * 0.8) * n) / KILLS
      await until(() => said >= due, { every: 5 })
      const restarted = cluster.restart(random() < 0.5 ? 0 : 1, 'kill')
      kills++
      await restarted
    }
    await talking
    const stored = await settled(people.pool, talkers)
    const found = audit(stored, talkers)
    const rejoins = talkers.flatMap((one) => one.rejoins)
    const reconnectMs = spread(rejoins)
    const deafMissed = audit(stored, [deaf!]).unheard
    const seesFaults = auditSees(stored, talkers) && deafMissed > 0
    for (const one of [...talkers, deaf!]) one.close()
    return {
      figure: {
        messages: stored.length,
        acknowledged: talkers.reduce((sum, one) => sum + one.acknowledged.length, 0),
        kills,
        ...found,
        reconnects: rejoins.length,
        reconnectMs,
        seesFaults,
        deafMissed,
      },
      target: `0 acknowledged lost, 0 doubled, 0 out of order, 0 unheard; reconnect p95 ${RETURN_WITHIN} ms`,
      pass:
        Object.values(found).every((count) => count === 0) &&
        stored.length === n &&
        seesFaults &&
        rejoins.length > 0 &&
        reconnectMs.p95 <= RETURN_WITHIN,
    }
  },
} satisfies Drill
