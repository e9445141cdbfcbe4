import { expect, it } from 'vitest'
import { periodEnd } from './subscriptions.ts'

const fourEnds = (start: string, interval: 'month' | 'year') =>
  Array.from({ length: 4 }, (_, index) => {
    const end = periodEnd(Date.parse(start) / 1000, interval, index + 1)
    return new Date(end * 1000).toISOString().slice(0, 10)
  })

it('a period ends on the last day of a month that is too short, and the next on the usual day again', () => {
  expect(fourEnds('2027-12-31T10:00:00Z', 'month')).toEqual([
    '2028-01-31',
    '2028-02-29',
    '2028-03-31',
    '2028-04-30',
  ])
  expect(fourEnds('2028-02-29T10:00:00Z', 'year')).toEqual([
    '2029-02-28',
    '2030-02-28',
    '2031-02-28',
    '2032-02-29',
  ])
})
