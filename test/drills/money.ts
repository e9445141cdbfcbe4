import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { MINUTE } from '#contract/time.ts'
import { atOnce } from '#test/at-once.ts'
import { startProduct, type Product } from '#test/e2e/product.ts'
import { startPostgres } from '#test/postgres.ts'
import { clusterEnv } from './cluster.ts'
import { ABOUT, askSandbox, begunWith, buyerOf, insist, orderOf, pause } from './load.ts'
import type { Drill } from './run.ts'

const BUYERS = 32
const FAULTS = 0.3
/** The share of buyers who close the page after paying. */
const LEAVES = 0.1
const KILL_EVERY = 10_000
const TARGETS = ['POST /v1/payment_intents', 'POST /v1/customers', 'POST /v1/payment_methods', '*']
const HELD = ['lostAnswer', 'error500'] as const

/** What /pay answers, as far as buyers look at it. */
interface Paid {
  status?: string
  purchase?: string
}

interface Purchase {
  email: string
  /** Whether the product said that it is paid. */
  told: boolean
  /** Whether a good card bought nothing. */
  refused: boolean
}

async function buy(where: () => Product, n: number, random: () => number): Promise<Purchase> {
  const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
  const headers = { 'x-forwarded-for': address, 'idempotency-key': randomUUID() }
  const user = buyerOf(`Number ${n}`, `money${n}@example.com`)
  const isDeclined = random() < 0.05
  const order = orderOf(user, {
    card: { token: isDeclined ? 'tok_chargeDeclined' : 'tok_visa' },
    ...(random() < 0.5 && { details: ABOUT }),
  })
  if (random() < FAULTS)
    await askSandbox(where().url, 'faults', {
      call: TARGETS[Math.floor(random() * TARGETS.length)],
      fault: HELD[Math.floor(random() * HELD.length)],
      times: 1 + Math.floor(random() * 3),
    }).catch(() => {})
  // A double click, or a second tab with the same draft.
  const presses = random() < 0.2 ? 2 : 1
  const leaves = random() < LEAVES
  const [paid] = await atOnce(presses, () => insist<Paid>(where, '/pay', order, headers))
  const told = paid!.status === 200 && paid!.body.status === 'succeeded'
  if (told && !leaves)
    await atOnce(presses, () =>
      insist(where, '/user/newUserConsultation', begunWith(user, paid!.body.purchase), {
        'x-forwarded-for': address,
      }),
    )
  return { email: user.email, told, refused: !told && !isDeclined }
}

/** n purchases under faults, double clicks and kills. Each is charged at most once, and every charge has its consult. */
export default {
  n: 1000,
  async run(n, random) {
    await using postgres = await startPostgres()
    const env = clusterEnv(postgres.url)
    let product = await startProduct({ env })
    const { dataDir } = product
    const where = () => product
    let next = 0
    const over = new AbortController()
    const bought: Purchase[] = []
    const began = performance.now()
    const buyers = Array.from({ length: BUYERS }, async () => {
      while (next < n) bought.push(await buy(where, next++, random))
    })
    let kills = 0
    const killer = (async () => {
      while (!over.signal.aborted) {
        await pause(KILL_EVERY * (0.5 + random()))
        if (over.signal.aborted) return
        await product.kill()
        kills++
        product = await startProduct({ env, dataDir })
      }
    })()
    await Promise.all(buyers)
    over.abort()
    await killer
    const seconds = Math.round((performance.now() - began) / 1000)

    for (const call of TARGETS)
      for (const fault of HELD) await askSandbox(product.url, 'faults', { call, fault, times: 0 })
    // Ten minutes after a buyer closed the page, a job starts the consult.
    await askSandbox(product.url, 'clock', { days: 11 / 1440 })
    const client = new pg.Client(postgres.url)
    await client.connect()
    const charged = `select c.data ->> 'payment_intent' as intent, (c.data -> 'metadata' ->> 'purchase')::int as purchase
      from sandbox_objects c where c.object = 'charge' and c.data -> 'metadata' ? 'purchase'
      and (c.data -> 'metadata' ->> 'purchase')::int in (select id from purchases where kind = 'consult' and email like 'money%')`
    const count = async (query: string) => (await client.query(query)).rowCount!
    const undelivered = `select from (${charged}) c join purchases p on p.id = c.purchase
      where p.state <> 'delivered' or p.consultation_id is null`
    const healed = performance.now()
    while ((await count(undelivered)) > 0 && performance.now() - healed < MINUTE) await pause(250)
    const figure = {
      purchases: bought.length,
      kills,
      seconds,
      charges: await count(charged),
      refused: bought.filter(({ refused }) => refused).length,
      chargedTwice: await count(
        `select p.email from (${charged}) c join purchases p on p.id = c.purchase group by p.email having count(*) > 1`,
      ),
      paidWithoutConsult: await count(undelivered),
      notInTheLedger: await count(
        `select from (${charged}) c where not exists (select from ledger l where l.stripe_id = c.intent)`,
      ),
      ofNoPurchase: await count(
        `select from sandbox_objects o where o.object = 'customer' and o.data ->> 'email' like 'money%'
         and exists (select from sandbox_objects c where c.object = 'charge' and c.customer = o.id)
         and not exists (select from purchases p where p.stripe_customer = o.id)`,
      ),
      toldPaidAndNot: bought.filter(({ told }) => told).length - (await count(charged)),
      settledAfter: Math.round((performance.now() - healed) / 1000),
    }
    await client.end()
    await product.kill()
    await product.remove()
    const { refused, chargedTwice, paidWithoutConsult, notInTheLedger, ofNoPurchase, toldPaidAndNot } = figure
    return {
      figure,
      target:
        '0 refused with a good card, 0 charged twice, 0 paid without a consult after 60 s, every charge in the ledger',
      pass:
        refused + chargedTwice + paidWithoutConsult + notInTheLedger + ofNoPurchase === 0 &&
        toldPaidAndNot <= 0,
    }
  },
} satisfies Drill
