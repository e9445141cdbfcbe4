import { createHmac } from 'node:crypto'
import { eq, like, sql } from 'drizzle-orm'
import { addDays, addMonths } from '#contract/time.ts'
import { openPostgres } from '#server/db/client.ts'
import { ledger, providerEvents, purchases, subscriptions, tries, users } from '#server/db/schema.ts'
import { addMembership } from '#server/memberships/writes.ts'
import { payForConsult } from '#contract/checkout.ts'
import { atOnce } from '#test/at-once.ts'
import { startPostgres } from '#test/postgres.ts'
import { createWorld, ownPostgres, type TestWorld } from '#test/world.ts'
import type { Drill } from './run.ts'

const STEPS = 2
const STEP_DAYS = 31
/** All memberships belong to one person, because creating people and cards is slow. */
const EACH = 25
const SIDE_BY_SIDE = 8
const AGAIN = 0.3
const FORGED = 0.1
const AT_ONCE = 0.4

/** Calculates the expected state of a membership independently. */
interface Expected {
  id: string
  anchor: Date
  periods: number
  renewals: number
  cancels: boolean
  declines: number
  failures: number
  dueAt: Date
  endedAt: Date | null
}

/** The days of the retries after a failed renewal, and then the day that ends it. */
const TRIED_AFTER = [1, 3, 5, 7]

function livesUntil(one: Expected, to: Date) {
  while (one.endedAt === null && one.dueAt <= to) {
    const at = one.dueAt
    if (one.failures > 3 || (one.failures === 0 && one.cancels)) {
      one.endedAt = at
      return
    }
    const since = one.failures === 0 ? at : addMonths(one.anchor, one.periods - 1)
    if (one.failures === 0) one.periods++
    if (one.declines > 0) {
      one.declines--
      one.dueAt = addDays(since, TRIED_AFTER[one.failures++]!)
    } else {
      one.failures = 0
      one.renewals++
      one.dueAt = addMonths(one.anchor, one.periods)
    }
  }
}

interface Post {
  body: string
  signature: string
}

const sign = (body: string, secret: string, at: number) =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`

/** Forged events: with a wrong secret, an old timestamp, or a body other than the signed one. */
function forge({ body }: Post, secret: string, at: number, n: number, random: () => number): Post {
  const lie = body.replace(/"id":"evt_\w+"/, `"id":"evt_forged${n}"`).replace('"active"', '"canceled"')
  const ways = [
    sign(lie, 'whsec_of_somebody_else', at),
    sign(lie, secret, at - 3600),
    sign(lie, secret, at + 3600),
    sign(body, secret, at),
    '',
  ]
  return { body: lie, signature: ways[Math.floor(random() * ways.length)]! }
}

const shuffled = <T>(all: T[], random: () => number): T[] =>
  all
    .map((one) => ({ one, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)

/** Consults whose bank asked a question and whose page was closed. Only the events say how they ended. */
async function challenged(world: TestWorld, n: number, random: () => number) {
  const passed = random() < 0.5
  const email = `webhook${n}@example.com`
  const user = { firstName: 'Drill', lastName: 'Hook', email, mobile: '082 000 0000' }
  const sent = { amount: 45_000, currency: 'zar', consult: 1, user }
  const paid = await world.nobody
    .from(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`)
    .call(payForConsult, { ...sent, card: { token: 'tok_threeDSecure2Required' } })
  await world.world.payments.sandbox!.answerChallenge(paid.client_secret!, passed)
  return { email, passed, purchase: paid.purchase }
}

/** n histories of memberships and purchases, sent twice, shuffled, late and among forgeries. All must end as expected. */
export default {
  n: 5000,
  async run(n, random) {
    await using server = await startPostgres()
    const database = await openPostgres(await ownPostgres(server.url))
    const world = await createWorld({ database })
    const { payments } = world.world
    const secret = payments.sandbox!.webhookSecret
    const box: Post[] = []
    const [renewals, deliveries] = payments.sandbox!.jobs(async (body, signature) => {
      box.push({ body, signature })
      return 200
    })
    let forged = 0
    let forgedTaken = 0
    let refused = 0
    const deliver = async ({ body, signature }: Post) =>
      (
        await world.app.inject({
          method: 'POST',
          url: '/api/stripe/webhook',
          headers: { 'content-type': 'application/json', 'stripe-signature': signature },
          payload: body,
        })
      ).statusCode
    async function deliverAll(posts: Post[]) {
      const at = Math.floor(world.now().getTime() / 1000)
      // A late event has a new signature.
      const fresh = posts.map(({ body }) => ({ body, signature: sign(body, secret, at) }))
      const lies = fresh
        .filter(() => random() < FORGED)
        .map((post) => forge(post, secret, at, ++forged, random))
      const doubled = fresh.filter(() => random() < AGAIN)
      const isLie = new Set(lies)
      const queue = shuffled([...fresh, ...doubled, ...lies], random)
      await atOnce(SIDE_BY_SIDE, async () => {
        for (let post = queue.pop(); post; post = queue.pop()) {
          const status = await deliver(post)
          if (isLie.has(post) && status !== 400) forgedTaken++
          if (!isLie.has(post) && status !== 200) refused++
        }
      })
    }
    /** Delivers some of the waiting events now, and the rest later. */
    async function someArrive(share: number) {
      while ((await deliveries!.run()) > 0) continue
      const now: Post[] = []
      const later: Post[] = []
      for (const post of box.splice(0)) (random() < share ? now : later).push(post)
      box.push(...later)
      await deliverAll(now)
    }

    const began = performance.now()
    const all: Expected[] = []
    const consults: Awaited<ReturnType<typeof challenged>>[] = []
    await world.vet()
    let customer = ''
    let userId = 0
    for (let k = 0; k < n; k++) {
      if (random() < 0.2) {
        const seen = { onDutySince: world.now(), lastSeenAt: world.now() }
        await world.db.update(users).set(seen).where(eq(users.type, 2))
        // They all pay with the sandbox's one card, and no page answers for them.
        await world.db.delete(tries)
        consults.push(await challenged(world, k, random))
        continue
      }
      if (all.length % EACH === 0) {
        const owner = await world.owner()
        userId = owner.id
        customer = await payments.createCustomer(
          { email: owner.email, name: 'Drill', userId },
          `customer ${k}`,
        )
        await payments.saveCard(customer, 'tok_visa', `card ${k}`)
      }
      const order = {
        customer,
        plan: 'monthly',
        amount: 20_000,
        currency: 'zar',
        purchase: 1_000_000 + k,
      } as const
      const begun = await payments.subscribe(order, `membership ${k}`)
      if (begun.state !== 'done') throw new Error(begun.state)
      const { subscription } = begun
      const sold = { userId, plan: 'monthly', region: 'za', price: 20_000, currency: 'zar' } as const
      await addMembership(world.world, subscription, sold)
      all.push({
        id: subscription.id,
        anchor: subscription.currentPeriodStart,
        periods: 1,
        renewals: 0,
        cancels: false,
        declines: 0,
        failures: 0,
        dueAt: subscription.currentPeriodEnd,
        endedAt: null,
      })
    }
    for (let step = 0; step < STEPS; step++) {
      for (const one of all) {
        if (one.endedAt !== null || one.failures > 0) continue
        const deed = random()
        if (deed < 0.2) {
          await payments.cancelAtPeriodEnd(one.id, `cancel ${one.id} ${step}`)
          one.cancels = true
        } else if (deed < 0.3) {
          await payments.cancelAtPeriodEnd(one.id, `cancel ${one.id} ${step}`)
          await payments.restart(one.id, `restart ${one.id} ${step}`)
          one.cancels = false
        } else if (deed < 0.5) {
          one.declines = one.cancels ? 0 : deed < 0.4 ? 1 : 4
          if (one.declines > 0) await payments.sandbox!.arm(`renewal ${one.id}`, 'decline', one.declines)
        } else if (deed < 0.55) {
          await payments.endNow(one.id, `end ${one.id}`)
          one.endedAt = (await payments.subscription(one.id))!.endedAt
        }
      }
      await someArrive(AT_ONCE)
      world.advance({ days: STEP_DAYS })
      const to = world.now()
      while ((await renewals!.run()) > 0) continue
      for (const one of all) livesUntil(one, to)
      await someArrive(AT_ONCE)
    }
    await someArrive(1)

    const rows = await world.db.select().from(subscriptions)
    const renewed = await world.db
      .select({
        id: ledger.subscriptionId,
        times: sql<number>`count(*)::int`,
        sum: sql<number>`sum(${ledger.amount})::int`,
      })
      .from(ledger)
      .where(eq(ledger.what, 'renewal'))
      .groupBy(ledger.subscriptionId)
    const booked = new Map(renewed.map((one) => [one.id, one]))
    const rowOf = new Map(rows.map((row) => [row.stripeSubscription, row]))
    const otherwise = all.filter((one) => {
      const row = rowOf.get(one.id)!
      const status = one.endedAt !== null ? 'canceled' : one.failures > 0 ? 'past_due' : 'active'
      const { times = 0, sum = 0 } = booked.get(row.id) ?? {}
      return (
        row.status !== status ||
        row.endedAt?.getTime() !== one.endedAt?.getTime() ||
        (one.endedAt === null &&
          row.currentPeriodEnd!.getTime() !== addMonths(one.anchor, one.periods).getTime()) ||
        times !== one.renewals ||
        sum !== one.renewals * 20_000
      )
    })
    const bought = await world.db.select().from(purchases).where(like(purchases.email, 'webhook%'))
    const wrongConsults = consults.filter(({ email, passed }) => {
      const row = bought.find((one) => one.email === email)!
      return passed ? row.state !== 'paid' && row.state !== 'delivered' : row.state !== 'refused'
    })
    const [taken] = await world.db
      .select({ n: sql<number>`count(*)::int` })
      .from(providerEvents)
      .where(like(providerEvents.id, 'evt_forged%'))
    const seconds = Math.round((performance.now() - began) / 1000)
    await world.close()
    await database.close()
    return {
      figure: {
        memberships: all.length,
        purchases: consults.length,
        otherwise: otherwise.length,
        purchasesOtherwise: wrongConsults.length,
        forged,
        forgedApplied: forgedTaken + taken!.n,
        refused,
        seconds,
      },
      target: 'all end as worked out beforehand; 0 forged applied, 0 true ones refused',
      pass: otherwise.length + wrongConsults.length + forgedTaken + taken!.n + refused === 0,
    }
  },
} satisfies Drill
