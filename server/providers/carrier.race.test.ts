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
import { createWorld, ownPostgres } from '#test/world.ts'
import { openCarrier } from './carrier.ts'

const news = push({ push: 'news', payload: z.object({ title: z.string() }) })

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

const redisServer = ['/usr/bin/redis-server', '/usr/local/bin/redis-server'].find(existsSync)

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  server.close()
  return port
}

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

it.runIf(redisServer)(
  'while Redis is away, PostgreSQL delivers the pushes, and the log says so once [OPS-5]',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-redis-'))
    const port = await freePort()
    const start = async () => {
      const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder]
      const server = spawn(redisServer!, options)
      await expect.poll(() => isOpen(port), { timeout: 10_000 }).toBe(true)
      return async () => {
        server.kill('SIGKILL')
        await once(server, 'exit')
      }
    }
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
    stopRedis = await start()
    await expect.poll(() => one!.ups, { timeout: 10_000 }).toEqual([false, true])
    // Each connection reconnects at its own time. What is sent before the other one listens again counts as missed.
    await expect.poll(() => other!.missed, { timeout: 10_000 }).toHaveBeenCalled()
    tell('third')
    await expect.poll(() => other!.heard, { timeout: 10_000 }).toEqual(['first', 'second', 'third'])
    for (const { carrier, database } of [one!, other!]) {
      await carrier.close()
      await database.close()
    }
    await stopRedis()
    rmSync(folder, { recursive: true })
  },
)
