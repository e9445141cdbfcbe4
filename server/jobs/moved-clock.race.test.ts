import { expect, it } from 'vitest'
import { HOUR } from '#contract/time.ts'
import { ownPostgres } from '#test/world.ts'
import { openPostgres } from '../db/client.ts'
import { openClock } from './moved-clock.ts'

it('a moved clock moves on every instance, by the sum of all moves, and stays moved after a restart', async () => {
  const url = await ownPostgres(process.env['TEST_DATABASE_URL']!)
  const databases = await Promise.all([1, 2, 3].map(() => openPostgres(url)))
  const [one, other] = await Promise.all(databases.slice(0, 2).map(openClock))
  const ahead = (clock = one!) => Math.round((clock.now().getTime() - Date.now()) / HOUR)
  expect(ahead()).toBeCloseTo(0)
  await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 ? one! : other!).move(HOUR)))
  await expect.poll(() => [ahead(), ahead(other)]).toEqual([20, 20])
  expect(ahead(await openClock(databases[2]!))).toBe(20)
  for (const database of databases) await database.close()
})
