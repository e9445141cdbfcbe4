import { expect, it } from 'vitest'
import { createWorld } from '#test/world.ts'
import { startClock, type Job } from './clock.ts'

it('does what is due when woken, in one go, and goes on after a job that fails', async () => {
  const world = await createWorld()
  let due = 0
  const done: string[] = []
  const jobs: Job[] = [
    { name: 'broken', run: async () => Promise.reject(new Error('no')) },
    { name: 'counted', run: async () => (due === 0 ? 0 : (due--, done.push('one'), 1)) },
  ]
  const clock = startClock(world.world, jobs)
  due = 3
  clock.wake()
  await expect.poll(() => done.length).toBe(3)
  await clock.stop()
  due = 1
  clock.wake()
  expect(done).toHaveLength(3)
  await world.close()
})

it('stops after what it is doing, however much is due', async () => {
  const world = await createWorld()
  let done = 0
  const clock = startClock(world.world, [
    { name: 'endless', run: () => new Promise((resolve) => setImmediate(() => resolve(++done))) },
  ])
  await expect.poll(() => done).toBeGreaterThan(0)
  await clock.stop()
  await world.close()
})
