import { once } from 'node:events'
import net from 'node:net'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { expect, it } from 'vitest'
import { login } from '#contract/accounts.ts'
import { health } from '#contract/house.ts'
import type { Db } from '#server/db/client.ts'
import { createWorld } from '#test/world.ts'

const UNAVAILABLE = { errors: ['We are restarting. Please try again in a moment.'], code: 'UNAVAILABLE' }

/** A product whose database is on this port. */
async function worldOn(port: number) {
  const pool = new pg.Pool({ host: '127.0.0.1', port })
  const db = drizzle(pool) as unknown as Db
  return createWorld({ database: { db, pool: null, listen: async () => {}, close: () => pool.end() } })
}

it('without its database is not healthy, and asks to come back', async () => {
  const world = await worldOn(1)
  for (const reply of [
    await world.nobody.send(health),
    await world.nobody.send(login, { email: 'nobody@example.com', password: 'x' }),
  ])
    expect([reply.status, reply.body, reply.headers['retry-after']]).toEqual([503, UNAVAILABLE, '5'])
  await world.close()
})

it('with a database that never answers is not healthy either', async () => {
  const silent = net.createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const world = await worldOn((silent.address() as net.AddressInfo).port)
  expect((await world.nobody.send(health)).status).toBe(503)
  await world.close()
})
