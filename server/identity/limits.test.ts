import { expect, it } from 'vitest'
import { createWorld } from '#test/world.ts'
import { networkOf, tryTake, waitFor } from './limits.ts'

const world = await createWorld()

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

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2ab::1', '2001:0db8:0001:0200::/56'],
  ['2001:db8:1:2ff:1:2:3:4', '2001:0db8:0001:0200::/56'],
  ['2001:db8::1', '2001:0db8:0000:0000::/56'],
  ['::1', '0000:0000:0000:0000::/56'],
])('%s is counted as %s', (address, network) => expect(networkOf(address)).toBe(network))
