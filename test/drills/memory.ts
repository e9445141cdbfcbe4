import { MINUTE } from '#contract/time.ts'
import { startOnPostgres } from '../bench/measure.ts'
import { peopleIn } from './cluster.ts'
import { openLive } from './live.ts'
import { pause, percentile } from './load.ts'
import type { Drill } from './run.ts'
import { wholeConsult } from './whole-consult.ts'

const CONSULTS_AT_ONCE = 2
const SOCKETS = 10
const READERS = 4
const PAGES = ['/', '/faq', '/api/user/me', '/api/consultation?filter=all', '/api/pet', '/login']
const SAMPLE_EVERY = 5000
const MEBIBYTE = 2 ** 20
/** What may be added from the second to the last third of the run, in MiB. The first third is for warming up. */
const MAY_GROW = { rss: 16, heap: 4 }

interface Minute {
  rss: number
  heap: number
}

/** Growth of the median of all memory, and of the smallest heap, which is what a garbage collection left. */
function growth(minutes: Minute[]): Minute {
  const third = Math.floor(minutes.length / 3)
  const [middle, last] = [minutes.slice(third, -third), minutes.slice(-third)]
  const rssOf = (of: Minute[]) =>
    percentile(
      of.map(({ rss }) => rss),
      0.5,
    )
  const heapOf = (of: Minute[]) => Math.min(...of.map(({ heap }) => heap))
  return { rss: rssOf(last) - rssOf(middle), heap: heapOf(last) - heapOf(middle) }
}

const isFlat = (minutes: Minute[]) => {
  const { rss, heap } = growth(minutes)
  return rss <= MAY_GROW.rss && heap <= MAY_GROW.heap
}

/** The same run with a leak that adds this much to each third. */
const leaking = (minutes: Minute[], { rss, heap }: Minute) =>
  minutes.map((minute, at) => ({
    rss: minute.rss + (3 * rss * at) / minutes.length,
    heap: minute.heap + (3 * heap * at) / minutes.length,
  }))

/** n minutes of gentle load: consults from the purchase to the note, sockets that come and go, readers. Memory stays flat. */
export default {
  n: 60,
  async run(n, random) {
    if (n < 6) throw new Error('Memory is judged by thirds of the run: give it 6 minutes or more')
    await using started = await startOnPostgres()
    const { product, databaseUrl, env } = started
    const { url } = product
    await using people = await peopleIn(databaseUrl, env.SECRET)
    const over = new AbortController()
    const done = { consults: 0, sockets: 0, reads: 0 }
    const failed: string[] = []
    /** Repeats it with pauses of this many seconds on average. */
    async function gently(name: keyof typeof done, seconds: number, once: () => Promise<unknown>) {
      while (!over.signal.aborted) {
        await once().then(
          () => done[name]++,
          (error: Error) => failed.push(`${name}: ${error.message}`),
        )
        await pause(seconds * 2000 * random())
      }
    }
    const owners = await Promise.all(Array.from({ length: SOCKETS }, () => people.member()))
    let guests = 0
    const load = [
      ...Array.from({ length: CONSULTS_AT_ONCE }, () =>
        gently('consults', 8, async () => {
          const { talkers } = await wholeConsult({ url, n: guests++, vet: await people.vet() })
          for (const talker of talkers) talker.close()
        }),
      ),
      ...owners.map(({ token }) =>
        gently('sockets', 2, async () => {
          const live = await openLive(url, { token })
          // A busy machine may take longer than it waits.
          if (!live.admitted && live.answer !== 'silent') throw new Error(live.answer)
          await pause(random() * 15_000)
          live.close()
        }),
      ),
      ...Array.from({ length: READERS }, (_, at) =>
        gently('reads', 0.5, async () => {
          const path = PAGES[Math.floor(random() * PAGES.length)]!
          const answer = await fetch(url + path, {
            headers: { authorization: `Bearer ${owners[at]!.token}` },
          })
          await answer.arrayBuffer()
          if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
        }),
      ),
    ]
    async function look(): Promise<Minute> {
      const text = await (await fetch(`${url}/api/metrics`)).text()
      const valueOf = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)![1]) / MEBIBYTE
      return { rss: valueOf('process_resident_memory_bytes'), heap: valueOf('nodejs_heap_size_used_bytes') }
    }
    const minutes: Minute[] = []
    while (minutes.length < n) {
      const samples: Minute[] = []
      const until = performance.now() + MINUTE
      while (performance.now() < until) {
        await pause(SAMPLE_EVERY)
        samples.push(await look())
      }
      minutes.push({
        rss: Math.round(
          percentile(
            samples.map(({ rss }) => rss),
            0.5,
          ),
        ),
        heap: Math.round(Math.min(...samples.map(({ heap }) => heap)) * 10) / 10,
      })
      process.stderr.write(
        `${minutes.length} min ${JSON.stringify({ ...minutes.at(-1), ...done, failed: failed.length })}\n`,
      )
    }
    over.abort()
    await Promise.all(load)
    const grew = growth(minutes)
    const seesFaults =
      !isFlat(leaking(minutes, { rss: 2 * MAY_GROW.rss, heap: 0 })) &&
      !isFlat(leaking(minutes, { rss: 0, heap: 2 * MAY_GROW.heap }))
    return {
      figure: {
        minutes: n,
        ...done,
        failed: failed.slice(0, 5),
        rss: minutes.map(({ rss }) => rss),
        heap: minutes.map(({ heap }) => heap),
        grewMiB: { rss: Math.round(grew.rss), heap: Math.round(grew.heap * 10) / 10 },
        seesFaults,
      },
      target: `from the second to the last third at most ${MAY_GROW.rss} MiB more resident and ${MAY_GROW.heap} MiB more heap; nothing fails`,
      pass: failed.length === 0 && isFlat(minutes) && seesFaults,
    }
  },
} satisfies Drill
