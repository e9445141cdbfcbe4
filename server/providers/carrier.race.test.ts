import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { connect } from 'socket.io-client'
import { expect, it, vi } from 'vitest'
import * as z from 'zod'
import { push } from '#contract/call.ts'
import { openPostgres } from '#server/db/client.ts'
import { readEnv } from '#server/env.ts'
import { personRoom } from '#server/live/connections.ts'
import { portOf } from '#test/port-of.ts'
import { passingOn } from '#test/falls-silent.ts'
import { createWorld, ownPostgres } from '#test/world.ts'
import { openCarrier } from './carrier.ts'

const news = push('news', z.object({ title: z.string() }))

it('sockets of one instance hear what another tells, once, whatever its size, and hear of an ended session [CON-2]', async () => {
  const url = await ownPostgres(process.env['TEST_DATABASE_URL']!)
  const [one, other] = await Promise.all(
    [1, 2].map(async () => {
      const database = await openPostgres(url)
      const carrier = await openCarrier(readEnv({}), database)
      return { database, carrier, world: await createWorld({ database, carrier }) }
    }),
  )
  const owner = await one!.world.owner()
  const socket = connect(await other!.world.listen(), {
    path: '/api/live',
    auth: { token: owner.token },
    transports: ['websocket'],
    reconnectionDelay: 10,
    forceNew: true,
  })
  const heard: string[] = []
  socket.on('news', ({ title }: { title: string }) => void heard.push(title))
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  const titles = ['Dr Naidoo joined', '🐶'.repeat(10_000), ...Array.from({ length: 50 }, (_, at) => `${at}`)]
  for (const title of titles) one!.world.world.tell(personRoom(owner.id), news, { title })
  await expect.poll(() => heard.length).toBe(titles.length)
  expect(heard).toEqual(titles)

  const again = new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  await one!.database.db.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and pid <> pg_backend_pid() and datname = current_database()`,
  )
  await again
  const over = new Promise((resolve) => socket.once('disconnect', resolve))
  one!.world.world.hangUp(personRoom(owner.id))
  expect(await over).toBe('io server disconnect')
  socket.close()
  for (const { world, carrier, database } of [one!, other!]) {
    await world.close()
    await carrier.close()
    await database.close()
  }
})

it('hears of an ended session even if the database had no connection for the news at first [CON-2, SAF-1]', async () => {
  const url = await ownPostgres(process.env['TEST_DATABASE_URL']!)
  const [one, other] = await Promise.all(
    [1, 2].map(async () => {
      const database = await openPostgres(url)
      return { database, carrier: await openCarrier(readEnv({}), database) }
    }),
  )
  const heard: string[] = []
  await other!.carrier.hear(({ room }) => void heard.push(room), vi.fn())
  // We wait ten seconds for a connection.
  const busy = Array.from({ length: 10 }, () => one!.database.db.execute(sql`select pg_sleep(12)`))
  one!.carrier.carry({ room: 'session:1', hangUp: true })
  await Promise.all(busy)
  await expect.poll(() => heard).toEqual(['session:1'])
  for (const { carrier, database } of [one!, other!]) {
    await carrier.close()
    await database.close()
  }
})

const redisServer = ['/usr/bin/redis-server', '/usr/local/bin/redis-server'].find(existsSync)

async function freePort() {
  const server = net.createServer()
  const port = await portOf(server)
  server.close()
  return port
}

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

async function startRedis(port: number, ...options: string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-redis-'))
  const place = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder]
  const server = spawn(redisServer!, [...place, ...options])
  await expect.poll(() => isOpen(port), { timeout: 10_000 }).toBe(true)
  return async () => {
    server.kill('SIGKILL')
    await once(server, 'exit')
    rmSync(folder, { recursive: true })
  }
}

it.runIf(redisServer)(
  'while Redis is away, PostgreSQL delivers the pushes, and the log says so once [OPS-5]',
  async () => {
    const port = await freePort()
    const start = () => startRedis(port)
    let stopRedis = await start()
    const url = await ownPostgres(process.env['TEST_DATABASE_URL']!)
    const [one, other] = await Promise.all(
      [1, 2].map(async () => {
        const database = await openPostgres(url)
        const carrier = await openCarrier({ redisUrl: `redis://127.0.0.1:${port}` }, database)
        const heard: string[] = []
        const ups: boolean[] = []
        const missed = vi.fn()
        await carrier.hear((parcel) => void heard.push(parcel.room), missed)
        carrier.watch((isUp) => void ups.push(isUp))
        return { database, carrier, heard, missed, ups }
      }),
    )
    const tell = (room: string) => one!.carrier.carry({ room, push: 'news', payload: {} })
    tell('first')
    await expect.poll(() => other!.heard).toEqual(['first'])
    await stopRedis()
    await expect.poll(() => one!.ups).toEqual([false])
    tell('second')
    await expect.poll(() => other!.heard).toEqual(['first', 'second'])
    expect(one!.carrier.isUp()).toBe(false)
    // What Redis lost with the connection is fetched straight away.
    await expect.poll(() => other!.missed).toHaveBeenCalledTimes(1)
    stopRedis = await start()
    await expect.poll(() => one!.ups, { timeout: 10_000 }).toEqual([false, true])
    // Each connection reconnects at its own time. What is sent before the other one listens again counts as missed.
    await expect.poll(() => other!.missed, { timeout: 10_000 }).toHaveBeenCalledTimes(2)
    tell('third')
    await expect.poll(() => other!.heard, { timeout: 10_000 }).toEqual(['first', 'second', 'third'])
    for (const { carrier, database } of [one!, other!]) {
      await carrier.close()
      await database.close()
    }
    await stopRedis()
  },
)

it.runIf(redisServer)(
  'an instance whose connections to Redis fall silent, as behind a firewall, hears the others again [OPS-2]',
  async () => {
    const port = await freePort()
    const stopRedis = await startRedis(port)
    const between = await passingOn({ port, host: '127.0.0.1' })
    const database = await openPostgres(await ownPostgres(process.env['TEST_DATABASE_URL']!))
    const open = (at: number) => openCarrier({ redisUrl: `redis://127.0.0.1:${at}` }, database, 500)
    const [one, other] = await Promise.all([port, between.port].map(open))
    const [heard, missed] = [vi.fn(), vi.fn()]
    await one!.hear(() => {}, vi.fn())
    await other!.hear(heard, missed)
    between.silence()
    await expect.poll(() => missed).toHaveBeenCalled()
    await expect
      .poll(() => {
        one!.carry({ room: 'first', push: 'news', payload: {} })
        return heard.mock.calls.length
      })
      .toBeGreaterThan(0)
    for (const carrier of [one!, other!]) await carrier.close()
    await database.close()
    between.stop()
    await stopRedis()
  },
)

it.runIf(redisServer)(
  'a start while Redis is away says why and keeps trying, and the others deliver through PostgreSQL meanwhile [OPS-5]',
  async () => {
    const port = await freePort()
    const url = await ownPostgres(process.env['TEST_DATABASE_URL']!)
    const open = async (redisPort: number) => {
      const database = await openPostgres(url)
      const carrier = await openCarrier({ redisUrl: `redis://127.0.0.1:${redisPort}` }, database)
      const heard: string[] = []
      const told: [boolean, string?][] = []
      carrier.watch((...news) => void told.push(news))
      await carrier.hear(
        (parcel) => void heard.push(parcel.room),
        () => {},
      )
      return { database, carrier, heard, told }
    }
    const stopReachable = await startRedis(port)
    const awayPort = await freePort()
    const here = await open(port)
    const away = await open(awayPort)
    expect(here.carrier.isUp()).toBe(true)
    expect(away.told).toEqual([[false, `connect ECONNREFUSED 127.0.0.1:${awayPort}`]])
    const tell = (room: string) => here.carrier.carry({ room, push: 'news', payload: {} })
    // Redis answers here, so only the other instance's message makes this one use PostgreSQL.
    await expect
      .poll(() => {
        tell('through PostgreSQL')
        return away.heard[0]
      })
      .toBe('through PostgreSQL')
    const stopLate = await startRedis(awayPort)
    await expect.poll(() => away.told.length, { timeout: 10_000 }).toBe(2)
    expect(away.carrier.isUp()).toBe(true)
    for (const { carrier, database } of [here, away]) {
      await carrier.close()
      await database.close()
    }
    await stopReachable()
    await stopLate()
  },
)

it.runIf(redisServer)('a wrong password for Redis refuses the start [OPS-7]', async () => {
  const port = await freePort()
  const stop = await startRedis(port, '--requirepass', 'right')
  const database = await openPostgres(await ownPostgres(process.env['TEST_DATABASE_URL']!))
  const open = (login: string) => openCarrier({ redisUrl: `redis://${login}127.0.0.1:${port}` }, database)
  await expect(open(':wrong@')).rejects.toThrow('WRONGPASS')
  await expect(open('')).rejects.toThrow('NOAUTH')
  const carrier = await open(':right@')
  expect(carrier.isUp()).toBe(true)
  await carrier.close()
  await database.close()
  await stop()
})
