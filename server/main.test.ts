import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { DAY } from '#contract/time.ts'
import { portOf } from '#test/port-of.ts'
import { connectTo } from '#test/postgres.ts'
import { ownPostgres } from '#test/world.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-main-'))
const started: ChildProcess[] = []
afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const postgres = process.env['TEST_DATABASE_URL'] && (await ownPostgres(process.env['TEST_DATABASE_URL']))
const embedded = { DEMO: 'off' }
/** PostgreSQL, if there is one, opens in a tenth of the embedded database's time. */
const quickest = { DATABASE_URL: postgres || 'embedded', SECRET: 'x'.repeat(32), DEMO: 'on' }

/** Starts the built process as the start script does, or a command. */
function start(env: Record<string, string>, script = 'main', ...options: string[]) {
  const child = spawn(process.execPath, [`build/app/${script}.js`, ...options], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'test', DATA_DIR: folder, PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  started.push(child)
  let said = ''
  child.stderr.on('data', (text) => void (said += String(text)))
  return {
    child,
    said: () => said.trim(),
    ended: once(child, 'close').then(([code]) => code as number | null),
  }
}
/** Returns how it ended and what it said. */
async function run(...given: Parameters<typeof start>) {
  const { said, ended } = start(...given)
  return { code: await ended, said: said() }
}

it('a half-set variable ends the start with one line that names it', async () => {
  expect(await run({ DATABASE_URL: 'postgres://localhost/x' })).toEqual({
    code: 1,
    said: 'VetChat can’t start: SECRET is required with DATABASE_URL',
  })
})

it('a taken port, and then demo data in production, end the start with one line that says why [OPS-7]', async () => {
  const other = net.createServer()
  const port = await portOf(other)
  expect(await run({ ...quickest, PORT: String(port) })).toEqual({
    code: 1,
    said: `VetChat can’t start: PORT ${port} on 127.0.0.1 is taken by another program`,
  })
  other.close()
  const real = { ...quickest, DEMO: 'off', JOBS: 'off', SITE_URL: 'https://vetchat.example' }
  expect(await run(real)).toEqual({
    code: 1,
    said: 'VetChat can’t start: DEMO is off and this looks like production, but the database holds demo data. Start with an empty database',
  })
})

it('a variable that points to something out of reach is named', async () => {
  const nowhere = { DATABASE_URL: 'postgres://127.0.0.1:1/x', SECRET: 'x'.repeat(32), DEMO: 'on' }
  expect(await run(nowhere)).toEqual({
    code: 1,
    said: 'VetChat can’t start: DATABASE_URL can’t be opened: connect ECONNREFUSED 127.0.0.1:1',
  })
})

it('a file store that refuses our key stops the start with one line that says why; one that is away doesn’t [OPS-5]', async () => {
  const store = createServer((_, answer) => answer.writeHead(403).end())
  const host = `127.0.0.1:${await portOf(store)}`
  const url = (at: string) => ({ ...quickest, FILES_URL: `s3://key:secret@${at}/uploads` })
  expect(await run(url(host))).toEqual({
    code: 1,
    said: `VetChat can’t start: FILES_URL can’t be opened: ${host} answers 403 to a file that we store in uploads; is the key right?`,
  })
  store.close()
  await once(store, 'close')
  const away = start({ ...url(host), REDIS_URL: 'redis://127.0.0.1:1' })
  const address = await addressOf(away)
  expect(await (await fetch(`${address}/api/health`)).json()).toEqual({
    ok: true,
    redis: 'away',
    files: 'away',
  })
  away.child.kill('SIGTERM')
  expect(await away.ended).toBe(0)
})

it.each(['admin someone@example.com', 'factor someone@example.com', 'feed package.json', 'ledger', 'mails'])(
  'npm run %s makes no database where there is none, and names it [OPS-7]',
  async (typed) => {
    const dataDir = path.join(folder, 'none')
    const [script = '', ...options] = typed.split(' ')
    expect(await command({ DATA_DIR: dataDir }, script, ...options)).toEqual({
      code: 1,
      said: `There is no VetChat database yet: embedded, in ${dataDir}. Nothing was changed${options.length > 0 ? '; --new makes one' : ''}.`,
    })
    expect(existsSync(dataDir)).toBe(false)
  },
)

/** An embedded database that the first command creates and the server opens. */
const staffed = path.join(folder, 'staffed')
const command = (place: Record<string, string>, script: string, ...options: string[]) =>
  run({ DATA_DIR: staffed, ...place }, script, ...options)

it('npm run admin makes a new database with --new, and names it [OPS-7]', async () => {
  const { code, said } = await command(embedded, 'admin', 'someone@example.com', '--new')
  expect(code).toBe(0)
  expect(said).toContain(`Database: embedded, in ${staffed}, new\nsomeone@example.com is an admin now.`)
})

it('a backup or restore that can’t reach its place says why in one line, without the key [OPS-6]', async () => {
  const to = (script: string, place: string) => command(embedded, script, place)
  const secret = 's3://AKIA:se/cret@127.0.0.1:47/backups'
  const outOfReach = 's3://AKIA:secret@127.0.0.1:47/backups'
  for (const script of ['backup', 'restore']) {
    expect(await to(script, secret)).toEqual({
      code: 1,
      said: 'The bucket must read s3://KEY:SECRET@HOST/BUCKET, with special characters percent-encoded.',
    })
    expect(await to(script, outOfReach)).toEqual({
      code: 1,
      said: 's3://127.0.0.1:47/backups can’t be read: connect ECONNREFUSED 127.0.0.1:47.',
    })
  }
})

it('a database that refuses the command’s password is reported in one line [OPS-7]', async () => {
  const server = net.createServer((socket) => {
    // The protocol's error: its length, then severity, code and message.
    const fields = 'SFATAL\0C28P01\0Mpassword authentication failed for user "vetchat"\0\0'
    const head = Buffer.from('E\0\0\0\0')
    head.writeInt32BE(fields.length + 4, 1)
    socket.on('data', () => socket.end(Buffer.concat([head, Buffer.from(fields)]))).on('error', () => {})
  })
  const port = await portOf(server)
  const refused = {
    DATABASE_URL: `postgresql://vetchat:wrong@127.0.0.1:${port}/vetchat`,
    SECRET: 's'.repeat(32),
  }
  expect(await command({ ...refused, JOBS: 'off', DEMO: 'on' }, 'admin', 'someone@example.com')).toEqual({
    code: 1,
    said: 'password authentication failed for user "vetchat"',
  })
  server.close()
})

it('npm run vet makes a vet with a registration number, and refuses one without [OPS-8]', async () => {
  const vet = (...options: string[]) => command(quickest, 'vet', 'vet@example.com', ...options)
  expect((await vet()).said).toContain('Usage: npm run vet -- EMAIL --registration NUMBER')
  const made = await vet('--registration', 'SAVC D00/0042')
  expect(made.code).toBe(0)
  expect(made.said).toContain('vet@example.com is a vet now. A link to set the password goes out by mail')
  expect((await vet('--registration', 'SAVC D00/0043')).said).toContain('was a vet already')
})

it.skipIf(!postgres)(
  'a command uses the clock that the sandbox moved, as the server does [OPS-8]',
  async () => {
    await using client = await connectTo(postgres!)
    await client.query(`insert into settings (key, value, changed_at) values ('clock', '${90 * DAY}', now())`)
    await command(quickest, 'vet', 'later@example.com', '--registration', 'SAVC D00/0044')
    const { rows } = await client.query<{ at: Date }>('select max(expires_at) as at from mailed_codes')
    expect(rows[0]!.at.getTime()).toBeGreaterThan(Date.now() + 90 * DAY)
  },
)

it('npm run clinic makes a clinic with a username [OPS-8]', async () => {
  expect((await command(quickest, 'clinic', 'Two Oaks')).said).toContain(
    'Usage: npm run clinic -- NAME --email EMAIL',
  )
  const made = await command(quickest, 'clinic', 'Two Oaks', '--email', 'oaks@example.com')
  expect(made.code).toBe(0)
  expect(made.said).toContain('Two Oaks is a clinic now, with the username twooaksvetclinic. A link to set')
})

it('the server stops on SIGTERM during the start', async () => {
  const dataDir = path.join(folder, 'early')
  const { child, ended } = start({ DATA_DIR: dataDir })
  await expect.poll(() => existsSync(path.join(dataDir, 'database')), { timeout: 60_000 }).toBe(true)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})

async function addressOf({ said, child }: { said: () => string; child: ChildProcess }): Promise<string> {
  await expect
    .poll(() => said() + String(child.exitCode ?? ''), { timeout: 150_000 })
    .toMatch(/VetChat is at http/)
  return /VetChat is at (\S+)/.exec(said())![1]!
}

it('the server starts, refuses a second process and stops on SIGTERM [OPS-7]', async () => {
  const first = start({ DATA_DIR: staffed })
  const address = await addressOf(first)
  expect(await (await fetch(`${address}/api/health`)).json()).toEqual({ ok: true })
  expect(first.said()).toContain('/sandbox/mail')
  expect(first.said()).toContain('owner@demo.vetchat.example')

  for (const kept of ['database', 'secret']) expect(statSync(path.join(staffed, kept)).mode & 0o077).toBe(0)

  const second = await run({ DATA_DIR: staffed })
  expect(second).toEqual({
    code: 1,
    said: `VetChat can’t start: DATA_DIR ${staffed} is in use by another VetChat process`,
  })

  const waiting = net.connect(Number(new URL(address).port), '127.0.0.1')
  await once(waiting, 'connect')
  waiting.on('error', () => {})
  first.child.kill('SIGTERM')
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  waiting.destroy()
}, 240_000)
