import { expect, it } from 'vitest'
import { type Measured, verdictOf } from './network-check.ts'
import { begin, climb, type Ladder, PICTURES, type Sample, SOUND_KBPS, type Step } from './quality-steps.ts'

const GOOD: Sample = { loss: 0, rtt: 80, frozen: 0, starved: false }
const BAD: Sample = { ...GOOD, loss: 0.1 }
const AWFUL: Sample = { ...GOOD, frozen: 2000 }
const after = (samples: Sample[], from: Ladder = begin('video'), most: Step = 'full') =>
  samples.reduce((ladder, sample) => climb(ladder, sample, most), from)
const many = (n: number, sample: Sample) => Array.from({ length: n }, () => sample)

it('how much a page sends rises after eight good seconds, up to the highest step [CON-5]', () => {
  expect(after(many(3, GOOD)).step).toBe('video')
  expect(after(many(4, GOOD)).step).toBe('full')
  expect(after(many(50, GOOD)).step).toBe('full')
})

it('how much a page sends falls at the second bad sample, and straight away when the picture freezes [CON-5]', () => {
  expect(after([BAD]).step).toBe('video')
  expect(after([BAD, GOOD, BAD]).step).toBe('video')
  expect(after([BAD, BAD]).step).toBe('small')
  expect(after([AWFUL]).step).toBe('small')
  expect(after([AWFUL, AWFUL]).step).toBe('sound')
})

it('how much a page sends counts as slow only after it has fallen, not while it begins low [CON-5]', () => {
  expect(after(many(3, GOOD), begin('small'))).toMatchObject({ step: 'small', slow: false })
  const fallen = after([AWFUL, AWFUL, ...many(4, GOOD)])
  expect(fallen).toMatchObject({ step: 'small', slow: true })
})

it.each([
  ['loss', { ...GOOD, loss: 0.09 }],
  ['a long way', { ...GOOD, rtt: 1200 }],
  ['frozen pictures', { ...GOOD, frozen: 700 }],
  ['too little room', { ...GOOD, starved: true }],
])('how much a page sends falls for %s [CON-5]', (_, sample) =>
  expect(after([sample, sample]).step).toBe('small'),
)

it("how much a page sends waits twice as long after each rise that doesn't last, up to about a minute [CON-5]", () => {
  const fallen = after([AWFUL, AWFUL, ...many(4, GOOD), AWFUL])
  expect(after(many(7, GOOD), fallen).step).toBe('sound')
  expect(after(many(8, GOOD), fallen).step).toBe('small')
  const often = after([...many(8, GOOD), AWFUL, ...many(16, GOOD), AWFUL, ...many(32, GOOD), AWFUL], fallen)
  expect(often.patience).toBe(32)
})

it('how much a page sends is back within half a minute after a single bad spell, however deep the fall [CON-5]', () => {
  const fallen = after([AWFUL, AWFUL, AWFUL], begin('full'))
  expect(fallen.step).toBe('sound')
  expect(after(many(12, GOOD), fallen).step).toBe('full')
})

it('how much a page sends neither rises nor falls while the network is in between [CON-5]', () => {
  const soso = { ...GOOD, loss: 0.05 }
  expect(after(many(30, soso)).step).toBe('video')
  expect(after([...many(3, GOOD), soso, ...many(3, GOOD)]).step).toBe('video')
})

it('how much a page sends is no more than what is wanted, and rises when more is wanted again [CON-5]', () => {
  expect(after([GOOD], begin('full'), 'sound').step).toBe('sound')
  expect(after(many(4, GOOD), begin('sound')).step).toBe('small')
})

it('how much a page sends ends with the advice to use text, if even sound stays bad for twelve seconds [CON-5]', () => {
  expect(after(many(5, BAD), begin('sound')).hopeless).toBe(false)
  expect(after(many(6, BAD), begin('sound')).hopeless).toBe(true)
  expect(after([...many(6, BAD), GOOD], begin('sound')).hopeless).toBe(false)
})

it('how much a page sends fits into 150 kbit/s with the smallest picture and its sound [CON-5]', () => {
  // Headers of about 40 bytes: 50 packets a second of sound, and a dozen of the picture.
  const headers = (62 * 40 * 8) / 1000
  expect(PICTURES.small!.kbps + SOUND_KBPS + headers).toBeLessThan(150)
})

it.each<[Measured, string]>([
  [{ rtt: 60, kbps: 4000 }, 'video'],
  [{ rtt: 60, kbps: undefined }, 'video'],
  [{ rtt: 900, kbps: 4000 }, 'sound'],
  [{ rtt: 60, kbps: 200 }, 'sound'],
  [{ rtt: 60, kbps: 20 }, 'text'],
  [{ rtt: Infinity, kbps: undefined }, 'text'],
])('a network with %o is good for %s [BUY-3] [CON-5]', (measured, verdict) =>
  expect(verdictOf(measured)).toBe(verdict),
)
