import { eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { expect, it } from 'vitest'
import { createWorld } from '#test/world.ts'
import { transaction } from '../context.ts'
import { prepared, type Db } from './client.ts'
import { consultations, pets, summaries, users } from './schema.ts'

const vets = alias(users, 'vets')
const build = (db: Db) =>
  db
    .select({
      id: consultations.id,
      whole: pets,
      some: { mail: users.email, start: consultations.start },
      vet: { name: vets.firstName, outcome: vets.notifications },
      inner: { name: pets.name, said: sql<string>`'x'` },
      summary: summaries.summary,
      times: sql<Date | null>`${consultations.vetStart}`.mapWith(consultations.vetStart),
      named: sql<number>`${consultations.type} + ${sql.placeholder('more')}::int`.mapWith(String).as('named'),
    })
    .from(consultations)
    .innerJoin(users, eq(users.id, consultations.userId))
    .leftJoin(pets, sql`${pets.id} = ${consultations.petId} and ${pets.name} <> 'Nobody'`)
    .leftJoin(vets, eq(vets.id, consultations.vetId))
    .leftJoin(summaries, eq(summaries.consultationId, consultations.id))
    .orderBy(consultations.id)

it("a prepared statement's rows are read as the library reads them, in a transaction too", async () => {
  const world = await createWorld()
  const [owner, vet] = [await world.owner(), await world.vet()]
  const at = world.now()
  for (const [name, taken] of [
    ['Biscuit', { vetId: vet.id, vetStart: at }],
    ['Nobody', {}],
  ] as const) {
    const pet = await world.pet(owner.id, { name })
    await world.consultation({ userId: owner.id, petId: pet.id, start: at, ...taken })
  }
  const statement = prepared((db) => build(db).prepare('rows_test'))
  const slowly = await build(world.db).prepare('rows_test').execute({ more: 1 })
  expect(await statement(world.db).execute({ more: 1 })).toEqual(slowly)
  expect(slowly.map(({ whole, vet, times }) => [whole?.name, vet?.name, times])).toEqual([
    ['Biscuit', 'Thandi', at],
    [undefined, undefined, null],
  ])
  await transaction(world.world, async ({ db }) => {
    const [pet] = await db.update(pets).set({ name: 'Rusk' }).where(eq(pets.name, 'Biscuit')).returning()
    const [inside] = await statement(db).execute({ more: 1 })
    expect([inside!.whole?.name, pet!.name]).toEqual(['Rusk', 'Rusk'])
    if (process.env['TEST_DATABASE_URL']) {
      const [outside] = await statement(world.db).execute({ more: 1 })
      expect(outside!.whole?.name).toBe('Biscuit')
    }
  })
})
