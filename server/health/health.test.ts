import { once } from 'node:events'
import net from 'node:net'
import { drizzle } from 'drizzle-orm/node-postgres'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { expect, it } from 'vitest'
import { login } from '#contract/accounts.ts'
import { sendMessageByCall } from '#contract/chat.ts'
import { alive, health } from '#contract/health.ts'
import type { Db } from '#server/db/client.ts'
import { createWorld } from '#test/world.ts'

const UNAVAILABLE = { errors: ['VetChat is restarting. Please try again in a moment.'], code: 'UNAVAILABLE' }

/** A server whose database should be on this port. */
async function worldOn(port: number) {
  const pool = new pg.Pool({ host: '127.0.0.1', port })
  const db = drizzle(pool) as unknown as Db
  return createWorld({ database: { db, pool: null, listen: async () => {}, close: () => pool.end() } })
}

it('without its database it is not healthy, and asks to retry', async () => {
  const world = await worldOn(1)
  for (const reply of [
    await world.nobody.send(health),
    await world.nobody.send(login, { email: 'nobody@example.com', password: 'x' }),
  ])
    expect([reply.status, reply.body, reply.headers['retry-after']]).toEqual([503, UNAVAILABLE, '5'])
  await world.close()
})

it('with a database that never answers it is not healthy either', async () => {
  const silent = net.createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const world = await worldOn((silent.address() as net.AddressInfo).port)
  expect((await world.nobody.send(health)).status).toBe(503)
  await world.close()
})

it('answers HEAD like GET, without the body', async () => {
  const world = await createWorld()
  const ask = (method: 'GET' | 'HEAD') => world.app.inject({ method, url: '/api/health' })
  const [get, head] = [await ask('GET'), await ask('HEAD')]
  const lines = ({ headers }: typeof get) => ({ ...headers, date: '' })
  expect([head.statusCode, head.body, lines(head)]).toEqual([200, '', lines(get)])
  await world.close()
  const broken = await worldOn(1)
  const reply = await broken.app.inject({ method: 'HEAD', url: '/api/health' })
  expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '5'])
  // Calls that need a caller, or count attempts, have no HEAD.
  expect((await broken.app.inject({ method: 'HEAD', url: '/api/user/me' })).statusCode).toBe(404)
  await broken.close()
})

it('says that nothing can be saved while the database’s disk is full, and is whole again without help [SAF-4]', async () => {
  const world = await createWorld()
  const owner = await world.member()
  const { id: consultation } = await world.consultation({ userId: owner.id, petId: owner.pet.id })
  const say = () => owner.send(sendMessageByCall, { consultation, client_id: 'full-disk', body: 'She fell' })
  await world.db.execute(sql`create function refuse_full() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`)
  await world.db.execute(
    sql`create trigger refuse_full before insert on messages for each row execute function refuse_full()`,
  )
  const { status, body, headers } = await say()
  expect([status, body.errors, headers['retry-after']]).toEqual([
    503,
    ['We can’t save anything at the moment. Please try again in a few minutes.'],
    '30',
  ])
  await world.db.execute(sql`drop function refuse_full cascade`)
  expect((await world.nobody.send(health)).status).toBe(200)
  expect((await say()).status).toBe(200)
  expect((await world.nobody.send(alive)).status).toBe(200)
  await world.close()
})
