import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { expect, it } from 'vitest'
import { me } from '#contract/accounts.ts'
import { passingOn } from '#test/falls-silent.ts'
import { createWorld, ownPostgres } from '#test/world.ts'
import { openPostgres } from './client.ts'
import { isOutOfReach } from './errors.ts'

it('instances that start at the same time migrate an empty database once', async () => {
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

/** A folder with all migrations and one more. */
function migrationsAnd(statements: string) {
  const migrations = mkdtempSync(path.join(tmpdir(), 'vetchat-migrations-'))
  cpSync(new URL('./migrations', import.meta.url), migrations, { recursive: true })
  const journal = path.join(migrations, 'meta/_journal.json')
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'))
  const next = { ...entries.at(-1), idx: entries.length, when: entries.at(-1).when + 1, tag: '9999_next' }
  writeFileSync(journal, JSON.stringify({ ...rest, entries: [...entries, next] }))
  writeFileSync(path.join(migrations, '9999_next.sql'), statements)
  return migrations
}

async function readerOf(url: string, table: string) {
  const reader = new pg.Client({ connectionString: url })
  await reader.connect()
  await reader.query('begin')
  await reader.query(`select count(*) from ${table}`)
  return reader
}

/** How many migrations wait for a reader. */
const waiting = async (reader: pg.Client) =>
  (await reader.query("select 1 from pg_locks where mode = 'AccessExclusiveLock' and not granted")).rowCount

it('a migration that has to wait for a table lets the other instance work, and runs when the table is free [OPS-3]', async () => {
  const url = await ownPostgres(process.env['TEST_DATABASE_URL']!)
  const running = await openPostgres(url)
  const migrations = migrationsAnd('alter table users add column next int')

  const reader = await readerOf(url, 'users')
  const updating = openPostgres(url, { migrations })
  await expect.poll(() => waiting(reader), { timeout: 20_000 }).toBe(1)
  // This read waits behind the migration, which gives up although the first reader is still there.
  await running.db.execute(sql`select count(*) from users`)
  await reader.query('commit')
  const updated = await updating
  await updated.db.execute(sql`select next from users limit 1`)
  await reader.end()
  await updated.close()
  await running.close()
  rmSync(migrations, { recursive: true })
})

it('a migration of two tables that deadlocks with a reader is tried again [OPS-3]', async () => {
  const url = await ownPostgres(process.env['TEST_DATABASE_URL']!)
  const migrations = migrationsAnd(
    'alter table users add column next int;--> statement-breakpoint\nalter table pets add column next int',
  )
  const reader = await readerOf(url, 'pets')
  // PostgreSQL ends the side that looks for a deadlock first.
  await reader.query("set deadlock_timeout = '1min'")
  const updating = openPostgres(url, { migrations })
  await expect.poll(() => waiting(reader), { timeout: 20_000 }).toBe(1)
  await reader.query('select count(*) from users')
  await reader.end()
  const updated = await updating
  await updated.db.execute(sql`select next from users limit 1`)
  await updated.close()
  rmSync(migrations, { recursive: true })
})

it('an index is built while others write, also after a start that was killed half-way [OPS-3]', async () => {
  const url = await ownPostgres(process.env['TEST_DATABASE_URL']!)
  const running = await openPostgres(url)
  await running.db.execute(sql`create index next on users (first_name)`)
  await running.db.execute(sql`update pg_index set indisvalid = false where indexrelid = 'next'::regclass`)
  const migrations = migrationsAnd(
    'create table things (id int);--> statement-breakpoint\n' +
      'create index if not exists "things_id" on "things" ("id");--> statement-breakpoint\n' +
      'create index if not exists "next" on "users" ("last_name")',
  )

  const writer = new pg.Client({ connectionString: url })
  await writer.connect()
  await writer.query('begin')
  await writer.query("update users set last_name = 'Held'")
  const updating = Promise.all([openPostgres(url, { migrations }), openPostgres(url, { migrations })])
  const waiting = sql`select from pg_stat_activity where query like '%index concurrently%' and wait_event_type = 'Lock'`
  const rowsOf = async () =>
    ((await running.db.execute(waiting)) as unknown as { rows: object[] }).rows.length
  await expect.poll(rowsOf, { timeout: 20_000 }).toBe(1)
  // A plain index would make this update wait.
  await running.db.execute(sql`update users set first_name = 'Written' where id = -1`)
  await writer.query('commit')
  const updated = await updating
  const { rows } = (await running.db.execute(
    sql`select indisvalid, pg_get_indexdef(indexrelid) like '%(last_name)' as is_new from pg_index
        where indexrelid in ('next'::regclass, 'things_id'::regclass) order by 1, 2`,
  )) as unknown as { rows: object[] }
  expect(rows).toEqual([
    { indisvalid: true, is_new: false },
    { indisvalid: true, is_new: true },
  ])
  await writer.end()
  for (const one of [...updated, running]) await one.close()
  rmSync(migrations, { recursive: true })
})

it('other instances hear what one announces, even after the connection broke', async () => {
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
})

/** The address of a database through connections that can fall silent. */
async function throughOther(url: string) {
  const { searchParams, pathname, username } = new URL(url)
  const between = await passingOn({ path: path.join(searchParams.get('host')!, '.s.PGSQL.5432') })
  return { between, through: `postgresql://${username}@127.0.0.1:${between.port}${pathname}` }
}

it('an instance whose idle connections fell silent, as behind a firewall, replaces them after one short wait', async () => {
  const { between, through } = await throughOther(await ownPostgres(process.env['TEST_DATABASE_URL']!))
  const { db, close } = await openPostgres(through, { trustedFor: 0 })
  const callOf = () => db.execute(sql`select pg_sleep(0.3)`)
  const fiveCalls = () => Promise.all(Array.from({ length: 5 }, callOf))
  await fiveCalls()
  between.silence()
  const began = performance.now()
  await db.transaction(() => callOf())
  await fiveCalls()
  expect(performance.now() - began).toBeLessThan(25_000)
  await close()
  between.stop()
}, 60_000)

it('a connection that falls silent in a transaction is cut, and what it locked is free again [OPS-5]', async () => {
  const url = await ownPostgres(process.env['TEST_DATABASE_URL']!)
  const { between, through } = await throughOther(url)
  const one = await openPostgres(through, { answersWithin: 1000 })
  const other = await openPostgres(url)
  const change = sql`update species set name = name where id = 1`
  const begun = one.db.transaction(async (tx) => {
    await tx.execute(change)
    between.silence()
    await tx.execute(sql`select 1`)
  })
  expect(isOutOfReach(await begun.catch((error: unknown) => error))).toBe(true)
  await one.db.transaction((tx) => tx.execute(change))
  await other.db.execute(change)
  await one.close()
  await other.close()
  between.stop()
})

it('connections that are lost as transactions begin don’t take places in the pool with them [OPS-5]', async () => {
  const { between, through } = await throughOther(await ownPostgres(process.env['TEST_DATABASE_URL']!))
  const { db, pool, close } = await openPostgres(through, { answersWithin: 1000 })
  await Promise.all(Array.from({ length: 10 }, () => db.execute(sql`select pg_sleep(0.5)`)))
  between.silence()
  const begun = Array.from({ length: 10 }, () => db.transaction((tx) => tx.execute(sql`select 1`)))
  const ended = await Promise.allSettled(begun)
  expect(ended.every((one) => one.status === 'rejected' && isOutOfReach(one.reason))).toBe(true)
  await db.transaction((tx) => tx.execute(sql`select 1`))
  await expect.poll(() => pool!.totalCount - pool!.idleCount).toBe(0)
  await close()
  between.stop()
})

it('an instance whose connections fall silent, as behind a firewall, hears the others again [OPS-2]', async () => {
  const url = await ownPostgres(process.env['TEST_DATABASE_URL']!)
  const { between, through } = await throughOther(url)
  const [one, other] = [await openPostgres(url), await openPostgres(through, { asksEvery: 100 })]
  let [heard, missed] = [0, 0]
  await other.listen('content', (words) => void (words === undefined ? missed++ : heard++))
  between.silence()
  await expect.poll(() => missed, { timeout: 20_000 }).toBe(1)
  await one.db.execute(sql`notify content`)
  await expect.poll(() => heard).toBe(1)
  await one.close()
  await other.close()
  between.stop()
})

it('a database that goes away in the middle of a transaction fails only that transaction', async () => {
  const url = await ownPostgres(process.env['TEST_DATABASE_URL']!)
  const database = await openPostgres(url)
  const killer = new pg.Client({ connectionString: url })
  await killer.connect()
  const work = database.db.transaction(async (tx) => {
    const { rows } = (await tx.execute(sql`select pg_backend_pid() as pid`)) as unknown as {
      rows: { pid: number }[]
    }
    await killer.query('select pg_terminate_backend($1, 5000)', [rows[0]!.pid])
    // The connection ends while no statement is waiting.
    await new Promise((resolve) => setImmediate(resolve))
    await tx.execute(sql`select 1`)
  })
  await expect(work).rejects.toThrow(/Failed query|terminat/)
  await database.db.execute(sql`select 1`)
  await killer.end()
  await database.close()
})

it('a PostgreSQL that is down counts as out of reach, over the network and over its local socket', async () => {
  const local = encodeURIComponent(tmpdir())
  for (const address of ['127.0.0.1:1/postgres', `localhost:1/postgres?host=${local}`]) {
    const failed = await openPostgres(`postgresql://vetchat@${address}`).catch((error: unknown) => error)
    expect(isOutOfReach(failed)).toBe(true)
  }
})

it('a PostgreSQL that only reads, while another takes over, is out of reach for what writes [OPS-4]', async () => {
  const database = await openPostgres(await ownPostgres(process.env['TEST_DATABASE_URL']!))
  const writing = database.db.transaction(async (tx) => {
    await tx.execute(sql`set transaction read only`)
    await tx.execute(sql`insert into tries (name, key_hash) values ('a', 'b')`)
  })
  expect(isOutOfReach(await writing.catch((error: unknown) => error))).toBe(true)
  await database.close()
})

it('a stuck statement is given up: its call says so, and the next call is answered', async () => {
  const url = await ownPostgres(process.env['TEST_DATABASE_URL']!)
  const database = await openPostgres(url, { answersWithin: 2000 })
  const world = await createWorld({ database })
  const owner = await world.owner()
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  await other.query('begin')
  await other.query('lock table users in access exclusive mode')
  const stuck = await owner.send(me)
  expect([stuck.status, stuck.body.code, stuck.headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '5'])
  await other.query('rollback')
  expect((await owner.send(me)).status).toBe(200)
  await other.end()
  await world.close()
  await database.close()
})
