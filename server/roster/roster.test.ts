import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import {
  addShift,
  changeShift,
  listFreeVets,
  listRoster,
  offerShift,
  removeShift,
  repeatWeek,
  takeShift,
} from '#contract/roster.ts'
import { setUserType } from '#contract/vets.ts'
import { auditLog, shifts, users } from '#server/db/schema.ts'
import { nextOnRoster } from '#server/consultations/room-reads.ts'
import { gapsIn, clocksOn, holidayOn, spanOf } from './rules.ts'
import { createWorld } from '#test/world.ts'
import { daysAfter } from '#contract/regions.ts'
import { addHours, addMinutes, HOUR } from '#contract/time.ts'

const world = await createWorld()
const admin = await world.admin()
const today = (await admin.call(listRoster, {})).today

const at = (days: number) => daysAfter(today, days)
const DAY = { from: '06:00', to: '14:00' }
const NIGHT = { from: '22:00', to: '06:00' }

it('the roster plans vets by the region’s clock; a night belongs to the day it begins [VET-7]', async () => {
  const vet = await world.vet()
  const night = await admin.call(addShift, { vet_id: vet.id, day: at(3), ...NIGHT })
  const late = await admin.call(addShift, { vet_id: vet.id, day: at(6), from: '03:00', to: '06:00' })
  expect([night.day, night.band, late.day, late.band]).toEqual([at(3), 2, at(5), 2])
  expect(night.begin).toBe(`${at(3)}T20:00:00.000Z`)
  const { shifts: listed, vets } = await vet.call(listRoster, {})
  expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining([night.id, late.id]))
  expect(vets.find(({ id }) => id === vet.id)?.hours).toBe(11)
  expect(await admin.refusal(addShift, { vet_id: vet.id, day: at(4), from: '05:00', to: '09:00' })).toBe(
    'SHIFT_OVERLAPS',
  )
  expect(await admin.refusal(addShift, { vet_id: vet.id, day: at(4), from: '06:00', to: '21:00' })).toBe(
    'SHIFT_TOO_LONG',
  )
  expect(await admin.refusal(addShift, { vet_id: vet.id, day: at(-3), ...DAY })).toBe('SHIFT_PAST')
  const owner = await world.owner()
  expect(await admin.refusal(addShift, { vet_id: owner.id, day: at(4), ...DAY })).toBe('SHIFT_VET_UNKNOWN')
})

it('the roster says what is missing, and who could fill it with how much rest [VET-7]', async () => {
  const [early, late] = [await world.vet(), await world.vet()]
  await admin.call(addShift, { vet_id: early.id, day: at(2), from: '14:00', to: '18:00' })
  await admin.call(addShift, { vet_id: late.id, day: at(2), from: '14:00', to: '22:00' })
  const { gaps } = await admin.call(listRoster, { from: at(2) })
  const here = gaps.filter(({ day }) => day === at(2))
  expect(here.filter(({ band }) => band === 1)).toEqual([
    { day: at(2), band: 1, from: '18:00', to: '22:00', short: 1, nobody: false },
  ])
  expect(here.filter(({ band }) => band === 2)).toEqual([
    { day: at(2), band: 2, ...NIGHT, short: 1, nobody: true },
  ])
  const free = await admin.call(listFreeVets, { day: at(2), ...NIGHT })
  expect(free.find(({ id }) => id === late.id)).toMatchObject({ hours: 8, short_rest: 0 })
  expect(free.find(({ id }) => id === early.id)).toMatchObject({ hours: 4, short_rest: 4 })
  const busy = await admin.call(listFreeVets, { day: at(2), from: '16:00', to: '17:00' })
  expect(busy.filter(({ id }) => [early.id, late.id].includes(id))).toEqual([])
})

it('the roster mails a vet whose shift changes within 24 hours, and nobody else [VET-7]', async () => {
  const [vet, other] = [await world.vet(), await world.vet()]
  const far = await admin.call(addShift, { vet_id: vet.id, day: at(5), ...DAY })
  await admin.call(removeShift, far)
  expect(await world.mailsTo(vet.email)).toEqual([])
  const soon = { day: today, from: '23:00', to: '23:59' }
  const near = await admin.call(addShift, { vet_id: vet.id, ...soon })
  const moved = { id: near.id, vet_id: vet.id, ...soon, from: '23:30', was: near }
  const later = await admin.call(changeShift, moved)
  expect(await admin.refusal(changeShift, { ...moved, vet_id: other.id })).toBe('SHIFT_CHANGED')
  const last = await admin.call(changeShift, { id: near.id, vet_id: other.id, ...soon, was: later })
  expect((await world.mailsTo(vet.email)).map(({ subject }) => subject)).toEqual([
    'You have a shift soon',
    'Your shift was changed',
    'One of your shifts was taken off the roster',
  ])
  expect((await world.mailsTo(other.email)).map(({ subject }) => subject)).toEqual(['You have a shift soon'])
  await admin.call(removeShift, last)
})

it('the roster keeps a shift that changed after the admin looked, and says when one is gone [VET-7]', async () => {
  const [vet, other] = [await world.vet(), await world.vet()]
  const was = await admin.call(addShift, { vet_id: vet.id, day: at(8), ...DAY })
  const given = { id: was.id, vet_id: other.id, day: at(8), ...DAY }
  const now = await admin.call(changeShift, { ...given, was })
  expect(await admin.refusal(removeShift, was)).toBe('SHIFT_CHANGED')
  expect((await admin.call(listRoster, { from: at(8) })).shifts).toContainEqual(now)
  await admin.call(removeShift, now)
  await admin.call(removeShift, now)
  expect(await admin.refusal(changeShift, { ...given, was: now })).toBe('SHIFT_REMOVED')
  expect(await other.refusal(takeShift, was)).toBe('SHIFT_REMOVED')
  const deeds = await world.rows(auditLog, { subjectId: String(was.id) })
  expect(deeds.filter(({ action }) => action === 'shift removed')).toHaveLength(1)
})

it('the roster lets a vet offer a shift and a colleague who is free take it [VET-7]', async () => {
  const [vet, taker, busy] = [await world.vet(), await world.vet(), await world.vet()]
  const shift = await admin.call(addShift, { vet_id: vet.id, day: at(4), ...DAY })
  const { id } = shift
  await admin.call(addShift, { vet_id: busy.id, day: at(4), from: '13:00', to: '20:00' })
  expect(await taker.refusal(takeShift, shift)).toBe('SHIFT_NOT_OFFERED')
  expect(await taker.refusal(offerShift, { id, offered: true })).toBe('SHIFT_NOT_YOURS')
  expect((await vet.call(offerShift, { id, offered: true })).offered).toBe(true)
  expect(await busy.refusal(takeShift, shift)).toBe('SHIFT_OVERLAPS')
  expect(await taker.call(takeShift, shift)).toMatchObject({ vet_id: taker.id, offered: false })
  expect((await world.mailsTo(vet.email)).map(({ subject }) => subject)).toEqual([
    'A colleague has taken over your shift',
  ])
})

it('the roster gives nobody a shift whose times changed after they looked, or one that has begun [VET-7]', async () => {
  const [vet, taker] = [await world.vet(), await world.vet()]
  const was = await admin.call(addShift, { vet_id: vet.id, day: at(4), ...DAY })
  await vet.call(offerShift, { id: was.id, offered: true })
  const now = await admin.call(changeShift, { id: was.id, vet_id: vet.id, day: at(5), ...NIGHT, was })
  expect(now.offered).toBe(true)
  expect(await taker.refusal(takeShift, was)).toBe('SHIFT_CHANGED')
  await world.change(shifts, was.id, { begin: world.now() })
  const { shifts: listed } = await taker.call(listRoster, { from: at(-1) })
  const begun = listed.find(({ id }) => id === was.id)!
  expect(begun.offered).toBe(false)
  expect(await taker.refusal(takeShift, begun)).toBe('SHIFT_NOT_OFFERED')
  expect(await vet.refusal(offerShift, { id: was.id, offered: false })).toBe('SHIFT_NOT_YOURS')
  await world.db.delete(shifts).where(eq(shifts.id, was.id))
})

it('the roster repeats a week by the clock, after saying what that would write [VET-7]', async () => {
  const vet = await world.vet()
  const from = at(21)
  for (const n of [0, 2]) await admin.call(addShift, { vet_id: vet.id, day: daysAfter(from, n), ...NIGHT })
  const to = daysAfter(from, 7)
  await admin.call(addShift, { vet_id: vet.id, day: daysAfter(to, 2), ...NIGHT })
  const plan = await admin.call(repeatWeek, { from, to })
  expect([plan.written, plan.shifts.map(({ day }) => day), plan.left_out.map(({ day }) => day)]).toEqual([
    false,
    [to],
    [daysAfter(to, 2)],
  ])
  expect((await admin.call(listRoster, { from: to })).shifts).toHaveLength(1)
  await admin.call(repeatWeek, { from, to, write: true })
  expect((await admin.call(listRoster, { from: to })).shifts).toHaveLength(2)
  expect(await admin.refusal(repeatWeek, { from, to: daysAfter(from, 3) })).toBe('WEEK_SAME')
})

it('the roster shows who is on duty against who should be, and names the next vet by time [VET-7, CON-13]', async () => {
  const [late, early] = [await world.vet(), await world.vet()]
  const now = world.now()
  const next = addMinutes(now, 1)
  await world.db.insert(shifts).values([
    {
      region: 'za',
      vetId: late.id,
      begin: new Date(now.getTime() - 600_000),
      end: addHours(now, 1),
    },
    { region: 'za', vetId: early.id, begin: next, end: new Date(now.getTime() + 7_200_000) },
    { region: 'au', vetId: early.id, begin: new Date(now.getTime() + 1000), end: next },
  ])
  await world.change(users, early.id, { onDutySince: now })
  const { now: duty } = await admin.call(listRoster, {})
  expect(duty.find(({ vet_id }) => vet_id === late.id)).toMatchObject({ planned: {}, on_since: null })
  expect(duty.find(({ vet_id }) => vet_id === early.id)).toMatchObject({
    planned: null,
    on_since: now.toISOString(),
  })
  expect(await nextOnRoster(world.world, 'za')).toEqual(next)
})

it('the roster refuses a week at the end of the calendar [VET-7]', async () => {
  for (const from of ['0001-01-01', '9999-12-31'])
    expect(await admin.refusal(listRoster, { from })).toBe('INVALID_INPUT')
})

it('the roster opens the shifts of a vet who becomes an owner [VET-7, ADM-3]', async () => {
  const vet = await world.vet()
  await admin.call(addShift, { vet_id: vet.id, day: at(6), ...DAY })
  await admin.call(setUserType, { id: vet.id, type: 1 })
  expect(await world.rows(shifts, { vetId: vet.id })).toEqual([])
})

it('the roster ends the shift that a vet is working when they become an owner, so that its rest is a gap [VET-7, ADM-3]', async () => {
  const vet = await world.vet()
  const now = world.now()
  const times = { region: 'za' as const, vetId: vet.id }
  await world.db.insert(shifts).values([
    { ...times, begin: addHours(now, -2), end: addHours(now, 2) },
    { ...times, begin: addHours(now, -12), end: addHours(now, -4) },
  ])
  await admin.call(setUserType, { id: vet.id, type: 1 })
  const left = await world.rows(shifts, { vetId: vet.id })
  expect(left.map(({ end }) => end <= world.now())).toEqual([true, true])
})

it('days of the roster have 7 or 9 hours of night when the clocks change [VET-7]', () => {
  const hours = (day: string) => {
    const { begin, end } = spanOf('au', day, '22:00', '06:00')
    return (end.getTime() - begin.getTime()) / HOUR
  }
  expect([hours('2026-10-03'), hours('2027-04-03')]).toEqual([7, 9])
  expect(hours('2026-10-10')).toBe(8)
})

it('days of the roster say which way the clocks change, in a region whose clocks do [VET-7]', async () => {
  const planner = await world.person({ type: 3, region: 'au' })
  const changes = async (from: string) =>
    (await planner.call(listRoster, { from })).days
      .filter(({ clocks }) => clocks)
      .map(({ day, clocks }) => [day, clocks])
  expect(await changes('2026-10-01')).toEqual([['2026-10-04', 'forward']])
  expect(await changes('2027-04-01')).toEqual([['2027-04-04', 'back']])
  expect(await changes('2027-04-05')).toEqual([])
  expect(clocksOn('za', '2027-04-04')).toBeNull()
})

it('days of the roster have no shift in the hour that the clocks skip, and repeat none into it [VET-7]', async () => {
  const [planner, vet] = [await world.person({ type: 3, region: 'au' }), await world.vet('au')]
  const skipped = { vet_id: vet.id, from: '02:00', to: '03:00' }
  expect(await planner.refusal(addShift, { ...skipped, day: '2100-10-03' })).toBe('SHIFT_SKIPPED')
  await planner.call(addShift, { ...skipped, day: '2100-09-26' })
  const week = { from: '2100-09-25', to: '2100-10-02', write: true }
  const { shifts: added, left_out } = await planner.call(repeatWeek, week)
  expect([added, left_out.map(({ day }) => day)]).toEqual([[], ['2100-10-03']])
})

it('days of the roster need more vets on Saturdays and holidays, and only from now on [VET-7]', () => {
  const now = new Date('2026-12-01T00:00:00Z')
  const short = (day: string, at = now) =>
    gapsIn('za', day, 0, [], at).map((gap) => [gap.from, gap.to, gap.short])
  expect([short('2026-12-05'), short('2026-12-08'), short('2026-12-16')]).toEqual([
    [['06:00', '14:00', 3]],
    [['06:00', '14:00', 2]],
    [['06:00', '14:00', 3]],
  ])
  expect(short('2026-12-08', new Date('2026-12-08T12:00:00Z'))).toEqual([])
})

it('days of the roster know the holidays of each region', () => {
  expect(holidayOn('za', '2027-03-22')).toBe('Human Rights Day, moved')
  expect(holidayOn('za', '2027-03-26')).toBe('Good Friday')
  expect(holidayOn('za', '2027-03-29')).toBe('Family Day')
  expect(holidayOn('au', '2027-03-29')).toBe('Easter Monday')
  expect(holidayOn('au', '2026-12-16')).toBeNull()
})
