import { count } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { me } from '#contract/accounts.ts'
import { addPet } from '#contract/pets.ts'
import { feedRuns, policies } from '#server/db/schema.ts'
import { atOnce } from '#test/at-once.ts'
import { addedRabbit } from '#test/samples.ts'
import { createWorld } from '#test/world.ts'
import { loadFeed } from './feed-writes.ts'

const world = await createWorld()

const feed = (...lines: string[]) =>
  Buffer.from(['policy,holder_email,pet_name,species,state', ...lines].join('\n'))
const many = (state: string) =>
  feed(
    ...Array.from(
      { length: 1500 },
      (_, n) => `MANY-${n},holder${n}@example.com,Bella,dog,${n < 100 ? state : 'live'}`,
    ),
  )

it('of two parallel loads of one file, one applies it [JOI-10]', async () => {
  const runs = await atOnce(4, () => loadFeed(world.world, 'a.csv', many('live')))
  expect(runs.filter(({ isNew }) => isNew)).toHaveLength(1)
  expect((await world.db.select({ n: count() }).from(policies))[0]!.n).toBe(1500)
  expect(await world.db.select().from(feedRuns)).toHaveLength(1)
})

it('two parallel files are applied one after the other, each as a whole [JOI-10]', async () => {
  const runs = await Promise.all([
    loadFeed(world.world, 'b.csv', many('lapsed')),
    loadFeed(world.world, 'c.csv', many('Lapsed')),
  ])
  expect(runs.map(({ state, lapsed }) => [state, lapsed]).toSorted()).toEqual([
    ['applied', 0],
    ['applied', 100],
  ])
})

it('a policy that lapses while it is bound leaves no membership behind [JOI-10]', async () => {
  for (let round = 0; round < 5; round++) {
    const owner = await world.owner()
    const policy = `BOUND-${round}`
    await world.policy({ policy, holderEmail: owner.email, speciesId: 3 })
    const lapses = feed(`${policy},${owner.email},Pixel,3,lapsed`)
    const [added] = await Promise.all([
      owner.send(addPet, { ...addedRabbit, policy }),
      loadFeed(world.world, 'd.csv', lapses),
    ])
    expect([200, 404]).toContain(added.status)
    const [row] = await world.rows(policies, { policy })
    expect(row!.lapsedAt).not.toBeNull()
    world.advance({ seconds: 1 })
    expect((await owner.call(me, {})).subscription).toBeNull()
  }
})
