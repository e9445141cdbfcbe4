import { expect, it } from 'vitest'
import { createWorld } from '#test/world.ts'
import { uncount, networkOf, take, tryTake, waitFor } from './limits.ts'

const world = await createWorld()

it('parallel attempts never exceed the limit together [LOG-12]', async () => {
  const waits = await Promise.all(Array.from({ length: 40 }, () => tryTake(world.world, 'signInHere', 'x')))
  expect(waits.filter((wait) => wait === 0)).toHaveLength(10)
})

it('a window opens with the first attempt and closes after its minutes [LOG-12]', async () => {
  for (let n = 0; n < 10; n++) await take(world.world, 'signInHere', 'y')
  world.advance({ minutes: 14 })
  await expect(take(world.world, 'signInHere', 'y')).rejects.toThrow('Please wait 2 minutes')
  world.advance({ minutes: 2 })
  expect(await tryTake(world.world, 'signInHere', 'y')).toBe(0)
})

it('a server whose clock was ahead for a moment keeps nobody waiting until that time [SAF-6]', async () => {
  world.advance({ days: 365 })
  for (let n = 0; n < 12; n++) await tryTake(world.world, 'signInHere', 'early')
  world.advance({ days: -365 })
  expect(await waitFor(world.world, 'signInHere', 'early')).toBe(0)
  const waits: number[] = []
  for (let n = 0; n < 11; n++) waits.push(await tryTake(world.world, 'signInHere', 'early'))
  expect(waits.map((wait) => wait > 0)).toEqual([...Array(10).fill(false), true])
  expect(waits.at(-1)).toBeLessThanOrEqual(15 * 60)
})

it('an attempt that is given back can be made again', async () => {
  for (let n = 0; n < 30; n++) {
    await take(world.world, 'signInHere', 'z')
    await uncount(world.world, 'signInHere', 'z')
  }
  expect(await tryTake(world.world, 'signInHere', 'z')).toBe(0)
})

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2ab::1', '2001:0db8:0001:0200::/56'],
  ['2001:db8:1:2ff:1:2:3:4', '2001:0db8:0001:0200::/56'],
  ['2001:db8::1', '2001:0db8:0000:0000::/56'],
  ['::1', '0000:0000:0000:0000::/56'],
])('%s is counted as %s', (address, network) => expect(networkOf(address)).toBe(network))
