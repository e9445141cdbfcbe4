import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import multipart from '@fastify/multipart'
import { io as connect } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { login, me, requestResetCode } from '#contract/accounts.ts'
import { call, event, people, push } from '#contract/call.ts'
import { contactUs } from '#contract/contact.ts'
import { fail } from '#contract/errors.ts'
import { file, id, nothing, text } from '#contract/fields.ts'
import { AT_WORK, UPLOADS_AT_WORK } from '#contract/limits.ts'
import { MINUTE } from '#contract/time.ts'
import { settings, tries } from '#server/db/schema.ts'
import { createWorld } from '#test/world.ts'
import { mostSockets, mountEvents, personRoom } from '../live/connections.ts'
import { underWay } from '../concurrency/under-way.ts'
import { MOST_UNANSWERED } from './pipelined.ts'
import { listen, mountCalls, serve } from './serve.ts'
import { asAnswer } from './answers.ts'

const seen: unknown[] = []

/** How much of each caller was at work at the same time, at most. */
const mostAtWork = new Map<string, number>()
const atWork = new Map<string, number>()
async function working(who: string) {
  const now = (atWork.get(who) ?? 0) + 1
  atWork.set(who, now)
  mostAtWork.set(who, Math.max(now, mostAtWork.get(who) ?? 0))
  for (let turns = 0; turns < 200; turns++) await setImmediate()
  atWork.set(who, atWork.get(who)! - 1)
  return {}
}

const plain = { summary: 'x', access: 'anyone', input: nothing, output: nothing } as const
const which = z.object({ which: z.string() })

/** Small examples of the product's awkward calls. */
const awkward = {
  takeFile: call('POST', '/take', {
    ...plain,
    upload: { maxBytes: 1000 },
    input: z.object({ image: file, title: text(20) }),
    output: z.object({ size: z.number(), kept: z.string() }),
  }),
  slash: call('GET', '/things/mine/', { ...plain, output: which }),
  byId: call('GET', '/things/:thing', {
    ...plain,
    input: z.object({ thing: id }),
    output: which,
  }),
  pay: call('POST', '/pay', {
    ...plain,
    idempotent: true,
    input: z.object({ amount: z.number() }),
    output: z.object({ key: z.string().nullable() }),
  }),
  limited: call('POST', '/limited', { ...plain, limit: 'resetAddress' }),
  busy: call('GET', '/busy', plain),
  leaky: call('GET', '/leaky', { ...plain, output: z.object({ name: z.string() }) }),
}

const world = await createWorld()
const app = Fastify({ routerOptions: { ignoreTrailingSlash: true }, exposeHeadRoutes: false })
await app.register(multipart, { throwFileSizeLimit: false })
app.setErrorHandler((error, _request, reply) => {
  const { status, body } = asAnswer(error)
  if (body.code === 'UNAUTHORIZED') return reply.code(401).type('text/plain').send('Unauthorized')
  return reply.code(status).send(body)
})
const handlers = serve(awkward, {
  takeFile: async (_ctx, { image }) => {
    if (image.truncated) fail('BODY_TOO_LARGE')
    seen.push(image.path)
    return { size: image.size, kept: readFileSync(image.path, 'utf8').slice(0, 5) }
  },
  slash: () => ({ which: 'mine' }),
  byId: (_ctx, { thing }) => ({ which: String(thing) }),
  pay: (ctx) => ({ key: ctx.idempotency && `${ctx.idempotency.key} ${ctx.idempotency.payload}` }),
  limited: () => ({}),
  busy: ({ actor, address }) => working(actor && 'userId' in actor ? `person ${actor.userId}` : address),
  leaky: () => ({ name: 'Thandi', passwordHash: 'secret' }) as { name: string },
})
mountCalls(app, world.world, handlers)
afterAll(() => app.close())

const receiving = () => readdirSync(path.join(world.env.dataDir, 'receiving'))
const HALF_AN_UPLOAD =
  'Content-Type: multipart/form-data; boundary=B\r\nContent-Length: 900\r\n\r\n' +
  '--B\r\nContent-Disposition: form-data; name="image"; filename="x"\r\n\r\nhello'

it('the server reads multipart to its end, notices a cut file, and leaves nothing behind', async () => {
  const send = (content: string) => {
    const form = [
      '--B',
      'Content-Disposition: form-data; name="title"',
      '',
      'Biscuit',
      '--B',
      'Content-Disposition: form-data; name="image"; filename="../../x.png"',
      'Content-Type: image/png',
      '',
      content,
      '--B--',
      '',
    ]
    return app.inject({
      method: 'POST',
      url: '/take',
      headers: { 'content-type': 'multipart/form-data; boundary=B' },
      payload: form.join('\r\n'),
    })
  }
  expect((await send('hello world')).json()).toEqual({ size: 11, kept: 'hello' })
  expect((await send('x'.repeat(1000))).statusCode).toBe(200)
  expect((await send('x'.repeat(1001))).statusCode).toBe(413)
  expect(seen.every((place) => String(place).startsWith(world.env.dataDir))).toBe(true)
  await expect.poll(receiving).toEqual([])
})

it('the server leaves nothing behind after an abandoned upload', async () => {
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const { socket, closed } = heardBy(address, `POST /take HTTP/1.1\r\nHost: x\r\n${HALF_AN_UPLOAD}`)
  await expect.poll(receiving).toHaveLength(1)
  socket.destroy()
  await closed
  await expect.poll(receiving).toEqual([])
})

it('the server leaves nothing behind after an upload whose connection breaks before it is read', async () => {
  const { files } = world.world
  const { hasRoom } = files
  let begin = () => {}
  const asked = new Promise<void>((resolve) => {
    files.hasRoom = async () => {
      resolve()
      await new Promise<void>((go) => (begin = go))
      return hasRoom()
    }
  })
  const gone = new Promise<void>((resolve) =>
    app.server.once('request', ({ socket }) => socket.once('close', resolve)),
  )
  const { socket } = heardBy(app.listeningOrigin, `POST /take HTTP/1.1\r\nHost: x\r\n${HALF_AN_UPLOAD}`)
  await asked
  files.hasRoom = hasRoom
  socket.destroy()
  await gone
  begin()
  await expect.poll(() => underWay('uploads of 127.0.0.1')).toBe(0)
  expect(receiving()).toEqual([])
})

it('the server takes ten files of one person at the same time, so that nobody fills the disk before a quota is checked [SAF-4]', async () => {
  const [{ token }, other] = [await world.owner(), await world.owner()]
  const head = (token: string) =>
    `POST /take HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${HALF_AN_UPLOAD}`
  const send = (token: string) => heardBy(app.listeningOrigin, head(token))
  const max = UPLOADS_AT_WORK
  const sent = Array.from({ length: max }, () => send(token))
  await expect.poll(receiving).toHaveLength(max)
  const refused = send(token)
  await expect.poll(refused.heard).toMatch(/^HTTP\/1.1 429 [^]+TOO_MANY_TRIES/)
  sent.push(send(other.token))
  await expect.poll(receiving).toHaveLength(max + 1)
  // A process that is killed now leaves no count that would refuse later uploads.
  expect(await world.rows(tries, {})).toEqual([])
  for (const { socket } of [refused, ...sent]) socket.destroy()
  await expect.poll(receiving).toEqual([])
  const again = send(token)
  await expect.poll(receiving).toHaveLength(1)
  again.socket.destroy()
  await expect.poll(receiving).toEqual([])
})

it("the server doesn't mistake a description of a file for a file", async () => {
  const image = { path: '/etc/passwd', size: 1, filename: 'x.png', truncated: false }
  const reply = await app.inject({ method: 'POST', url: '/take', payload: { image, title: 'Biscuit' } })
  expect([reply.statusCode, Object.keys(reply.json().fields)]).toEqual([400, ['image']])
})

it('the server answers with or without a trailing slash, and prefers a fixed path over a parameter', async () => {
  for (const url of ['/things/mine', '/things/mine/'])
    expect((await app.inject(url)).json()).toEqual({ which: 'mine' })
  expect((await app.inject('/things/7')).json()).toEqual({ which: '7' })
})

it("the server refuses ids that the database can't store, with a message [API-3]", async () => {
  for (const bad of ['2147483648', '0', '-1', '1.5', '1e3', 'x', '99999999999']) {
    const reply = await app.inject(`/things/${bad}`)
    expect(reply.statusCode, bad).toBe(400)
    expect(reply.json().fields.thing).toMatch(/\w/)
  }
})

it('the server passes the Idempotency-Key of a request to its handler', async () => {
  const pay = async (amount: number, key?: string) =>
    (
      await app.inject({
        method: 'POST',
        url: '/pay',
        payload: { amount },
        headers: key === undefined ? {} : { 'idempotency-key': key },
      })
    ).json()
  expect((await pay(1)).key).toBeNull()
  expect((await pay(1, 'k')).key).toBe((await pay(1, 'k')).key)
  expect((await pay(1, 'k')).key).not.toBe((await pay(2, 'k')).key)
  expect((await pay(1, 'a b')).code).toBe('INVALID_IDEMPOTENCY_KEY')
})

it('the server counts calls per address before it reads them, IPv6 by the /56 [LOG-12]', async () => {
  const statuses = async (address: (n: number) => string) => {
    const replies = []
    for (let n = 0; n < 11; n++)
      replies.push(await app.inject({ method: 'POST', url: '/limited', remoteAddress: address(n) }))
    return replies.map((reply) => reply.statusCode)
  }
  expect((await statuses(() => '203.0.113.7'))[10]).toBe(429)
  expect((await statuses((n) => `2001:db8:1:2${n.toString(16)}::1`))[10]).toBe(429)
  expect((await statuses((n) => `203.0.113.${n + 20}`))[10]).toBe(200)
})

it('the server takes null in a field that may be left out as left out, and refuses it in one that is needed [API-3]', async () => {
  const written = { queryAbout: 3, name: 'Thandi', email: 'thandi@example.com', body: 'Hello' }
  const nulls = { mobile: null, clinicOrCompany: null, userConfirmation: null }
  const send = (change: object) => world.nobody.send(contactUs, { ...written, ...nulls, ...change })
  expect((await send({})).status).toBe(200)
  const refused = await send({ name: null })
  expect([refused.status, refused.body.fields]).toEqual([400, { name: 'Name is empty' }])
})

it('the server refuses more parts than any call takes, however they are nested, beside the field that has them [API-3]', async () => {
  const row = Array(100).fill(1)
  for (const other of [Array(9000).fill('a'), Array(90).fill(row), { ...Array(9000).fill(1) }]) {
    const reply = await app.inject({ method: 'POST', url: '/pay', payload: { amount: 1, other } })
    expect([reply.statusCode, Object.keys(reply.json().fields)]).toEqual([400, ['other']])
  }
})

it('the server refuses very deep input even with an idempotency key [API-3]', async () => {
  const reply = await app.inject({
    method: 'POST',
    url: '/pay',
    payload: `{"amount":1,"other":${'['.repeat(40_000)}${']'.repeat(40_000)}}`,
    headers: { 'content-type': 'application/json', 'idempotency-key': 'deep' },
  })
  expect([reply.statusCode, Object.keys(reply.json().fields)]).toEqual([400, ['other']])
})

it('the server works on a few calls of one person or address at the same time, and on those of others meanwhile [SAF-5]', async () => {
  const owner = await world.owner()
  const callers = ['198.51.100.71', '198.51.100.72', '198.51.100.73', '198.51.100.74']
  const sent = callers.flatMap((remoteAddress, nth) =>
    Array.from({ length: 40 }, () =>
      app.inject({
        url: '/busy',
        remoteAddress,
        // One person calls from two addresses.
        headers: nth < 2 ? { authorization: `Bearer ${owner.token}` } : {},
      }),
    ),
  )
  expect(new Set((await Promise.all(sent)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(mostAtWork.get(`person ${owner.id}`)).toBe(AT_WORK.session)
  for (const address of callers.slice(2)) expect(mostAtWork.get(address), address).toBe(AT_WORK.address)
})

it('the server sends only the fields that the contract names [API-5]', async () => {
  expect((await app.inject('/leaky')).json()).toEqual({ name: 'Thandi' })
})

const post = (payload: string | object, headers: Record<string, string> = {}) =>
  world.app.inject({
    method: 'POST',
    url: '/api/login',
    payload,
    headers: { 'content-type': 'application/json', ...headers },
    remoteAddress: '198.51.100.9',
  })

it('an unknown call is 404 in the errors shape [API-3]', async () => {
  for (const [method, url] of [
    ['GET', '/api/nothing'],
    ['DELETE', '/api/login'],
    ['GET', '/api'],
    ['POST', '/api/user/me/'],
    ['OPTIONS', '/api/login'],
    ['PURGE' as 'GET', '/api/login'],
    ['OPTIONS', '/'],
  ] as const) {
    const reply = await world.app.inject({ method, url })
    expect([reply.statusCode, reply.json().code], url).toEqual([404, 'UNKNOWN_CALL'])
    expect(reply.json().errors[0]).toMatch(/\w/)
  }
})

it('an unreadable request is 4xx with a message, never 5xx [API-3]', async () => {
  const bad: [string | object, Record<string, string>, number][] = [
    ['{', {}, 400],
    ['[1]', {}, 400],
    ['"x"', {}, 400],
    ['null', {}, 400],
    ['', {}, 400],
    [{ email: 7, password: {} }, {}, 400],
    [{ email: 'a\0b@example.com', password: 'x' }, {}, 400],
    [{ email: 'a@example.com', password: 'x\0' }, {}, 400],
    ['{"__proto__":{"email":"x"}}', {}, 400],
    [`{"email":"${'x'.repeat(300_000)}"}`, {}, 413],
    ['<xml/>', { 'content-type': 'text/xml' }, 415],
    ['x', { 'content-type': 'text/plain' }, 415],
    ['--B--\r\n', { 'content-type': 'multipart/form-data; boundary=B' }, 415],
  ]
  for (const [payload, headers, status] of bad) {
    const reply = await post(payload, headers)
    expect(reply.statusCode, JSON.stringify(payload).slice(0, 60)).toBe(status)
    expect(reply.json().errors[0]).toMatch(/\w/)
  }
  for (const url of ['/api/%', '/api/%00', '/api/user/%zz'])
    expect((await world.app.inject(url)).statusCode, url).toBeLessThan(500)
})

it('a wrong app_module is refused with the name of the right one', async () => {
  const reply = await post({}, { app_module: 'vetchat-au' })
  expect([reply.statusCode, reply.json().errors]).toEqual([400, ['This address serves vetchat-za.']])
  expect((await post({}, { app_module: 'vetchat-za' })).json().fields.email).toBe('Email is empty')
})

it("the date header has the product's time, which the sandbox's clock can move [LOG-13, VET-3]", async () => {
  const later = await createWorld({ database: world.database })
  later.advance({ days: 3 })
  for (const [url, status] of [
    ['/api/queue/status', 200],
    ['/api/user/me', 401],
  ] as const) {
    const reply = await later.app.inject(url)
    expect(reply.statusCode).toBe(status)
    const ahead = Date.parse(String(reply.headers['date'])) - later.now().getTime()
    expect(Math.abs(ahead)).toBeLessThan(5000)
  }
})

it('a connection whose client reads nothing of an answer ends, so that it holds no file open for ever [SAF-5]', () => {
  const { timeout } = world.app.server
  expect(timeout).toBeGreaterThan(MINUTE)
  expect(timeout).toBeLessThanOrEqual(300_000)
})

it('an OpenAPI document is kept ready in one version, compressed, for anybody who asks again and again [API-4]', async () => {
  const [first, again] = await Promise.all(
    ['br', 'gzip'].map((encoding) =>
      world.app.inject({ url: '/api/openapi.json', headers: { 'accept-encoding': encoding } }),
    ),
  )
  const { etag } = first!.headers
  expect([first!.headers['content-encoding'], again!.headers['content-encoding']]).toEqual(['br', 'gzip'])
  expect([typeof etag, again!.headers.etag]).toEqual(['string', etag])
  expect(first!.rawPayload.length).toBeLessThan(60_000)
  const same = await world.app.inject({ url: '/api/openapi.json', headers: { 'if-none-match': etag! } })
  expect([same.statusCode, same.rawPayload.length]).toEqual([304, 0])
})

it('the OpenAPI 3.1 document describes every call as tools expect: who may call it, what may fail, a name of its own [API-4]', async () => {
  interface Operation {
    operationId: string
    summary: string
    security?: object[]
    responses: Record<string, object>
  }
  const document = (await world.app.inject('/api/openapi.json')).json()
  const paths = Object.entries(document.paths as Record<string, Record<string, Operation>>)
  const operations = paths.flatMap(([, methods]) => Object.values(methods))
  expect(operations.length).toBeGreaterThan(50)
  expect(paths.filter(([path]) => path.endsWith('/'))).toEqual([])
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  for (const { operationId, summary, security, responses } of operations) {
    expect(security, operationId).toBeDefined()
    expect(summary, operationId).not.toBe('')
    expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(['200', '4XX', 'default']))
  }
  const [login, me] = [document.paths['/login'].post, document.paths['/user/me'].get]
  const json = 'application/json'
  expect([document.openapi, login.operationId, login.security, me.security]).toEqual([
    '3.1.0',
    'login',
    [],
    [{ bearer: [] }],
  ])
  expect(login.requestBody.content[json].schema.required).toContain('email')
  expect(me.responses['200'].content[json].schema.properties.customer_id).toEqual({ type: 'string' })
  expect(document.info.license.name).not.toBe('')
})

it('every answer forbids sniffing, framing and scripts', async () => {
  for (const url of ['/api/health', '/api/nothing', '/api/user/me', '/media/x'])
    expect((await world.app.inject(url)).headers, url).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'strict-origin-when-cross-origin',
    })
})

it('every answer demands TLS on a site that has it, and only there', async () => {
  const other = await createWorld({ env: { SITE_URL: 'https://vetchat.example' } })
  const demand = 'strict-transport-security'
  expect((await other.app.inject('/api/nothing')).headers[demand]).toMatch(/^max-age=\d{8}/)
  expect((await world.app.inject('/api/nothing')).headers).not.toHaveProperty(demand)
})

it('a refusal reaches a client that is still sending its file [PET-4]', async () => {
  const other = await createWorld()
  const address = await other.listen()
  for (let sent = 0; sent < 10; sent++) {
    const body = new FormData()
    body.append('image', new Blob(['x'.repeat(300_000)]), 'biscuit.png')
    const answer = await fetch(`${address}/api/upload`, { method: 'POST', body })
    expect([answer.status, await answer.text()]).toEqual([401, 'Unauthorized'])
  }
})

it('an unauthenticated caller learns how to authenticate', async () => {
  const reply = await world.app.inject('/api/user/me')
  expect([reply.statusCode, reply.body, reply.headers['www-authenticate']]).toEqual([
    401,
    'Unauthorized',
    'Bearer',
  ])
})

it('the socket forbids sniffing too, when it is polled and when it refuses', async () => {
  const other = await createWorld()
  const address = await other.listen()
  for (const query of ['EIO=4&transport=polling', 'EIO=3'])
    expect((await fetch(`${address}/api/live/?${query}`)).headers.get('x-content-type-options')).toBe(
      'nosniff',
    )
})

it.each([
  [
    'client that offers another protocol is answered over HTTP/1.1',
    'GET /api/health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n',
  ],
  [
    'whole URL gets the same answer as its path',
    'GET http://vetchat.example/api/health HTTP/1.1\r\nHost: vetchat.example\r\nConnection: close\r\n\r\n',
  ],
])('a %s', async (_, asked) => {
  const other = await createWorld()
  const { heard, closed } = heardBy(await other.listen(), asked)
  await closed
  expect(heard()).toMatch(/^HTTP\/1.1 200 [^]+{"ok":true}$/)
})

it('an unreadable address is 404 for a page and 400 for a call', async () => {
  const statusOf = async (url: string) => (await world.app.inject(url)).statusCode
  expect(await Promise.all(['/%', '/faq%zz', '/%ff?x=%'].map(statusOf))).toEqual([404, 404, 404])
  expect(await statusOf('/api/%ff')).toBe(400)
})

it('long answers that anyone may read are compressed, and no others', async () => {
  const ask = (path: string, more: object = {}) =>
    world.app.inject({ url: `/api${path}`, headers: { 'accept-encoding': 'br, gzip', ...more } })
  const breeds = await ask('/pet/all/breeds')
  expect(breeds.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
  const plain = await ask('/pet/all/breeds', { 'accept-encoding': 'identity' })
  expect(JSON.parse(brotliDecompressSync(breeds.rawPayload).toString())).toEqual(plain.json())
  expect(breeds.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
  expect((await ask('/queue/status')).headers).not.toHaveProperty('content-encoding')
  const { token, consultation } = await world.guest()
  const mine = await ask(`/consultation/${consultation.id}`, { authorization: `Bearer ${token}` })
  expect([mine.statusCode, mine.rawPayload.length > 1000]).toEqual([200, true])
  expect(mine.headers).not.toHaveProperty('content-encoding')
})

it.each([
  ['another machine', { remoteAddress: '203.0.113.9' }],
  ['a proxy that says so', { headers: { 'x-forwarded-for': '127.0.0.1' } }],
  ['a proxy that says so in its own way', { headers: { 'cf-connecting-ip': '203.0.113.9' } }],
  ['a proxy that says nothing', { headers: { host: 'vetchat.example' } }],
  ['a name that only begins like this machine', { headers: { host: '127.0.0.1.evil.example' } }],
  ['a name that only ends like this machine', { headers: { host: 'evil-localhost' } }],
  ['a name with this machine in it', { headers: { host: 'au.localhost.evil.example' } }],
])('the sandbox and the metrics don’t exist for %s', async (_name, from) => {
  for (const url of ['/api/sandbox/mail', '/api/metrics']) {
    const { statusCode, body } = await world.app.inject({ url, ...from })
    expect([statusCode, body]).toEqual([404, expect.stringContaining('UNKNOWN_CALL')])
  }
})

it.each(['localhost', 'LOCALHOST:3000', 'au.localhost:3000', '127.0.0.1:3000', '[::1]:3000'])(
  'the sandbox and the metrics exist for this machine at %s',
  async (host) => {
    const ask = (url: string) => world.app.inject({ url, headers: { host } })
    expect((await ask('/api/sandbox/mail?to=nobody@example.com')).json()).toEqual([])
    expect((await ask('/api/metrics')).body).toContain('vetchat_answer_seconds')
  },
)

it('each answer is logged once, with the route pattern and no secret', async () => {
  const logged = await createWorld({ database: world.database, env: { LOG_LEVEL: 'info' } })
  const owner = await logged.owner()
  await logged.nobody.from('192.0.2.1').call(login, { email: owner.email, password: 'Passw0rd' })
  await owner.call(me, {})
  await logged.app.inject('/api/resetpwd/SECRETCODE?email=thandi@example.com')
  const events = logged.log
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line['event'] === 'answered')
  expect(events.map((line) => [line['call'], line['status']])).toEqual([
    ['login', 200],
    ['me', 200],
    ['/api/*', 404],
  ])
  const all = logged.log.join('')
  for (const secret of [owner.email, 'Passw0rd', owner.token, 'SECRETCODE', 'thandi@'])
    expect(all).not.toContain(secret)
})

it('a call that the database ends to resolve a deadlock may be tried again [OPS-5]', () => {
  const ended = Object.assign(new Error('deadlock detected'), { code: '40P01', severity: 'ERROR' })
  const { status, retryAfter } = asAnswer(new Error('Failed query', { cause: ended }))
  expect([status, retryAfter]).toEqual([503, 5])
})

it('a database error is logged without the input', async () => {
  const logged = await createWorld({ database: world.database, env: { LOG_LEVEL: 'info' } })
  await world.db.execute('alter table code_requests rename to elsewhere')
  const reply = await logged.nobody.send(requestResetCode, { email: 'thandi@example.com' })
  await world.db.execute('alter table elsewhere rename to code_requests')
  const duplicate = world.db.insert(settings).values([
    { key: 'thandi@example.com', value: 1 },
    { key: 'thandi@example.com', value: 2 },
  ])
  logged.world.log.error(await duplicate.then(String, (error: unknown) => error))
  expect(reply.status).toBe(500)
  const failed = logged.log.find((line) => line.includes('call failed'))!
  expect(JSON.parse(failed)).toMatchObject({
    call: 'requestResetCode',
    ref: reply.body.ref,
    err: { query: expect.stringContaining('insert into "code_requests"'), cause: { code: '42P01' } },
  })
  expect(logged.log.join('')).toContain('settings_pkey')
  expect(logged.log.join('')).not.toContain('thandi')
})

/** What the server replies on a connection that sends these bytes. */
function heardBy(address: string, bytes: string) {
  const socket = net.connect(Number(new URL(address).port), '127.0.0.1')
  let heard = ''
  // A connection that is cut while it still sends reports an error before it closes.
  const closed = new Promise((resolve) => socket.once('error', () => {}).once('close', resolve))
  socket.on('data', (text) => void (heard += String(text))).write(bytes)
  return { socket, heard: () => heard, closed }
}

it('the sandbox and the metrics don’t exist behind a proxy that only shows by speaking HTTP/1.0', async () => {
  const other = await createWorld({ database: world.database })
  const address = await other.listen()
  const { host } = new URL(address)
  for (const [url, version, status] of [
    ['/api/metrics', '1.1', 200],
    ['/api/metrics', '1.0', 404],
    ['/api/sandbox/mail', '1.0', 404],
  ]) {
    const asked = `GET ${url} HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    const { heard, closed } = heardBy(address, asked)
    await closed
    expect(heard()).toContain(`HTTP/1.1 ${status} `)
  }
})

it("bytes that aren't HTTP are answered in the errors shape", async () => {
  const other = await createWorld({ database: world.database })
  const address = await other.listen()
  for (const bytes of ['hello\r\n\r\n', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`]) {
    const { heard, closed } = heardBy(address, bytes)
    await closed
    expect(heard()).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
    expect(heard()).toContain('X-Content-Type-Options: nosniff'.toLowerCase())
    expect(JSON.parse(heard().split('\r\n\r\n')[1]!).code).toBe('MALFORMED')
  }
})

it.each(['/api/health', '/api/live/?EIO=4&transport=polling'])(
  'a connection that sends request after request and waits for no answer is cut: %s [SAF-5]',
  async (url) => {
    const other = await createWorld({ database: world.database })
    const address = await other.listen()
    const ask = `GET ${url} HTTP/1.1\r\nHost: ${new URL(address).host}\r\n\r\n`
    const answersIn = (heard: string) => heard.split('HTTP/1.1 200').length - 1
    const patient = heardBy(address, ask.repeat(MOST_UNANSWERED))
    await expect.poll(() => answersIn(patient.heard()), { timeout: 5000 }).toBe(MOST_UNANSWERED)
    patient.socket.write(ask)
    await expect.poll(() => answersIn(patient.heard()), { timeout: 5000 }).toBe(MOST_UNANSWERED + 1)
    patient.socket.destroy()
    const hasty = heardBy(address, ask.repeat(500))
    await hasty.closed
    expect(answersIn(hasty.heard())).toBeLessThan(500)
  },
)

it('a server that stops finishes running work, and tells new callers that it is closing', async () => {
  const other = await createWorld({ database: world.database })
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'x' })
  const login = `POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  const address = await other.listen()
  const { socket, heard, closed } = heardBy(address, `${login}${body}`)
  await once(other.app.server, 'request')
  const stopped = other.close()
  socket.write('GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n')
  await Promise.all([closed, stopped])
  const [ran, , asked, why] = heard().split(/\r\n\r\n|(?=HTTP\/1.1 503)/)
  expect(ran).toContain('HTTP/1.1 401')
  expect(asked).toMatch(/^HTTP\/1.1 503[^]+retry-after: 5/)
  expect(JSON.parse(why!)).toMatchObject({ code: 'UNAVAILABLE', errors: [expect.any(String)] })
})

describe('sockets', () => {
  const events = {
    echo: event('echo', {
      summary: 'x',
      access: people,
      input: z.object({ words: text(10) }),
      output: z.object({ words: z.string(), by: z.number() }),
    }),
    busy: event('busy', { summary: 'x', access: people, input: nothing, output: nothing }),
    vetsOnly: event('vetsOnly', { summary: 'x', access: ['vet'], input: nothing, output: nothing }),
  }
  const news = push('news', z.object({ title: z.string() }))
  let address: string
  beforeAll(async () => {
    address = await world.listen()
  })
  const open = (token: string, origin?: string) =>
    connect(address, {
      path: '/api/live',
      auth: { token },
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      ...(origin && { extraHeaders: { origin } }),
    })
  const outcomeOf = (socket: ReturnType<typeof connect>) =>
    new Promise<string>((resolve) => {
      socket.once('connect', () => resolve('connected'))
      socket.once('connect_error', (error) => resolve(error.message))
    })

  it('sockets are limited for each person, and one that closes makes room [SAF-5]', async () => {
    const [owner, other] = [await world.owner(), await world.owner()]
    const most = mostSockets('owner')
    const pages = Array.from({ length: most + 10 }, () => open(owner.token))
    const outcomes = await Promise.all(pages.map(outcomeOf))
    expect(outcomes.filter((outcome) => outcome === 'connected')).toHaveLength(most)
    expect(outcomes.filter((outcome) => outcome === 'Too many')).toHaveLength(10)
    const others = open(other.token)
    expect(await outcomeOf(others)).toBe('connected')
    for (const page of [others, ...pages]) page.close()
    const again = async () => {
      const page = open(owner.token)
      return outcomeOf(page).finally(() => page.close())
    }
    await expect.poll(again).toBe('connected')
  })

  it('sockets open once on a connection, whose second request for one cuts it [SAF-5]', async () => {
    const { token } = await world.owner()
    const page = new WebSocket(`${address}/api/live/?EIO=4&transport=websocket`)
    let opened = 0
    page.addEventListener('message', ({ data }) => void (opened += String(data).startsWith('40{') ? 1 : 0))
    const closed = new Promise((resolve) => page.addEventListener('close', resolve))
    await new Promise((resolve) => page.addEventListener('open', resolve))
    for (let at = 0; at < 50; at++) page.send(`40${JSON.stringify({ token })}`)
    await closed
    expect(opened).toBeLessThan(2)
  })

  it('sockets close the connection of a client that is refused and still sends [SAF-5]', async () => {
    const unknown = '/api/live/?EIO=4&transport=polling&sid=nobodys'
    const head = `POST ${unknown} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n4`
    const { socket, heard, closed } = heardBy(address, head)
    const sends = setInterval(() => socket.write('x'), 100)
    await closed.finally(() => clearInterval(sends))
    expect(heard()).toMatch(/^HTTP\/1.1 400 /)
  })

  it('sockets have a higher limit for a clinic, whose desks share them [SAF-5]', async () => {
    const { token } = await world.clinic()
    const desks = Array.from({ length: mostSockets('owner') + 1 }, () => open(token))
    expect(new Set(await Promise.all(desks.map(outcomeOf)))).toEqual(new Set(['connected']))
    for (const desk of desks) desk.close()
  })

  it('sockets answer events with the same handler shape, to the actor of the token, a few at the same time, and delivers messages [API-2, SAF-5]', async () => {
    mountEvents(
      world.built.io,
      world.world,
      listen(events, {
        echo: (ctx, { words }) => ({ words, by: ctx.actor.userId }),
        busy: (ctx) => working(`person ${ctx.actor.userId}`),
        vetsOnly: () => ({}),
      }),
    )
    const owner = await world.owner()
    const socket = open(owner.token)
    const heard = new Promise((resolve) => socket.once('news', resolve))
    expect(await socket.emitWithAck('echo', { words: 'hello' })).toEqual({
      ok: { words: 'hello', by: owner.id },
    })
    const tabs = [socket, open(owner.token), open(owner.token)]
    await Promise.all(tabs.flatMap((tab) => Array.from({ length: 8 }, () => tab.emitWithAck('busy', {}))))
    // The events of all tabs together.
    expect(mostAtWork.get(`person ${owner.id}`)).toBe(AT_WORK.session)
    for (const tab of tabs.slice(1)) tab.close()
    expect((await socket.emitWithAck('echo', { words: '' })).code).toBe('INVALID_INPUT')
    expect((await socket.emitWithAck('echo', 7)).code).toBe('MALFORMED')
    expect((await socket.emitWithAck('vetsOnly', {})).code).toBe('NOT_THIS_ROLE')
    world.world.tell(personRoom(owner.id), news, { title: 'Dr Naidoo joined' })
    expect(await heard).toEqual({ title: 'Dr Naidoo joined' })
    const gone = Promise.all(
      ['sessionEnded', 'disconnect'].map((name) => new Promise((resolve) => socket.once(name, resolve))),
    )
    await owner.call((await import('#contract/accounts.ts')).logout, {})
    await gone

    const outcome = (socket: ReturnType<typeof connect>) => outcomeOf(socket).finally(() => socket.close())
    const other = await world.owner()
    expect(await outcome(open(other.token))).toBe('connected')
    expect(await outcome(open(owner.token))).toBe('Unauthorized')
    expect(await outcome(open('x'))).toBe('Unauthorized')
    expect(await outcome(open(other.token, 'https://evil.example'))).not.toBe('connected')
    expect(await outcome(open(other.token, address))).toBe('connected')
  })
})
