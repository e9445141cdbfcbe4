import { once } from 'node:events'
import path from 'node:path'
import pg from 'pg'
import { PROMISED_MINUTES } from '#contract/consultations.ts'
import { emailOf } from '#test/e2e/people.ts'
import { startProduct, type Product } from '#test/e2e/product.ts'
import { startPostgres } from '#test/postgres.ts'
import { clusterEnv } from './cluster.ts'
import { askSandbox, begunWith, buyerOf, orderOf, pause, post } from './load.ts'
import { startMailServer } from './mail-server.ts'
import type { Drill } from './run.ts'

const LATEST = 5000
const STOP_WITHIN = 10_000
const HEALED_WITHIN = 120_000
const ONE_LANE = `--import=${path.join(import.meta.dirname, 'one-lane.ts')}`

/** How long it takes until `holds` is true, in milliseconds; at most `most`. */
async function took(most: number, holds: () => boolean | Promise<boolean>): Promise<number> {
  const began = performance.now()
  while (!(await holds()) && performance.now() - began < most) await pause(50)
  return Math.round(performance.now() - began)
}

let visitors = 0
const buyer = (email: string) => buyerOf('Buyer', email)
const pay = (url: string, email: string, address: string) => post(url, '/pay', orderOf(buyer(email)), address)
const nextAddress = () => `10.9.${++visitors >> 8}.${visitors & 255}`

async function buyConsult(url: string, email: string) {
  const address = nextAddress()
  const { purchase } = (await (await pay(url, email, address)).json()) as { purchase: string }
  const begun = await post(url, '/user/newUserConsultation', begunWith(buyer(email), purchase), address)
  if (!begun.ok) throw new Error(`A purchase failed: ${begun.status} ${await begun.text()}`)
}

/** A product whose mail server and payment provider can be made to hang. */
async function openStage(env: Record<string, string> = {}) {
  let isSilent = false
  const mails = await startMailServer({ isSilent: () => isSilent })
  const postgres = await startPostgres()
  const given = { ...clusterEnv(postgres.url), ...mails.env, ...env }
  let product: Product = await startProduct({ env: given })
  const { dataDir } = product
  const client = new pg.Client(postgres.url)
  await client.connect()
  const count = async (query: string) => (await client.query(query)).rowCount!
  async function sandbox(what: 'faults' | 'clock', body: object) {
    const answer = await askSandbox(product.url, what, body)
    if (!answer.ok) throw new Error(`The sandbox refused ${what}: ${await answer.text()}`)
  }
  return {
    mails,
    count,
    product: () => product,
    mailHangs: (hangs: boolean) => void (isSilent = hangs),
    paymentsHang: (hangs: boolean) =>
      sandbox('faults', { call: '*', fault: 'hang', times: hangs ? 100_000 : 0 }),
    moveClock: (minutes: number) => sandbox('clock', { days: minutes / 1440 }),
    /** Buys consults that no vet will join. Returns their emails. */
    async buyConsults(n: number, name: string) {
      const emails = Array.from({ length: n }, (_, at) => `${name}${at}@drill.example`)
      for (const email of emails) await buyConsult(product.url, email)
      return emails
    },
    async restart() {
      product = await startProduct({ env: given, dataDir })
    },
    async [Symbol.asyncDispose]() {
      await client.end()
      await product.remove()
      await postgres.stop()
      mails[Symbol.dispose]()
    },
  }
}

const late = (email: string) =>
  `select from mails where "to" = '${email}' and template = 'consult late' and sent_at is not null`
const refunded = (name: string) =>
  `select from ledger r join ledger c on c.id = r.charge_id join purchases p on p.id = c.purchase_id
   where r.kind = 'refund' and p.email like '${name}%@drill.example'`

/** How late mails are while the payment provider hangs. */
async function mailsBesidePayments(stage: Awaited<ReturnType<typeof openStage>>, n: number) {
  const buyers = await stage.buyConsults(n, 'b')
  await stage.paymentsHang(true)
  await stage.moveClock(PROMISED_MINUTES + 1)
  const all = buyers.map(late).join(' union all ')
  return took(2 * LATEST, async () => (await stage.count(all)) === n)
}

export default {
  n: 10,
  async run(n) {
    await using stage = await openStage()
    const { count, mails } = stage

    // The receipts are due, and no mail server takes them.
    stage.mailHangs(true)
    await stage.buyConsults(n, 'a')
    await pause(2000)
    await stage.moveClock(PROMISED_MINUTES + 1)
    const refunds = await took(2 * LATEST, async () => (await count(refunded('a'))) === n)
    stage.mailHangs(false)
    // The demo has one mail that was given up.
    const unsent = `select from mails where sent_at is null and failed_at is null`
    await stage.moveClock(10)
    const mailHealed = await took(HEALED_WITHIN, async () => (await count(unsent)) === 0)

    const sent = await mailsBesidePayments(stage, n)

    stage.mailHangs(true)
    const people = ['owner', 'lapsed', 'new', 'petstock', 'vet', 'vet2', 'admin'].map(emailOf)
    for (const email of people)
      await post(stage.product().url, '/user/resetpwdcode', { email }, nextAddress())
    const codes = `select from mails where template = 'reset code'`
    const resets = await took(2 * LATEST, async () => (await count(codes)) === people.length)

    // Somebody is paying while it stops.
    const paying = pay(stage.product().url, 'paying@drill.example', nextAddress()).catch(() => null)
    await pause(500)
    const { child } = stage.product()
    const began = performance.now()
    const ended = once(child, 'exit') as Promise<[number | null]>
    child.kill('SIGTERM')
    const [code] = await ended
    const stopped = Math.round(performance.now() - began)
    await paying

    stage.mailHangs(false)
    await stage.restart()
    await stage.paymentsHang(false)
    // The next tries are due.
    await stage.moveClock(120)
    const undone = `${unsent} union all select from refunds where due_at is not null
      union all select from purchases where state = 'paying'`
    const healed = await took(HEALED_WITHIN, async () => (await count(undone)) === 0)

    const ofDrill = (email: string) => email.endsWith('@drill.example')
    const ids = mails.taken.filter(({ to }) => ofDrill(to)).map(({ id }) => id)
    const doneOnce = {
      undone: await count(undone),
      refundedTwice: await count(
        `select charge_id from ledger where kind = 'refund' group by charge_id having count(*) > 1`,
      ),
      refundedTwiceAtProvider: await count(
        `select data ->> 'charge' from sandbox_objects where object = 'refund' group by 1 having count(*) > 1`,
      ),
      notRefunded: 2 * n - (await count(refunded('a'))) - (await count(refunded('b'))),
      chargedTwice: await count(
        `select customer from sandbox_objects where object = 'charge' and data -> 'metadata' ? 'purchase'
         group by customer, data -> 'metadata' ->> 'purchase' having count(*) > 1`,
      ),
      mailsTwice: ids.length - new Set(ids).size,
    }

    await using bad = await openStage({ NODE_OPTIONS: ONE_LANE })
    const inOneLane = await mailsBesidePayments(bad, n)

    return {
      figure: {
        latest: { refunds, mails: sent, resets },
        stopped,
        healed: { mails: mailHealed, all: healed },
        ...doneOnce,
        knownBad: { mails: inOneLane },
      },
      target: 'no other job later than 5 s, stopped within 10 s, then everything done once',
      pass:
        Math.max(refunds, sent, resets) <= LATEST &&
        stopped <= STOP_WITHIN &&
        code === 0 &&
        Object.values(doneOnce).every((figure) => figure === 0) &&
        inOneLane > LATEST,
    }
  },
} satisfies Drill
