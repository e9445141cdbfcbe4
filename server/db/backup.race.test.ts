import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { isNull, sql } from 'drizzle-orm'
import { addHours } from '#contract/time.ts'
import { buildApp } from '#server/app.ts'
import { readEnv } from '#server/env.ts'
import { replaceCode } from '#server/identity/codes.ts'
import { openSession } from '#server/identity/session.ts'
import { openFiles } from '#server/providers/files.ts'
import { openPayments } from '#server/providers/stripe.ts'
import { ownPostgres } from '#test/world.ts'
import { openEmbedded, openPostgres, type Database } from './client.ts'
import { mailedCodes, mails, sessions, settings, users } from './schema.ts'
import { seed } from './seed.ts'

const postgres = process.env['TEST_DATABASE_URL']!
const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-backup-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const inFolder = (name: string) => path.join(folder, name)

/** Runs one of the two commands as npm does. */
const run = (script: 'backup' | 'restore', place: string, env: Record<string, string>) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [`build/app/${script}.js`, place],
      { env: { PATH: process.env['PATH'], SECRET: 'x'.repeat(32), DEMO: 'on', ...env } },
      (_error, _out, said) => resolve({ code: child.exitCode ?? 1, said: said.trim() }),
    )
  })

async function rowsOf({ db }: Database) {
  const { rows: tables } = (await db.execute(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )) as unknown as { rows: { name: string }[] }
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = (await db.execute(sql.raw(`select count(*)::int as n from "${name}"`))) as unknown as {
      rows: { n: number }[]
    }
    counts[name] = rows[0]!.n
  }
  return counts
}

function putPicture(dataDir: string, key: string) {
  mkdirSync(path.dirname(path.join(dataDir, 'files', key)), { recursive: true })
  writeFileSync(path.join(dataDir, 'files', key), `picture ${key}`)
}
const filesIn = (dataDir: string) =>
  readdirSync(path.join(dataDir, 'files'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(path.relative(path.join(dataDir, 'files'), entry.parentPath), entry.name))
    .toSorted()

/** What other users of this machine could open. */
const openToOthers = (place: string) =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((name) => (statSync(name).mode & 0o077) !== 0)

async function started(jobs: string, database: Database) {
  const dataDir = inFolder(`jobs-${jobs}`)
  const env = readEnv({ DATABASE_URL: 'embedded', DATA_DIR: dataDir, LOG_LEVEL: 'silent', JOBS: jobs })
  const sent: string[] = []
  const secret = new Uint8Array(32)
  const built = await buildApp({
    env,
    database,
    secrets: [secret],
    files: openFiles(env),
    postman: async ({ to }) => void sent.push(to),
    texter: async ({ to }) => void sent.push(to),
    payments: openPayments(env, { db: database.db, now: () => new Date(), secret }),
  })
  await built.app.listen({ port: 0, host: '127.0.0.1' })
  return { built, sent }
}

const queueMail = (db: Database['db']) =>
  db.insert(mails).values({
    messageId: 'one@vetchat',
    template: 'welcome',
    region: 'za',
    to: 'thandi@example.com',
    subject: 'Welcome',
    text: 'Welcome',
    html: 'Welcome',
    dueAt: new Date(0),
  })

it('a restored PostgreSQL has the data and files of the backup, and only an empty one is filled [OPS-6]', async () => {
  const from = await ownPostgres(postgres)
  const to = await ownPostgres(postgres)
  const target = await openPostgres(to)
  for (const schema of ['public', 'drizzle'])
    await target.db.execute(sql.raw(`drop schema ${schema} cascade`))
  await target.db.execute(sql`create schema public`)
  await target.close()
  const database = await openPostgres(from)
  await seed(database.db, { demo: true, sites: [] })
  const [user] = await database.db.select({ id: users.id }).from(users).limit(1)
  const holder = { userId: user!.id }
  const world = { db: database.db, now: () => new Date(), secrets: [new Uint8Array(32)] as const }
  await openSession(world, holder)
  await replaceCode(world, user!.id, 'reset', 'a code', addHours(new Date(), 1))
  for (const key of ['pets/1/a.jpg', 'consultations/7/b.pdf']) putPicture(inFolder('old'), key)
  const place = inFolder('copy')
  const made = await run('backup', place, { DATABASE_URL: from, DATA_DIR: inFolder('old') })
  expect(made).toMatchObject({ code: 0, said: expect.stringContaining('and 2 files') })
  expect([statSync(place).mode & 0o077, openToOthers(place)]).toEqual([0, []])
  const again = await run('backup', place, { DATABASE_URL: from, DATA_DIR: inFolder('old') })
  expect(again).toEqual({ code: 1, said: 'There is a backup already. Name a new place.' })

  const there = { DATABASE_URL: to, DATA_DIR: inFolder('new') }
  expect(await run('restore', place, there)).toMatchObject({ code: 0 })
  const restored = await openPostgres(to)
  expect(await rowsOf(restored)).toEqual(await rowsOf(database))
  expect(filesIn(inFolder('new'))).toEqual(filesIn(inFolder('old')))
  expect(readFileSync(inFolder('new/files/pets/1/a.jpg'), 'utf8')).toBe('picture pets/1/a.jpg')

  // What happened after the backup may be known elsewhere.
  expect(await restored.db.$count(sessions, isNull(sessions.endedAt))).toBe(0)
  expect(await restored.db.$count(mailedCodes, isNull(mailedCodes.usedAt))).toBe(0)
  const next = sql<number>`nextval(pg_get_serial_sequence('ledger', 'id'))::int`
  const numberIn = async ({ db }: Database) => (await db.select({ next }).from(settings).limit(1))[0]!.next
  expect(await numberIn(restored)).toBe((await numberIn(database)) + 1_000_000)

  const { code, said } = await run('restore', place, there)
  expect([code, said]).toEqual([1, expect.stringMatching(/holds data already\. Nothing was changed/)])
  await restored.close()
  await database.close()
})

it('the embedded database and its files are the same after a restore [OPS-6]', async () => {
  const old = inFolder('embedded')
  const database = await openEmbedded(old)
  await seed(database.db, { demo: false, sites: [] })
  await queueMail(database.db)
  const before = await rowsOf(database)
  putPicture(old, 'pets/1/a.jpg')
  const place = inFolder('embedded-copy')
  const busy = await run('backup', place, { DATABASE_URL: 'embedded', DATA_DIR: old })
  expect([busy.code, busy.said]).toEqual([1, expect.stringContaining('is in use by another VetChat process')])
  await database.close()
  expect(await run('backup', place, { DATABASE_URL: 'embedded', DATA_DIR: old })).toMatchObject({ code: 0 })
  expect([statSync(place).mode & 0o077, openToOthers(place)]).toEqual([0, []])

  const fresh = inFolder('embedded-new')
  const restored = await run('restore', place, { DATABASE_URL: 'embedded', DATA_DIR: fresh })
  expect(restored).toMatchObject({ code: 0, said: expect.stringContaining('and 1 files') })
  // The database's own files are in a folder that only its user may enter.
  expect(openToOthers(inFolder('embedded-new/files'))).toEqual([])
  expect(statSync(inFolder('embedded-new/database')).mode & 0o077).toBe(0)
  const opened = await openEmbedded(fresh)
  expect(await rowsOf(opened)).toEqual(before)
  expect(filesIn(fresh)).toEqual(['pets/1/a.jpg'])
  await opened.close()
})

it('a restore says what is wrong with a place that has no whole backup [OPS-6]', async () => {
  const { code, said } = await run('restore', inFolder('nothing'), {
    DATABASE_URL: 'embedded',
    DATA_DIR: inFolder('unused'),
  })
  expect([code, said]).toEqual([1, expect.stringContaining('holds no whole backup')])
})

it('with JOBS off an instance sends nothing and charges nobody, and needs no keys for it [OPS-6]', async () => {
  const database = await openPostgres(await ownPostgres(postgres))
  const [idle, busy] = [await started('off', database), await started('on', database)]
  await queueMail(database.db)
  busy.built.clock.wake()
  await expect.poll(() => busy.sent.length, { timeout: 30_000 }).toBe(1)
  expect(idle.sent).toEqual([])
  const customer = { email: 'thandi@example.com', name: 'Thandi' }
  await expect(idle.built.world.payments.createCustomer(customer, 'key')).rejects.toMatchObject({
    code: 'PAYMENTS_OFF',
  })
  for (const { built } of [idle, busy]) await built.stop()
  await database.close()
  const live = { DATABASE_URL: 'postgres://x/y', SECRET: 'x'.repeat(32), SITE_URL: 'https://vetchat.example' }
  expect(() => readEnv(live)).toThrow('SMTP_URL is required')
  expect(readEnv({ ...live, JOBS: 'off' }).isIdle).toBe(true)
})
