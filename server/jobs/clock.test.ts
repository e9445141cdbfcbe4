import { eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { HOUR } from '#contract/time.ts'
import { sandboxDeliveries } from '#server/db/schema.ts'
import { createWorld } from '#test/world.ts'
import { PaymentsOutOfReach } from '#server/providers/payments.ts'
import { makeClock, type Job, type Lane } from './clock.ts'
import { rowsJob } from './retry-by-row.ts'

it('the clock runs everything that is due when woken, and continues after a failed job', async () => {
  const world = await createWorld()
  let due = 0
  const done: string[] = []
  const jobs: Job[] = [
    { name: 'broken', lane: 'database', run: async () => Promise.reject(new Error('no')) },
    { name: 'counted', lane: 'database', run: async () => (due === 0 ? 0 : (due--, done.push('one'), 1)) },
  ]
  const clock = makeClock(world.world, jobs)
  clock.start()
  due = 3
  clock.wake()
  await expect.poll(() => done.length).toBe(3)
  await clock.stop()
  due = 1
  clock.wake()
  expect(done).toHaveLength(3)
})

it('the clock stops after the current work, however much is due', async () => {
  const world = await createWorld()
  let done = 0
  const clock = makeClock(world.world, [
    {
      name: 'endless',
      lane: 'database',
      run: () => new Promise((resolve) => setImmediate(() => resolve(++done))),
    },
  ])
  clock.start()
  await expect.poll(() => done).toBeGreaterThan(0)
  await clock.stop()
})

it("a job that hangs holds up only its own lane, and a stop doesn't wait for it [OPS-4]", async () => {
  const world = await createWorld()
  const done: string[] = []
  const counts = (name: string, lane: Lane): Job => ({
    name,
    lane,
    run: async () => (done.includes(name) ? 0 : (done.push(name), 1)),
  })
  const clock = makeClock(world.world, [
    { name: 'hangs', lane: 'mail', run: () => new Promise(() => {}) },
    counts('after it', 'mail'),
    counts('refund', 'payments'),
    counts('reminder', 'database'),
  ])
  clock.start()
  await expect.poll(() => done.toSorted()).toEqual(['refund', 'reminder'])
  done.length = 0
  clock.wake()
  await expect.poll(() => done.toSorted()).toEqual(['refund', 'reminder'])
  await clock.stop()
})

it('runs an hourly job again within the hour after a clock that was a day ahead is put right [OPS-4]', async () => {
  const { world } = await createWorld()
  let now = world.now().getTime()
  let ran = 0
  const hourly: Job = { name: 'hourly', lane: 'database', everyMinutes: 60, run: async () => (ran++, 0) }
  const clock = makeClock({ ...world, now: () => new Date(now) }, [hourly])
  const after = async (hours: number) => {
    now += hours * HOUR
    await clock.runDue()
    return ran
  }
  expect([await after(24), await after(-24), await after(0.5), await after(0.5)]).toEqual([1, 2, 2, 3])
})

it('the clock catches up once the server listens, and not while it is being built [BUY-9]', async () => {
  const world = await createWorld({ ticking: true })
  const event = {
    id: 'evt_left',
    object: 'event',
    type: 'charge.succeeded',
    created: 1,
    data: { object: {} },
  }
  await world.add(sandboxDeliveries, { eventId: event.id, event, dueAt: world.now() })
  world.world.wake()
  // Enough turns of the event loop for a started clock to finish.
  for (let turns = 0; turns < 500; turns++) {
    await world.db.execute(sql`select 1`)
    await new Promise((resolve) => setImmediate(resolve))
  }
  world.app.get('/added-last', async () => 'here')
  await world.listen()
  const delivered = async () => {
    const [row] = await world.db
      .select({ at: sandboxDeliveries.deliveredAt })
      .from(sandboxDeliveries)
      .where(eq(sandboxDeliveries.eventId, event.id))
    return row!.at
  }
  await expect.poll(delivered).not.toBeNull()
})

it('a job that goes row by row stops while the payment provider is out of reach, and does not count as failed [OPS-4]', async () => {
  const world = await createWorld()
  const seen: number[] = []
  const job = rowsJob({
    name: 'leave',
    lane: 'payments',
    due: () => Promise.resolve([{ id: 1 }, { id: 2 }]),
    handle: (_world, { id }) => {
      seen.push(id)
      return Promise.reject(new PaymentsOutOfReach('POST /v1/refunds'))
    },
  })
  const clock = makeClock(world.world, [job])
  await clock.runDue()
  await clock.runDue()
  expect(seen).toEqual([1, 1])
  expect(clock.report().jobs).toMatchObject([{ failing: 0, error: null }])
})
