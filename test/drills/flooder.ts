import { parentPort, workerData } from 'node:worker_threads'
import { openLive } from './live.ts'
import { pause } from './load.ts'

/** Bytes that may wait on this side, so that the flood reaches the server. */
const AHEAD = 200_000

const { url, token, consultation, forMs, noise } = workerData as {
  url: string
  token: string
  consultation: number
  forMs: number
  /** The server need not answer these, but it has to read them all. */
  noise: boolean
}

/** Sends as fast as the connection allows. Runs on a separate thread, to keep the measurements unaffected. */
let live = await openLive(url, { token })
const until = performance.now() + forMs
let sent = 0
let cutOff = 0
const answers: Record<string, number> = {}
function tally() {
  for (const frame of live.heard.splice(0)) {
    const answer = /^43\d*\[\{(?:"(ok)"|.*"code":"(\w+)")/.exec(frame)
    const name = answer?.[1] ?? answer?.[2]
    if (name) answers[name] = (answers[name] ?? 0) + 1
  }
}
const EVENTS: (() => [string, object])[] = [
  () => ['sendMessage', { consultation, client_id: `flood-${sent}-of-it`, body: 'flood '.repeat(20) }],
  () => ['tellTyping', { consultation, writing: true }],
  () => ['sendMarks', { consultation, delivered: sent, seen: sent }],
  () => ['joinRoom', { consultation, after: 0 }],
]
while (performance.now() < until) {
  if (live.isClosed()) {
    cutOff++
    live = await openLive(url, { token })
    if (!live.admitted) await pause(100)
    continue
  }
  for (let at = 0; at < 100; at++)
    live.send(`42${noise ? '' : ++sent}${JSON.stringify(EVENTS[at % EVENTS.length]!())}`)
  if (noise) sent += 100
  tally()
  await pause(1)
  while (!live.isClosed() && live.unsent() > AHEAD && performance.now() < until) await pause(1)
}
tally()
live.close()
parentPort!.postMessage({ sent, cutOff, answers })
