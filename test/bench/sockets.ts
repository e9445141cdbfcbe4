import { peopleIn } from '../drills/cluster.ts'
import { atOnce } from '../at-once.ts'
import { openLive } from '../drills/live.ts'
import { pause } from '../drills/load.ts'
import { processorTime, residentKilobytes, startOnPostgres } from './measure.ts'
import { atMost, type Row } from './row.ts'

const SOCKETS = 5000
const PEOPLE = 100
const AT_ONCE = 50
const RESTS = 10_000
const IDLE_SECONDS = 60

/** Thousands of people with an idle page open: the memory of each, and the processor time of all. */
export default async function sockets(): Promise<Row[]> {
  await using started = await startOnPostgres()
  const { product, databaseUrl, env } = started
  const { url } = product
  const pid = product.child.pid!
  await using people = await peopleIn(databaseUrl, env.SECRET)
  const tokens = await atOnce(PEOPLE, async () => (await people.owner()).token)
  await Promise.all(tokens.map((token) => openLive(url, { token }).then((one) => one.close())))
  await pause(RESTS)
  const alone = residentKilobytes(pid)
  const open: Awaited<ReturnType<typeof openLive>>[] = []
  while (open.length < SOCKETS)
    open.push(
      ...(await atOnce(AT_ONCE, (at) => openLive(url, { token: tokens[(open.length + at) % PEOPLE]! }))),
    )
  const admitted = open.filter((one) => one.admitted).length
  if (admitted < SOCKETS) throw new Error(`${admitted} of ${SOCKETS} sockets were admitted`)
  await pause(RESTS)
  const before = processorTime([pid])
  await pause(IDLE_SECONDS * 1000)
  const share = (processorTime([pid]) - before) / IDLE_SECONDS / 10
  const each = (residentKilobytes(pid) - alone) / SOCKETS
  for (const one of open) one.close()
  return [
    atMost(45, { job: `${SOCKETS} connected sockets: memory of each`, unit: 'kB', figure: each }),
    atMost(5, { job: `${SOCKETS} connected sockets, idle: share of one core`, unit: '%', figure: share }),
  ]
}
