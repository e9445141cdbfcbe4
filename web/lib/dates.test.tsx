import { expect, it } from 'vitest'
import { speak } from '../ui/say.ts'
import { DAY } from '#contract/time.ts'
import { ageOf, birthOf, briefDay, day, dayAndTime, isoDay, time, waitRange } from './dates.ts'
import { choose } from './session.ts'

const now = new Date('2026-11-21T12:00:00Z')

it('an age reads the way people say it [PET-1]', () => {
  for (const [birth, said] of [
    ['2023-11-21', '3 years'],
    ['2023-11-22', '2 years'],
    ['2025-11-21', '1 year'],
    ['2026-06-01', '5 months'],
    ['2026-10-25', '3 weeks'],
    ['2026-11-14', '1 week'],
  ])
    expect(ageOf(birth!, now)).toBe(said)
})

it('an age goes by the server’s clock where the device’s is wrong [PET-1] [LOG-13]', () => {
  choose({ clock: 400 * DAY })
  expect(ageOf(isoDay(Date.now()))).toBe('1 year')
  expect(birthOf(1, 0).slice(0, 4)).toBe(String(new Date(Date.now() + 400 * DAY).getUTCFullYear() - 1))
  choose({ clock: undefined })
})

it('an approximate age becomes a date of birth [PET-1]', () => {
  expect(birthOf(3, 0, now)).toBe('2023-11-21')
  expect(birthOf(0, 11, now)).toBe('2025-12-21')
  expect(birthOf(1, 14, now)).toBe('2024-09-21')
  // February has no 31st.
  expect(birthOf(0, 1, new Date('2026-03-31T12:00:00Z'))).toBe('2026-02-28')
})

it('a date of birth is the same day in every zone [PET-1]', () => {
  expect(day('2027-03-14')).toBe('Sun 14 Mar 2027')
  expect(day('2027-03-14', 'America/Los_Angeles')).toBe('Sun 14 Mar 2027')
  expect(briefDay('2026-11-21', now)).toBe('Sat 21 Nov')
  expect(briefDay('2027-03-14', now)).toBe('Sun 14 Mar 2027')
})

it('a time in the hour that comes twice says which one it is [CLI-5]', () => {
  const said = (iso: string) => time(iso, 'Australia/Sydney')
  expect(said('2027-04-03T15:30:00Z')).toBe('02:30 GMT+11')
  expect(said('2027-04-03T16:30:00Z')).toBe('02:30 GMT+10')
  expect([said('2027-04-03T14:59:00Z'), said('2027-04-03T17:00:00Z')]).toEqual(['01:59', '03:00'])
  expect(said('2026-10-03T16:00:00Z')).toBe('03:00')
})

it('a long wait is given in hours [CON-13]', () => {
  expect(waitRange([6, 28])).toBe('6 to 28 minutes')
  expect(waitRange([59, 130])).toBe('59 to 130 minutes')
  expect(waitRange([70, 282])).toBe('1 to 5 hours')
  expect(waitRange([878, 3515])).toBe('several hours')
})

it('a date in another year shows the year', () => {
  expect(dayAndTime('2026-11-21T10:00:00Z', now)).toMatch(/^Sat 21 Nov, \d\d:00$/)
  expect(dayAndTime('2025-11-21T10:00:00Z', now)).toMatch(/^Fri 21 Nov 2025, \d\d:00$/)
})

it("days are named in the page's language", () => {
  speak({}, 'af')
  expect(dayAndTime('2027-03-14T12:00:00Z', now)).toContain('Mrt')
  speak({}, 'en-GB')
  expect(dayAndTime('2027-03-14T12:00:00Z', now)).toContain('Mar')
})
