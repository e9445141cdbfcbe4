import { Agent, request } from 'node:http'
import pg from 'pg'
import { hashPassword } from '#server/identity/session.ts'
import { startProduct } from '#test/e2e/product.ts'
import { startPostgres } from '#test/postgres.ts'
import { clusterEnv } from './cluster.ts'
import { percentile } from './load.ts'
import type { Drill } from './run.ts'

const CALLS = {
  login: (email: string) => ({ path: '/api/login', body: { email, password: 'Wrong0ne' } }),
  resetpwdcode: (email: string) => ({ path: '/api/user/resetpwdcode', body: { email } }),
}

/** The probability that a known email takes longer than an unknown one. 0.5 reveals nothing. */
function areaUnderCurve(known: number[], unknown: number[]): number {
  const all = [...known.map((ms) => ({ ms, known: true })), ...unknown.map((ms) => ({ ms, known: false }))]
  all.sort((a, b) => a.ms - b.ms)
  let [ranks, at] = [0, 0]
  while (at < all.length) {
    let end = at
    while (end < all.length && all[end]!.ms === all[at]!.ms) end++
    for (const one of all.slice(at, end)) if (one.known) ranks += (at + end + 1) / 2
    at = end
  }
  return (ranks - (known.length * (known.length + 1)) / 2) / (known.length * unknown.length)
}

/** Measures n pairs in turn over one connection, each from a different address. */
export default {
  n: 2000,
  async run(n, random) {
    await using postgres = await startPostgres()
    await using product = await startProduct({ env: clusterEnv(postgres.url), heard: false })
    const client = new pg.Client(postgres.url)
    await client.connect()
    await client.query(
      `insert into users (public_id, email, password_hash, region)
       select 'drill' || k, 'known' || k || '@example.com', $1, 'za' from generate_series(1, $2::int) k`,
      [await hashPassword('Passw0rd'), n],
    )
    await client.end()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let asked = 0
    const millisecondsOf = ({ path, body }: { path: string; body: object }) =>
      new Promise<number>((resolve, reject) => {
        const text = JSON.stringify(body)
        const network = Math.floor(++asked / 200)
        const headers = {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
          'x-forwarded-for': `10.${network >> 8}.${network & 255}.${asked % 200}`,
        }
        const began = performance.now()
        request({ agent, host: '127.0.0.1', port: product.port, method: 'POST', path, headers }, (answer) => {
          answer.resume().on('end', () => {
            if (answer.statusCode === 429) reject(new Error('The drill ran into a limit'))
            else resolve(performance.now() - began)
          })
        })
          .on('error', reject)
          .end(text)
      })
    const figure: Record<string, object> = {}
    let pass = true
    for (const [name, callOf] of Object.entries(CALLS)) {
      const took = { known: [] as number[], unknown: [] as number[] }
      for (let at = 1; at <= n; at++)
        for (const which of random() < 0.5
          ? (['known', 'unknown'] as const)
          : (['unknown', 'known'] as const))
          took[which].push(await millisecondsOf(callOf(`${which}${at}@example.com`)))
      const auc = Number(areaUnderCurve(took.known, took.unknown).toFixed(3))
      const medianOf = (figures: number[]) => Number(percentile(figures, 0.5).toFixed(2))
      figure[name] = { auc, known: medianOf(took.known), unknown: medianOf(took.unknown) }
      pass &&= auc >= 0.45 && auc <= 0.55
    }
    // Proves that the measurement can find a difference: a malformed request is refused without a password check.
    const [quick, slow]: [number[], number[]] = [[], []]
    for (let at = 0; at < 50; at++) {
      quick.push(await millisecondsOf(CALLS.login('malformed')))
      slow.push(await millisecondsOf(CALLS.login(`unknown${at}x@example.com`)))
    }
    const seen = areaUnderCurve(slow, quick) > 0.9
    agent.destroy()
    return {
      figure: { ...figure, differenceIsSeen: seen },
      target: 'AUC from 0.45 to 0.55 for each call',
      pass: pass && seen,
    }
  },
} satisfies Drill
