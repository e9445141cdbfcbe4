import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { expect, it, vi } from 'vitest'
import { createWorld } from '#test/world.ts'
import { watchBody } from './body.ts'

it('files of a killed process are deleted after an hour, newer ones are kept', async () => {
  const world = await createWorld()
  const left = (name: string, minutesAgo: number) => {
    const folder = path.join(world.env.dataDir, 'receiving', name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, '0'), 'half a picture')
    const at = world.now().getTime() / 1000 - minutesAgo * 60
    utimesSync(folder, at, at)
    return folder
  }
  const [old, recent] = [left('call-old', 61), left('call-recent', 59)]
  await world.runDue()
  expect([old, recent].map((folder) => existsSync(folder))).toEqual([false, true])
})

it('a body counts as slow only while we read it, and not while the database says who is calling [OPS-5]', () => {
  vi.useFakeTimers()
  const request = { headers: { 'content-length': '5' } } as FastifyRequest
  for (const upload of [false, true]) {
    const body = new PassThrough()
    const refused = vi.fn()
    watchBody(body.on('error', refused), request, upload)
    vi.advanceTimersByTime(40_000)
    expect(refused).not.toHaveBeenCalled()
    body.resume()
    vi.advanceTimersByTime(16_000)
    expect(refused.mock.calls).toMatchObject([[{ code: 'TOO_SLOW' }]])
  }
  vi.useRealTimers()
})

it('an upload may be slow, but not silent for half a minute: its connection may be lost [CON-4]', () => {
  vi.useFakeTimers()
  const body = new PassThrough()
  const refused = vi.fn()
  watchBody(body.on('error', refused), { headers: { 'content-length': '5' } } as FastifyRequest, true)
  body.resume()
  for (let n = 0; n < 4; n++) {
    body.write(Buffer.alloc(500_000))
    vi.advanceTimersByTime(30_000)
  }
  expect(refused).not.toHaveBeenCalled()
  vi.advanceTimersByTime(2000)
  expect(refused.mock.calls).toMatchObject([[{ code: 'TOO_SLOW' }]])
  vi.useRealTimers()
})
