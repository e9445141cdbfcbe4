import pg from 'pg'
import { startProduct } from '#test/e2e/product.ts'
import { startPostgres } from '#test/postgres.ts'
import { clusterEnv } from './cluster.ts'
import { pause } from './load.ts'
import { startMailServer } from './mail-server.ts'
import type { Drill } from './run.ts'

const KILLS = 10
const FAILS = 0.3
const WITHIN = 300_000

/** n due mails, a failing mail server, and a product killed again and again. Each mail arrives under one Message-ID. */
export default {
  n: 1000,
  async run(n, random) {
    let isReliable = false
    using server = await startMailServer({ fails: () => !isReliable && random() < FAILS / 4 })
    const { taken } = server
    await using postgres = await startPostgres()
    const env = { ...clusterEnv(postgres.url), ...server.env }
    let product = await startProduct({ env, heard: false })
    const client = new pg.Client(postgres.url)
    await client.connect()
    await client.query(
      `insert into mails (message_id, template, region, "to", subject, text, html, due_at, created_at)
       select '<drill' || k || '@vetchat.example>', 'drill', 'za', 'drill' || k || '@example.com', 'Drill', 'Drill', '<p>Drill', now(), now()
       from generate_series(1, $1::int) k`,
      [n],
    )
    /** Skips the wait for the next try, and for an abandoned claim. */
    const timePasses = (claims: boolean) =>
      client.query(
        `update mails set due_at = least(due_at, now()) ${claims ? ', claimed_until = null' : ''}
         where sent_at is null and failed_at is null and (due_at > now() or ${claims})`,
      )
    const count = async (rows: string) => (await client.query(`select from mails where ${rows}`)).rowCount!
    const unsent = () => count(`template = 'drill' and sent_at is null`)

    const began = performance.now()
    let kills = 0
    while ((await unsent()) > 0 && performance.now() - began < WITHIN) {
      await pause(100 + random() * 400)
      if (kills < KILLS) {
        await product.kill()
        kills++
        await timePasses(true)
        product = await startProduct({ env, dataDir: product.dataDir, heard: false })
      } else {
        isReliable = true
        await timePasses(false)
      }
    }
    const left = await unsent()
    const givenUp = await count('failed_at is not null')
    await client.end()
    await product.remove()

    const idsOf = new Map<string, Set<string>>()
    for (const { id, to } of taken)
      if (to.startsWith('drill')) idsOf.set(to, (idsOf.get(to) ?? new Set()).add(id))
    const otherIds = [...idsOf].filter(
      ([to, ids]) => ids.size !== 1 || !ids.has(`<${to.replace('example.com', 'vetchat.example')}>`),
    )
    return {
      figure: {
        mails: n,
        kills,
        unsent: left,
        givenUp,
        neverArrived: n - idsOf.size,
        otherMessageIds: otherIds.length,
        arrivedAgain: taken.length - idsOf.size,
      },
      target: '0 unsent, one Message-ID each',
      pass: left === 0 && idsOf.size === n && otherIds.length === 0,
    }
  },
} satisfies Drill
