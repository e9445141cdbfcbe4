import { expect, it } from 'vitest'
import { daysAfter, isOpen, localDay, minorOf, money, opensAt } from './regions.ts'

it.each([
  [450_00, 'zar', 'R450'],
  [2000_00, 'zar', 'R2\u00a0000'],
  [100_000_00, 'zar', 'R100\u00a0000'],
  [405_50, 'zar', 'R405.50'],
  [0, 'zar', 'R0'],
  [-450_00, 'zar', '\u2212R450'],
  [39_95, 'aud', '$39.95'],
  [10_000_00, 'aud', '$10,000'],
  [5, 'aud', '$0.05'],
] as const)('%i %s reads %s [SHL-13]', (minor, currency, says) => expect(money(minor, currency)).toBe(says))

it.each([
  ['1234,50', 1234_50],
  ['R1 234.50', 1234_50],
  ['ZAR 1,234', 1234_00],
  ['A$39.9', 39_90],
  ['0', 0],
  ['', undefined],
  ['-5', undefined],
  ['R', undefined],
  ['1,23,4', undefined],
])('%s is understood as %s [SHL-13]', (typed, minor) => expect(minorOf(typed)).toBe(minor))

it('za is always open; au is open from 6 to midnight in Sydney, summer and winter [SHL-13]', () => {
  const open = (time: string) => isOpen('au', new Date(time))
  expect(isOpen('za', new Date('2026-01-01T01:00:00Z'))).toBe(true)
  expect(
    ['2026-07-01T19:59:00Z', '2026-07-01T20:00:00Z', '2026-07-01T13:59:00Z', '2026-07-01T14:00:00Z'].map(
      open,
    ),
  ).toEqual([false, true, true, false])
  expect(
    ['2026-01-01T18:59:00Z', '2026-01-01T19:00:00Z', '2026-01-01T12:59:00Z', '2026-01-01T13:00:00Z'].map(
      open,
    ),
  ).toEqual([false, true, true, false])
})

it('a closed region opens at six in the morning of its own zone, summer and winter [CON-13] [SHL-13]', () => {
  const opens = (time: string) => opensAt('au', new Date(time))?.toISOString()
  expect(opensAt('za', new Date('2026-01-01T01:00:00Z'))).toBe(null)
  expect(opens('2026-07-01T20:00:00Z')).toBe(undefined)
  expect(opens('2026-07-01T14:00:00Z')).toBe('2026-07-01T20:00:00.000Z')
  expect(opens('2026-01-01T13:00:00Z')).toBe('2026-01-01T19:00:00.000Z')
})

it('a day is a day in the region, and counting days crosses the end of a month', () => {
  const night = new Date('2026-02-28T20:00:00Z')
  expect([localDay('za', night), localDay('au', night)]).toEqual(['2026-02-28', '2026-03-01'])
  expect(daysAfter('2028-02-28', 2)).toBe('2028-03-01')
})
