import { expect, it } from 'vitest'
import { getConsultation } from '#contract/consultations.ts'
import { getOverview } from '#contract/overview.ts'
import { handBackConsultation, setDuty, takeConsultation } from '#contract/queue.ts'
import { addHours, addMinutes, DAY, HOUR, MINUTE } from '#contract/time.ts'
import { consultations, dayFigures, ledger, ratings, subscriptions } from '#server/db/schema.ts'
import { createWorld } from '#test/world.ts'

/** Johannesburg has no summer time. */
const ZONE = 2 * HOUR

/** Midnight in Johannesburg. The world's clock is at noon of that day. */
const world = await createWorld()
const noon = 12 * HOUR - ZONE
const now = world.now().getTime()
world.advance({ minutes: (DAY - ((now - noon) % DAY)) / MINUTE })
const midnight = world.now().getTime() - 12 * HOUR

const today = (hours: number, minutes = 0) => new Date(midnight + hours * HOUR + minutes * MINUTE)
const dayOf = (at: Date) => new Date(at.getTime() + ZONE).toISOString().slice(0, 10)

const overview = async (days: 1 | 7 | 30 | 90 = 1) => (await world.admin()).call(getOverview, { days })

it('the overview of a region counts consults by their day, and waits until the first vet by the day and by the hour [ADM-7]', async () => {
  const [owner, vet, clinic] = [await world.member(), await world.vet(), await world.clinic()]
  const add = async (start: Date, more: Partial<typeof consultations.$inferInsert> = {}) =>
    (await world.consultOf(owner, { start, ...more })).id
  const after = (start: Date, minutes: number) => addMinutes(start, minutes)
  const taken = (start: Date, minutes: number) => ({ vetId: vet.id, vetStart: after(start, minutes) })
  const left = (start: Date, minutes: number) => ({
    end: after(start, minutes),
    cancelledAt: after(start, minutes),
  })

  await add(today(8), { ...taken(today(8), 4), end: today(8, 20) })
  await add(today(8, 30), { type: 2, ...taken(today(8, 30), 20) })
  // Its second vet came after half an hour.
  await add(today(9), { ...taken(today(9), 30), firstTakenAt: today(9, 6) })
  await add(today(9, 30), left(today(9, 30), 40))
  // These don't count yet: one left, one still waits.
  await add(today(10), left(today(10), 5))
  await add(today(11, 50))
  await add(today(-1, 59), taken(today(-1, 59), 2))
  await add(today(8), { region: 'au', ...taken(today(8), 1) })
  await add(today(7), {
    type: 3,
    clinicId: clinic.id,
    caller: { name: 'Thandi', phone: '082', email: '', pet: 'Biscuit', speciesId: 1 },
    ...taken(today(7), 0),
  })

  const one = await overview()
  expect([one.region, one.from, one.to]).toEqual(['za', dayOf(today(0)), dayOf(today(0))])
  expect(one.by_day).toEqual([
    { day: one.to, text: 5, video: 1, phone: 1, within: 2, late: 2, net: 0, gained: 1, lost: 0 },
  ])
  expect(one.by_hour).toEqual([
    { hour: 8, waits: 2, median: 12, nine_of_ten: 18.4 },
    { hour: 9, waits: 1, median: 6, nine_of_ten: 6 },
  ])
  expect(one.wait).toEqual({
    median: 6,
    longest: { minutes: 40, at: today(9, 30).toISOString() },
  })

  const seven = await overview(7)
  expect(seven.by_day.map(({ day }) => day)).toEqual(
    [6, 5, 4, 3, 2, 1, 0].map((days) => dayOf(today(-24 * days))),
  )
  expect(seven.by_day.map(({ text }) => text)).toEqual([0, 0, 0, 0, 0, 1, 5])
  expect(seven.by_hour.map(({ hour, waits }) => [hour, waits])).toEqual([
    [8, 2],
    [9, 1],
    [23, 1],
  ])
  expect(seven.wait.median).toBe(5)
})

it('the overview of a region adds up what the ledger has, by region, less refunds and disputes [ADM-7]', async () => {
  const [za, au] = [await world.member(), await world.member('au')]
  const entry = async (at: Date, amount: number, more: Partial<typeof ledger.$inferInsert> = {}) => {
    const { subscription } = more.region === 'au' ? au : za
    const row = await world.add(ledger, {
      at,
      kind: 'charge',
      amount,
      currency: 'zar',
      region: 'za',
      what: 'renewal',
      subscriptionId: subscription.id,
      stripeId: `pi_${at.getTime()}_${amount}`,
      ...more,
    })
    return row.id
  }
  const charge = await entry(today(6), 450_00)
  await entry(today(-3), 2000_00)
  await entry(today(7), -150_00, { kind: 'refund', chargeId: charge })
  await entry(today(8), -50_00, { kind: 'refund', chargeId: charge, stripeId: 're_fails' })
  await entry(today(9), 50_00, { kind: 'refund_failed', chargeId: charge, stripeId: 're_fails failed' })
  await entry(today(10), -300_00, { kind: 'dispute', chargeId: charge })
  await entry(today(10), 39_95, { region: 'au', currency: 'aud' })

  const one = await overview()
  expect(one.money).toEqual([
    { region: 'au', currency: 'aud', charged: 3995, refunds: 0, refunded: 0, disputed: 0, net: 3995 },
    {
      region: 'za',
      currency: 'zar',
      charged: 450_00,
      refunds: 2,
      refunded: 150_00,
      disputed: -300_00,
      net: 0,
    },
  ])
  const seven = await overview(7)
  expect(seven.by_day.slice(-2).map(({ net }) => net)).toEqual([2000_00, 0])
  expect(seven.money.at(-1)).toMatchObject({ region: 'za', charged: 2450_00, net: 2000_00 })
})

it('the overview of a region counts people who joined and left, not people who changed plans [ADM-7]', async () => {
  const before = await overview(7)
  const [stays, leaves, changes] = [await world.member(), await world.member(), await world.member()]
  const set = (id: number, values: Partial<typeof subscriptions.$inferInsert>) =>
    world.change(subscriptions, id, values)
  await set(stays.subscription.id, { recurringStart: today(-30) })
  await set(leaves.subscription.id, { recurringStart: today(-24 * 20), endedAt: today(3) })
  await set(changes.subscription.id, { recurringStart: today(-24 * 20), endedAt: today(5) })
  const { id: _, stripeSubscription: __, ...old } = changes.subscription
  await world.add(subscriptions, {
    ...old,
    plan: 'monthly',
    stripeSubscription: 'sub_changed',
    recurringStart: today(5),
  })
  const { by_day, members } = await overview(7)
  const change = (name: 'gained' | 'lost') => by_day.map((row, at) => row[name] - before.by_day[at]![name])
  expect(change('gained')).toEqual([0, 0, 0, 0, 1, 0, 0])
  expect(change('lost')).toEqual([0, 0, 0, 0, 0, 0, 1])
  expect(members).toEqual({
    now: before.members.now + 2,
    gained: before.members.gained + 1,
    lost: before.members.lost + 1,
  })
})

it('the overview of a region sums up the ratings that were given in these days [ADM-7]', async () => {
  const owner = await world.member()
  for (const [stars, words, at] of [
    [5, 'Calm and clear', today(1)],
    [2, '', today(2)],
    [1, '', today(-49)],
  ] as const) {
    const { id } = await world.consultOf(owner, { start: today(-72), end: today(-60) })
    await world.add(ratings, { consultationId: id, stars, words, at })
  }
  expect((await overview()).ratings).toEqual({
    count: 2,
    mean: 3.5,
    with_words: 1,
    stars: [0, 1, 0, 0, 1],
  })
  expect((await overview(7)).ratings).toMatchObject({ count: 3, mean: 2.67 })
})

async function waiting() {
  const { owner, id } = await world.waiting()
  const look = async (reader = owner) =>
    (await reader.call(getConsultation, { id })).consultation.waiting?.minutes
  const told = async () => {
    const [row] = await world.rows(consultations, { id })
    return [row!.toldFrom, row!.toldTo]
  }
  return { owner, id, look, told }
}

it('compares the wait that owners were first told with the wait for their first vet [CON-3] [ADM-7]', async () => {
  // This test has a day of its own.
  world.advance({ days: 2 })
  const estimates = async () => (await overview()).estimates
  const vet = await world.vet()
  expect(await estimates()).toEqual({ told: 0, sooner: 0, within: 0, later: 0, missed: [] })
  const first = await waiting()
  expect([await first.look(), await first.told()]).toEqual([null, [null, null]])
  await vet.call(setDuty, { on: true })
  // Staff who look don't count as telling the owner.
  await vet.call(getConsultation, { id: first.id })
  expect(await first.told()).toEqual([null, null])
  const range = await first.look()
  expect(await first.told()).toEqual(range)

  const [sooner, within, later, untold] = [await waiting(), await waiting(), await waiting(), await waiting()]
  for (const one of [sooner, within, later]) await one.look()
  const kept = await sooner.told()
  // The queue has changed since, but the first answer stays.
  for (const one of [first, sooner]) await one.look()
  expect([await first.told(), await sooner.told()]).toEqual([range, kept])

  for (const [one, toldFrom, toldTo] of [
    [sooner, 5, 9],
    [within, 1, 9],
    [later, 1, 2],
    [first, 1, 3],
  ] as const)
    await world.change(consultations, one.id, { toldFrom, toldTo })
  world.advance({ minutes: 4 })
  await vet.call(setDuty, { on: true })
  for (const { id } of [sooner, within, later, untold]) await vet.call(takeConsultation, { id })
  world.advance({ minutes: 4 })
  await vet.call(takeConsultation, { id: first.id })
  // A later take after a hand-back says nothing about the first wait.
  await vet.call(handBackConsultation, { id: within.id, note: 'My network is bad' })
  world.advance({ minutes: 30 })
  await vet.call(takeConsultation, { id: within.id })
  const found = await estimates()
  expect(found).toMatchObject({ told: 4, sooner: 1, within: 1, later: 2 })
  expect(found.missed.map(({ id, from, to, took }) => [id, from, to, Math.round(took)])).toEqual([
    [first.id, 1, 3, 8],
    [later.id, 1, 2, 4],
    [sooner.id, 5, 9, 4],
  ])
})

it('stores the figures of days that are over, and they are always what counting finds [ADM-7]', async () => {
  const admin = await world.admin()
  const kept = () => world.db.select().from(dayFigures)
  /** Somebody's wait gets longer between two looks. */
  const look = async () => {
    const { wait, ...rest } = await admin.call(getOverview, { days: 90 })
    return { ...rest, wait: { ...wait, longest: wait.longest!.at } }
  }
  const both = async () => {
    const added = await look()
    const rows = await kept()
    await world.db.delete(dayFigures)
    const counted = await look()
    if (rows.length > 0) await world.db.insert(dayFigures).values(rows)
    return { added, counted }
  }
  const runDays = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      await world.pass({ minutes: 1 })
    }
  }
  const [owner, vet] = [await world.member(), await world.vet()]
  const before = (hours: number) => addHours(world.now(), -hours)
  const asked = { userId: owner.id, petId: owner.pet.id }
  await world.consultation({ ...asked, start: before(24 * 20) })
  const old = await world.consultation({
    ...asked,
    start: before(24 * 10),
    vetId: vet.id,
    vetStart: before(24 * 10 - 1),
    end: before(24 * 10 - 2),
    toldFrom: 1,
    toldTo: 3,
  })
  const entry = {
    currency: 'zar',
    region: 'za',
    what: 'renewal',
    subscriptionId: owner.subscription.id,
  } as const
  const charge = await world.add(ledger, {
    ...entry,
    at: old.start,
    kind: 'charge',
    amount: 450_00,
    stripeId: 'pi_of_an_old_day',
  })
  // The job counts seven days of each region a minute.
  await runDays(13)
  const days = await kept()
  expect(days.filter(({ region }) => region === 'au')).toHaveLength(89)
  // While somebody still waits, their day isn't over.
  expect(
    days.some(
      ({ region, begins, ends }) => region === 'za' && begins <= before(24 * 20) && before(24 * 20) < ends,
    ),
  ).toBe(false)
  const first = await both()
  expect(first.added).toEqual(first.counted)
  expect(first.added.wait.median).not.toBe(null)
  expect(first.added.estimates.missed).not.toEqual([])

  // A late change to such a day shows straight away, and its figures are counted again afterwards.
  const dayOfOld = days.find(
    ({ region, begins, ends }) => region === 'za' && old.start >= begins && old.start < ends,
  )!
  await world.change(consultations, old.id, {
    firstTakenAt: null,
    vetStart: addMinutes(old.start, 55),
    end: null,
  })
  await world.add(ratings, { consultationId: old.id, stars: 3, words: 'Late', at: old.start })
  await world.add(ledger, {
    ...entry,
    at: old.start,
    kind: 'refund',
    amount: -1,
    chargeId: charge.id,
    stripeId: 're_told_late',
  })
  const late = await both()
  expect(late.added).toEqual(late.counted)
  expect(late.added.ratings.count).toBe(first.added.ratings.count + 1)
  expect(late.added.by_day).not.toEqual(first.added.by_day)
  await runDays(1)
  const after = await kept()
  expect(after).toHaveLength(days.length)
  expect(
    after.find(({ region, begins }) => region === 'za' && +begins === +dayOfOld.begins)!.figures,
  ).not.toEqual(dayOfOld.figures)
  const again = await both()
  expect(again.added).toEqual(again.counted)
})
