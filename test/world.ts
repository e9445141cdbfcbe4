import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { login } from '#contract/accounts.ts'
import type { Input } from '#contract/call.ts'
import { sandboxFaults } from '#contract/sandbox.ts'
import { buildApp, type Deps } from '#server/app.ts'
import { openEmbedded, openPostgres, type Database } from '#server/db/client.ts'
import { mails } from '#server/db/schema.ts'
import { seed } from '#server/db/seed.ts'
import { readEnv } from '#server/env.ts'
import { openFiles } from '#server/providers/files.ts'
import { openPayments } from '#server/providers/stripe.ts'
import { openWorlds } from './open-worlds.ts'
import { browserOf, PASSWORD, peopleOf } from './people.ts'
import { createDatabase } from './postgres.ts'
import { rowsIn } from './rows.ts'

const SECRET = new TextEncoder().encode('a secret that only tests know, of some length')
/** These keep their rows: the product never changes the first two, and the third holds files of the build. */
const KEPT = ['species', 'breeds', 'page_files']

let visitors = 0

/** One database per test worker, emptied before each world. */
let shared: Promise<Database> | undefined

/** Creates a migrated database with its lookups on the test run's PostgreSQL server. */
export const ownPostgres = (server: string) =>
  createDatabase(server, async (template) => {
    const database = await openPostgres(template)
    await seed(database.db, { demo: false, sites: [] })
    await database.close()
  })

async function openDatabase(): Promise<Database> {
  const server = process.env['TEST_DATABASE_URL']
  if (server) return openPostgres(await ownPostgres(server))
  const database = await openEmbedded()
  await seed(database.db, { demo: false, sites: [] })
  return database
}

/** Deleting a few rows takes a tenth of the time of `truncate`, which replaces each table's files. */
const EMPTY = `do $$
  declare place regclass;
  begin
    set local session_replication_role = replica;
    for place in
      select c.oid from pg_class c
      where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> all('{${KEPT}}')
        and pg_relation_size(c.oid) > 0
    loop
      if pg_relation_size(place) < 1000000 then execute format('delete from %s', place);
      else execute format('truncate %s cascade', place);
      end if;
    end loop;
    perform setval(sequencename::regclass, 1, false) from pg_sequences
    where schemaname = 'public' and last_value is not null and sequencename !~ '^(${KEPT.join('|')})_';
  end $$`

async function emptyDatabase(): Promise<Database> {
  const database = await (shared ??= openDatabase())
  await database.db.execute(sql.raw(EMPTY))
  return database
}

/** Where a mail has its code: at the end of a link, or typed out. */
const CODES = {
  reset: /\/resetpwd\/([A-Z0-9]{20})$/m,
  claim: /\/claim\/([\w-]+)$/m,
  invitation: /\/clinic-invitation\/(\S+)$/m,
  email: /\/confirm-email\/([\w-]+)$/m,
  policy: /\b((?:[A-Z2-9]{5}-){3}[A-Z2-9]{5})\b/,
}

type Time = { days?: number; hours?: number; minutes?: number; seconds?: number }

export type TestWorld = Awaited<ReturnType<typeof createWorld>>

/** A running product on an empty database, with people to use it and a clock that tests move. Tests needn't close it. */
export async function createWorld({
  env: source = {},
  ...deps
}: Partial<Omit<Deps, 'env'>> & { env?: Record<string, string> } = {}) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'vetchat-world-'))
  const env = readEnv({
    DATABASE_URL: 'embedded',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    SITE_URL: 'http://localhost',
    ...source,
  })
  const database = deps.database ?? (await emptyDatabase())
  const log: string[] = []
  let ahead = 0
  const now = () => new Date(Date.now() + ahead)
  const move = async (ms: number) => {
    ahead += ms
    return now()
  }
  const built = await buildApp({
    env,
    database,
    secrets: [SECRET],
    files: openFiles(env),
    postman: async () => {},
    texter: async () => {},
    payments: openPayments(env, { db: database.db, now, secret: SECRET }),
    clock: { now, move },
    ticking: false,
    logStream: { write: (line) => void log.push(line) },
    ...deps,
  })
  const { app, world, clock } = built
  /** Moves the product's clock. */
  const advance = ({ days = 0, hours = 0, minutes = 0, seconds = 0 }: Time) => {
    void world.moveClock((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000)
  }
  async function mailsTo(email: string, template?: string) {
    await clock.runDue()
    const sent = and(
      eq(mails.to, email),
      isNotNull(mails.sentAt),
      template ? eq(mails.template, template) : undefined,
    )
    return database.db.select().from(mails).where(sent).orderBy(asc(mails.id))
  }
  const codesTo = async (email: string, kind: keyof typeof CODES) =>
    (await mailsTo(email)).flatMap(({ text }) => CODES[kind].exec(text)?.[1] ?? [])
  const nobody = browserOf(app)
  const visitor = () => nobody.from(`10.128.${++visitors >> 8}.${visitors & 255}`)
  const close = async () => {
    if (!openWorlds.delete(close)) return
    await built.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  openWorlds.add(close)
  return {
    built,
    app,
    env,
    db: database.db,
    /** The same database for another world, which hears no notifications and leaves it open. */
    database: { db: database.db, pool: null, listen: async () => {}, close: async () => {} },
    /** Listens to the database's notifications. */
    hear: database.listen,
    /** Every route of the server. */
    routes: built.routes,
    /** The lines of its log, from LOG_LEVEL on. */
    log,
    /** A handler's ctx, for code that is called without a request. */
    world,
    now,
    advance,
    runDue: clock.runDue,
    /** Moves the product's clock and runs the jobs that have fallen due. */
    async pass(time: Time) {
      advance(time)
      await clock.runDue()
    },
    /** Runs the due jobs and returns the sent mails, or those of one template, oldest first. */
    mailsTo,
    /** The same for the codes of this kind in these mails. */
    codesTo,
    /** The newest of them. */
    async codeTo(...asked: Parameters<typeof codesTo>) {
      const code = (await codesTo(...asked)).at(-1)
      if (code === undefined) throw new Error(`No code to ${asked.join(' for ')}`)
      return code
    },
    ...rowsIn(database.db),
    ...peopleOf(world, app),
    nobody,
    /** A browser at a network address of its own, for which nothing has been counted yet. */
    visitor,
    /** A browser in which this account has just signed in. */
    async signedIn(email: string, password = PASSWORD) {
      const { token } = await visitor().call(login, { email, password })
      return nobody.with(token)
    },
    /** Sets a fault for the next calls to the payment provider, or for its next events. */
    arm: (fault: Input<typeof sandboxFaults>['fault'], call: string, times = 1) =>
      nobody.call(sandboxFaults, { fault, call, times }),
    /** Listens on a free port and returns the address. */
    async listen() {
      return app.listen({ port: 0, host: '127.0.0.1' })
    },
    close,
  }
}
