import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { ownPostgres } from '#test/world.ts'
import { openPostgres } from './client.ts'

it('instances that start at once migrate an empty database once', async () => {
  const url = await ownPostgres(process.env['TEST_DATABASE_URL']!)
  const first = await openPostgres(url)
  for (const statement of [
    'drop schema public cascade',
    'drop schema drizzle cascade',
    'create schema public',
  ])
    await first.db.execute(sql.raw(statement))
  const opened = await Promise.all([1, 2, 3].map(() => openPostgres(url)))
  const { rows } = (await opened[0]!.db.execute(
    sql`select (select count(*)::int from drizzle.__drizzle_migrations) as ran, to_regclass('users') is not null as built`,
  )) as unknown as { rows: object[] }
  expect(rows).toEqual([{ ran: expect.any(Number), built: true }])
  for (const one of [first, ...opened]) await one.close()
})

it('what one instance announces the others hear, also after the connection broke', async () => {
  const url = await ownPostgres(process.env['TEST_DATABASE_URL']!)
  const [one, other] = [await openPostgres(url), await openPostgres(url)]
  let heard = 0
  await other.listen('content', () => void heard++)
  await one.db.execute(sql`notify content`)
  await expect.poll(() => heard).toBe(1)
  await one.db.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and pid <> pg_backend_pid() and datname = current_database()`,
  )
  await expect.poll(() => heard, { timeout: 10_000 }).toBe(2)
  await one.db.execute(sql`notify content`)
  await expect.poll(() => heard).toBe(3)
  await one.close()
  await other.close()
})
