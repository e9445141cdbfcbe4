import { and, count, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { expect, it } from 'vitest'
import { login, me } from '#contract/accounts.ts'
import { isLate } from '#contract/consultations.ts'
import { checkLedger } from '#server/ledger/jobs.ts'
import { createWorld } from '#test/world.ts'
import {
  breeds,
  cards,
  consultations,
  ledger,
  messages,
  pawcarePets,
  pets,
  settings,
  subscriptionPets,
  subscriptions,
  customers,
  users,
} from './schema.ts'
import { seed } from './seed.ts'

const DEMO_ON = { demo: true, sites: [] }

const world = await createWorld()
await Promise.all([seed(world.db, DEMO_ON), seed(world.db, DEMO_ON)])

const rowsIn = async (table: PgTable, where?: ReturnType<typeof eq>) =>
  (await world.db.select({ rows: count() }).from(table).where(where))[0]!.rows

async function personCalled(name: string) {
  const email = `${name}@demo.vetchat.example`
  const [row] = await world.rows(users, { email })
  return row!
}

const membershipOf = async (name: string) => {
  const { id } = await personCalled(name)
  return (await world.rows(subscriptions, { userId: id }))[0]
}

/** Each table's number of rows and last write. */
async function everything() {
  const { rows: tables } = (await world.db.execute(
    sql`select tablename from pg_tables where schemaname = 'public' order by 1`,
  )) as unknown as { rows: { tablename: string }[] }
  const state: Record<string, unknown> = {}
  for (const { tablename } of tables) {
    const { rows } = (await world.db.execute(
      sql.raw(`select count(*)::int as rows, max(xmin::text::bigint)::text as written from "${tablename}"`),
    )) as unknown as { rows: unknown[] }
    state[tablename] = rows[0]
  }
  return state
}

it('what every database has is filled in again if something is missing', async () => {
  const before = await rowsIn(breeds)
  await world.db.delete(breeds).where(eq(breeds.name, 'Yorkshire Terrier'))
  await seed(world.db, { demo: false, sites: [] })
  expect(await rowsIn(breeds)).toBe(before)
})

it('the demo is filled once, even by two instances at the same time, and a second start changes nothing', async () => {
  const before = await everything()
  await seed(world.db, DEMO_ON)
  expect(await everything()).toEqual(before)
  expect(await rowsIn(settings, eq(settings.key, 'demo'))).toBe(1)
})

it.each([
  ['owner', 1, 'vetchat'],
  ['lapsed', 1, undefined],
  ['new', 1, undefined],
  ['petstock', 1, 'petstock'],
  ['vet', 2, undefined],
  ['vet2', 2, undefined],
  ['admin', 3, undefined],
])('the demo lets %s@ sign in as a type %i with the membership %s', async (name, type, source) => {
  const email = `${name}@demo.vetchat.example`
  const { token } = await world.nobody.call(login, { email, password: 'Demo1234' })
  const account = await world.nobody.with(token).call(me, {})
  expect(account).toMatchObject({ email, type })
  expect(account.subscription?.source).toBe(source)
})

it("the demo marks every account and every vet's registration as demo [D21, D25]", async () => {
  expect(await rowsIn(users, eq(users.demo, false))).toBe(0)
  const vets = await world.rows(users, { type: 2 })
  expect(vets.every(({ registration }) => registration?.startsWith('DEMO-'))).toBe(true)
})

it('the demo gives owner@ an active membership with three covered pets, a card and a history without an open consultation', async () => {
  const { id } = await personCalled('owner')
  const membership = (await membershipOf('owner'))!
  expect(membership).toMatchObject({ plan: 'annual', status: 'active', end: null, price: 200_000 })
  expect(membership.currentPeriodEnd!.getTime()).toBeGreaterThan(Date.now())
  const held = await world.db
    .select({ place: subscriptionPets.place, speciesId: pets.speciesId, breedId: pets.breedId })
    .from(subscriptionPets)
    .innerJoin(pets, eq(pets.id, subscriptionPets.petId))
    .innerJoin(pawcarePets, and(eq(pawcarePets.petId, pets.id), isNull(pawcarePets.optOut)))
    .where(eq(subscriptionPets.subscriptionId, membership.id))
  expect(held.map(({ place }) => place).toSorted()).toEqual([1, 2, 3])
  expect(held.every(({ speciesId, breedId }) => speciesId <= 2 && breedId !== null)).toBe(true)
  expect(await rowsIn(cards, eq(cards.userId, id))).toBe(1)
  const mine = eq(consultations.userId, id)
  expect(await rowsIn(consultations, and(mine, isNull(consultations.end)))).toBe(0)
  expect(await rowsIn(consultations, and(mine, isNotNull(consultations.end)))).toBeGreaterThan(0)
})

it('the demo has a waiting consult, one in progress and completed ones, with their messages', async () => {
  const found = await world.db.select().from(consultations)
  const waiting = found.filter(({ end, vetId }) => !end && !vetId)
  expect(waiting).toHaveLength(1)
  expect(isLate(waiting[0]!.start, new Date())).toBe(false)
  expect(found.filter(({ end, vetId }) => !end && vetId)).toHaveLength(1)
  expect(found.filter(({ snoozedUntil }) => snoozedUntil)).toHaveLength(1)
  expect(found.filter(({ askedAgainAt }) => askedAgainAt)).toHaveLength(1)
  const owner = await personCalled('owner')
  expect(found.filter(({ end, type, userId }) => end && type < 3 && userId !== owner.id)).toHaveLength(3)
  for (const { id, lastSeq, start } of found) {
    const said = await world.rows(messages, { consultationId: id })
    expect(said).toHaveLength(lastSeq)
    expect(said.every(({ at }) => at > start && at.getTime() <= Date.now())).toBe(true)
  }
})

it('the demo has a payment for all that was bought, and a ledger that adds up here and at the provider', async () => {
  const { id } = await personCalled('owner')
  const paid = await world.db.select().from(ledger).where(eq(ledger.userId, id)).orderBy(ledger.at)
  expect(paid.map(({ what, amount }) => [what, amount])).toEqual([
    ['consult', 450_00],
    ['consult', -150_00],
    ['membership', 2000_00],
  ])
  expect((await checkLedger(world.world, 500)).wrong).toEqual([])
})

it('the demo has the same data at the provider, so that cancelling, restarting and renewing work', async () => {
  const { payments } = world.world
  const known = (await world.db.select().from(subscriptions)).filter(
    ({ stripeSubscription }) => stripeSubscription,
  )
  expect(known.length).toBeGreaterThan(4)
  for (const { stripeSubscription, status, currentPeriodEnd, userId } of known) {
    const [payer] = await world.rows(customers, { userId })
    const told = (await payments.subscription(stripeSubscription!))!
    expect(told).toMatchObject({ status, customer: payer!.stripeCustomer })
    expect(Math.abs(told.currentPeriodEnd.getTime() - currentPeriodEnd!.getTime())).toBeLessThan(1000)
  }
  expect(await payments.cancelAtPeriodEnd('sub_demo_owner', 'demo cancel')).toMatchObject({
    cancelAt: expect.any(Date),
  })
  expect(await payments.restart('sub_demo_owner', 'demo restart')).toMatchObject({ cancelAt: null })
  await world.pass({ days: 370 })
  for (const { status, stripeSubscription } of known) {
    const told = (await payments.subscription(stripeSubscription!))!
    expect(told.status).toBe(status)
    if (status === 'active') expect(told.currentPeriodEnd.getTime()).toBeGreaterThan(world.now().getTime())
  }
})
