import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { expect, it } from 'vitest'
import { login, me } from '#contract/accounts.ts'
import { sendMessageByCall } from '#contract/chat.ts'
import { alive, health } from '#contract/health.ts'
import { listPets } from '#contract/pets.ts'
import { setDuty } from '#contract/queue.ts'
import type { Db } from '#server/db/client.ts'
import { mails } from '#server/db/schema.ts'
import { openFiles } from '#server/providers/files.ts'
import { portOf } from '#test/port-of.ts'
import { fileOf, sendForm } from '#test/forms.ts'
import { photo } from '#test/pictures.ts'
import { refuseRows } from '#test/refuse-rows.ts'
import { createWorld } from '#test/world.ts'

const UNAVAILABLE = {
  errors: ['We can’t reach our records at the moment. Please try again in a minute.'],
  code: 'UNAVAILABLE',
}

/** A server whose database should be on this port. */
async function worldOn(port: number, env = {}) {
  const pool = new pg.Pool({ host: '127.0.0.1', port })
  const db = drizzle(pool) as unknown as Db
  return createWorld({ env, database: { db, pool: null, listen: async () => {}, close: () => pool.end() } })
}

it("a server without its database isn't healthy, and asks to retry", async () => {
  const world = await worldOn(1)
  for (const reply of [
    await world.nobody.send(health),
    await world.nobody.send(login, { email: 'nobody@example.com', password: 'x' }),
  ])
    expect([reply.status, reply.body, reply.headers['retry-after']]).toEqual([503, UNAVAILABLE, '5'])
})

it('while the database is away, the log says so in one line, not with a stack for each call and job [OPS-5]', async () => {
  const world = await worldOn(1, { LOG_LEVEL: 'warn' })
  for (let n = 0; n < 5; n++) await world.nobody.send(login, { email: 'nobody@example.com', password: 'x' })
  await world.runDue()
  expect(world.log.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ event: 'database out of reach', why: 'ECONNREFUSED' }),
  ])
  expect(world.log.join()).not.toContain('stack')
})

it('while the database is away, metrics count the calls and jobs that fail [OPS-5]', async () => {
  const world = await worldOn(1, { LOG_LEVEL: 'warn' })
  for (let n = 0; n < 5; n++) await world.nobody.send(login, { email: 'nobody@example.com', password: 'x' })
  await world.runDue()
  const { statusCode, body } = await world.app.inject({ url: '/api/metrics', remoteAddress: '127.0.0.1' })
  expect(statusCode).toBe(200)
  expect(body).toMatch(/^vetchat_database_up 0$/m)
  expect(body).toMatch(/^vetchat_queue_waiting Nan$/im)
  expect(body).toMatch(/^vetchat_events_total\{event="call failed"\} 5$/m)
  expect(body).toMatch(/^vetchat_events_total\{event="job failed"\} [1-9]/m)
  expect(body).toMatch(/^vetchat_events_total\{event="database out of reach"\} 1$/m)
  expect(body).toMatch(/^vetchat_jobs_failed_total\{name="send mails"\} 1$/m)
  expect(body).toMatch(/^vetchat_answer_seconds_count\{method="POST",call="login",status="503"\} 5$/m)
})

it("a server whose database never answers isn't healthy either", async () => {
  const silent = net.createServer(() => {})
  const world = await worldOn(await portOf(silent))
  expect((await world.nobody.send(health)).status).toBe(503)
  const metrics = await world.app.inject({ url: '/api/metrics', remoteAddress: '127.0.0.1' })
  expect([metrics.statusCode, metrics.body]).toEqual([200, expect.stringContaining('vetchat_database_up 0')])
})

it('a server stays ready while Redis is away, and says so [OPS-5]', async () => {
  let isUp = true
  const carrier = { carry: () => {}, hear: async () => {}, watch: () => {}, close: async () => {} }
  const world = await createWorld({ carrier: { ...carrier, isUp: () => isUp } })
  expect((await world.nobody.send(health)).body).toEqual({ ok: true })
  isUp = false
  const { status, body } = await world.nobody.send(health)
  expect([status, body]).toEqual([200, { ok: true, redis: 'away' }])
})

it('while the file store is away, uploads are refused with a sentence and health says so [OPS-5]', async () => {
  const store = createServer((request, answer) => request.resume().on('end', () => answer.end()))
  const port = await portOf(store)
  await new Promise((resolve) => store.close(resolve))
  const files = openFiles({
    filesUrl: `s3://key:secret@127.0.0.1:${port}/bucket`,
    dataDir: mkdtempSync(path.join(tmpdir(), 'vetchat-away-')),
  })
  await files.check()
  const world = await createWorld({ files, env: { LOG_LEVEL: 'warn' } })
  const owner = await world.owner()
  const image = fileOf(await photo())
  const upload = () => sendForm(world.app, '/upload', owner.token, { image })
  expect(world.log.map((line) => JSON.parse(line) as object)).toMatchObject([
    { event: 'files out of reach', why: `127.0.0.1:${port} doesn’t answer (ECONNREFUSED)` },
  ])
  expect((await world.nobody.send(health)).body).toEqual({ ok: true, files: 'away' })
  const refused = await upload()
  expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
    503,
    'FILES_AWAY',
    '5',
  ])

  await once(store.listen(port, '127.0.0.1'), 'listening')
  await expect.poll(async () => (await world.nobody.send(health)).body).toEqual({ ok: true })
  expect((await upload()).status).toBe(200)

  // The first upload that finds it away is refused in the same way.
  store.closeAllConnections()
  await new Promise((resolve) => store.close(resolve))
  const found = await upload()
  expect([found.status, found.body.code]).toEqual([503, 'FILES_AWAY'])
  await expect.poll(() => files.isUp()).toBe(false)
})

it('an unexpected error has one reference in its answer and its log entries, which say who called [OPS-5]', async () => {
  const world = await createWorld({ env: { LOG_LEVEL: 'info' } })
  const owner = await world.owner()
  await world.db.execute(sql`alter table pets rename to pets_gone`)
  const { status, body, headers } = await owner.send(listPets)
  await world.db.execute(sql`alter table pets_gone rename to pets`)
  const ref = headers['x-request-id']
  expect([status, body]).toEqual([500, { errors: ['An Error Occurred'], code: 'UNEXPECTED', ref }])
  const entries = world.log.map((line) => JSON.parse(line) as { event: string; ref: string })
  expect(entries.filter(({ ref }) => ref === body.ref)).toMatchObject([
    { event: 'call failed', call: 'listPets', as: 'owner', id: owner.id },
    { event: 'answered', call: 'listPets', status: 500, as: 'owner', id: owner.id },
  ])
})

it('a caller who hangs up, before an answer or while sending, is not logged as a failure [OPS-5]', async () => {
  const world = await createWorld({ env: { LOG_LEVEL: 'info' } })
  const owner = await world.owner()
  const { port } = new URL(await world.listen())
  const head = 'Host: localhost\r\nContent-Type: application/json\r\nContent-Length:'
  const sent = [
    `GET /api/user/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${owner.token}\r\n\r\n`,
    `POST /api/login HTTP/1.1\r\n${head} 2\r\n\r\n{}`,
    `POST /api/login HTTP/1.1\r\n${head} 200\r\n\r\n{"email":`,
  ]
  for (const bytes of sent.flatMap((one) => Array<string>(20).fill(one))) {
    const socket = net.connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    socket.end(bytes)
    await once(socket, 'finish')
    socket.destroy()
  }
  const open = () =>
    new Promise<number>((resolve) => world.app.server.getConnections((_, count) => resolve(count)))
  await expect.poll(open).toBe(0)
  await owner.call(me, {})
  expect(world.log.filter((line) => line.includes('call failed'))).toEqual([])
})

it('metrics cover the queue, late mails, jobs and log entries [OPS-5]', async () => {
  const world = await createWorld({ env: { LOG_LEVEL: 'info' } })
  const owner = await world.member()
  await world.consultOf(owner)
  await (await world.vet()).call(setDuty, { on: true })
  const mail = { template: 'welcome', to: owner.email, subject: 'Hello', text: 'Hello', html: 'Hello' }
  await world.add(mails, { ...mail, region: 'za', messageId: 'one@vetchat', dueAt: world.world.now() })
  world.advance({ minutes: 16 })
  const { body } = await world.app.inject({ url: '/api/metrics', remoteAddress: '127.0.0.1' })
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1])
  expect([
    value('vetchat_queue_waiting'),
    value('vetchat_queue_late'),
    value('vetchat_vets_on_duty'),
  ]).toEqual([1, 1, 1])
  expect(value('vetchat_queue_oldest_seconds')).toBeGreaterThanOrEqual(960)
  expect(value('vetchat_mails_oldest_seconds')).toBeGreaterThanOrEqual(960)
  await world.runDue()
  const after = await world.app.inject({ url: '/api/metrics', remoteAddress: '127.0.0.1' })
  expect(after.body).toMatch(/^vetchat_mails_due 0$/m)
  expect(after.body).toMatch(/^vetchat_events_total\{event="mail sent"\} [1-9]/m)
  expect(after.body).toMatch(/^vetchat_job_seconds_count\{name="send mails"\} [1-9]/m)
})

it('HEAD gets the answer of GET without the body', async () => {
  const world = await createWorld()
  const ask = (method: 'GET' | 'HEAD') => world.app.inject({ method, url: '/api/health' })
  const [get, head] = [await ask('GET'), await ask('HEAD')]
  const lines = ({ headers }: typeof get) => ({ ...headers, date: '', 'x-request-id': '' })
  expect([head.statusCode, head.body, lines(head)]).toEqual([200, '', lines(get)])
  const broken = await worldOn(1)
  const reply = await broken.app.inject({ method: 'HEAD', url: '/api/health' })
  expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '5'])
  // Calls that need a caller, or count attempts, have no HEAD.
  expect((await broken.app.inject({ method: 'HEAD', url: '/api/user/me' })).statusCode).toBe(404)
  await broken.close()
})

it('the server says that nothing can be saved while the database’s disk is full, and recovers without help [SAF-4]', async () => {
  const world = await createWorld()
  const owner = await world.member()
  const { id: consultation } = await world.consultOf(owner)
  const say = () => owner.send(sendMessageByCall, { consultation, client_id: 'full-disk', body: 'She fell' })
  const refuseWith = (code: string) => refuseRows(world, 'messages', 'true', code)
  const heal = await refuseWith('XX000')
  expect((await say()).status).toBe(500)
  for (const code of ['53100', 'XX000']) {
    await refuseWith(code)
    const { status, body, headers } = await say()
    expect([status, body.errors, headers['retry-after']], code).toEqual([
      503,
      ['We can’t save anything at the moment. Please try again in a few minutes.'],
      '30',
    ])
  }
  await heal()
  expect((await world.nobody.send(health)).status).toBe(200)
  expect((await say()).status).toBe(200)
  expect((await world.nobody.send(alive)).status).toBe(200)
})
