import { expect, it } from 'vitest'
import { dataUsed } from '../lib/data-used.ts'
import { BEGINNING } from './call-state.ts'
import type { Peer } from './peer.ts'
import { openQuality } from './quality.ts'

const MB = 1_000_000

it('what a call sends and receives counts as data that the page used [CON-5]', async () => {
  const stats = new Map([['T', { type: 'transport', bytesSent: 2 * MB, bytesReceived: 3 * MB }]])
  const pc = { connectionState: 'connected', getStats: async () => stats }
  const quality = openQuality({
    state: () => BEGINNING,
    set: () => {},
    peer: () => ({ pc, note: () => {}, limit: async () => {} }) as unknown as Peer,
    picture: () => null,
    onStep: () => {},
  })
  const before = dataUsed()
  await quality.sample()
  stats.set('T', { type: 'transport', bytesSent: 3 * MB, bytesReceived: 4 * MB })
  await quality.sample()
  expect(dataUsed() - before).toBeGreaterThanOrEqual(7 * MB)
})
