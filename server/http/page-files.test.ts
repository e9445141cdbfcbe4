import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { pageFiles } from '#server/db/schema.ts'
import { createWorld } from '#test/world.ts'
import { keepBuild, keepPageFiles, servePageFiles } from './page-files.ts'

const folders = ['old', 'new'].map((name) => mkdtempSync(path.join(tmpdir(), `vetchat-${name}-build-`)))
const [old, fresh] = folders as [string, string]
const world = await createWorld()
await world.db.delete(pageFiles)
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

const write = (build: string, name: string, text: string, folder = 'assets') => {
  const file = path.join(build, folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  if (text.length > 20) writeFileSync(`${file}.br`, brotliCompressSync(text))
}
const names = async () =>
  (await world.db.select({ name: pageFiles.name }).from(pageFiles)).map(({ name }) => name)

it('an instance of one build has the scripts and styles of pages from another, for a month [OPS-2]', async () => {
  const script = 'export const one = 1 // the page that is open asks for this'
  write(old, 'base-AAAAAAAA.js', script)
  write(old, 'app-AAAAAAAA.css', 'a{color:red}')
  write(fresh, 'base-BBBBBBBB.js', script.replace('1', '2'))
  write(fresh, 'app-AAAAAAAA.css', 'a{color:red}')
  await keepPageFiles(world.world, old)
  await keepPageFiles(world.world, fresh)
  expect((await names()).toSorted()).toEqual(['app-AAAAAAAA.css', 'base-AAAAAAAA.js', 'base-BBBBBBBB.js'])

  const app = Fastify({ exposeHeadRoutes: false })
  servePageFiles(app, world.world)
  const get = (name: string, headers = {}, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ method, url: `/assets/${name}`, headers })
  const whole = await get('base-AAAAAAAA.js')
  expect([whole.statusCode, whole.body]).toEqual([200, script])
  expect(whole.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  })
  const small = await get('base-AAAAAAAA.js', { 'accept-encoding': 'gzip, br' })
  expect(small.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(small.rawPayload).toString()).toBe(script)
  const style = await get('app-AAAAAAAA.css', { 'accept-encoding': 'br' })
  expect([style.headers['content-type'], style.headers['content-encoding'], style.body]).toEqual([
    'text/css; charset=utf-8',
    undefined,
    'a{color:red}',
  ])
  expect((await get('base-AAAAAAAA.js', {}, 'HEAD')).body).toBe('')
  for (const name of ['base-CCCCCCCC.js', 'base-AAAAAAAA.js.map', '%2e%2e%2fsecret', 'x'.repeat(90)]) {
    const { statusCode, headers } = await get(name)
    expect([name, statusCode, headers['cache-control']]).toEqual([name, 404, 'no-store'])
  }
  await app.close()

  world.advance({ days: 29 })
  await keepPageFiles(world.world, fresh)
  world.advance({ days: 2 })
  await keepBuild.run(world.world)
  expect(await names()).toEqual(expect.not.arrayContaining(['base-AAAAAAAA.js']))
  expect(await names()).toEqual(expect.arrayContaining(['app-AAAAAAAA.css', 'base-BBBBBBBB.js']))
})

it('an instance of one build has the pictures of pages from another [OPS-2]', async () => {
  write(fresh, 'puppy.svg', '<svg/>', 'scenes')
  await keepPageFiles(world.world, fresh)
  const app = Fastify({ exposeHeadRoutes: false })
  servePageFiles(app, world.world)
  const { body, headers } = await app.inject('/scenes/puppy.svg')
  expect([body, headers['content-type'], headers['cache-control']]).toEqual([
    '<svg/>',
    'image/svg+xml',
    'public, max-age=3600',
  ])
  for (const elsewhere of ['/assets/puppy.svg', '/avatars/puppy.svg', '/scenes/kitten.svg'])
    expect([elsewhere, (await app.inject(elsewhere)).statusCode]).toEqual([elsewhere, 404])
  await app.close()
})
