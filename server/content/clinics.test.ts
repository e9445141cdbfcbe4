import { beforeAll, describe, expect, it } from 'vitest'
import {
  addContent,
  listOpenClinics,
  publishContent,
  saveDraft,
  takeContentDown,
  type Words,
} from '#contract/content.ts'
import { instantOf, REGIONS } from '#contract/regions.ts'
import { AU, openShop } from '#test/shop.ts'
import type { TestWorld } from '#test/world.ts'
import { openUntil } from './clinic-reads.ts'

const NIGHTS = { weekdays: '18:00-08:00', saturday: '08:00-08:00', sunday: '08:00-08:00' }
const ALWAYS = { weekdays: 'all day', saturday: 'all day', sunday: 'all day' }
const SHUT = { weekdays: 'closed', saturday: 'closed', sunday: 'closed' }

const until = (hours: Words, day: string, time: string) => {
  const end = openUntil(hours, 'za', REGIONS.za.timeZone, instantOf('za', day, time))
  return end && end.toISOString()
}

it.each([
  ['a Tuesday before it opens', '2026-11-24', '17:59', undefined],
  ['a Tuesday evening', '2026-11-24', '18:00', '2026-11-25T06:00:00.000Z'],
  ['the morning after, which still belongs to the night', '2026-11-25', '07:59', '2026-11-25T06:00:00.000Z'],
  ['the minute at which it closes', '2026-11-25', '08:00', undefined],
  ['a Friday night, up to Monday', '2026-11-27', '23:00', '2026-11-30T06:00:00.000Z'],
  ['noon of a public holiday, which is like a Sunday', '2026-12-16', '12:00', '2026-12-17T06:00:00.000Z'],
])('opening hours of nights and weekends, on %s [TRI-1]', (_, day, time, end) =>
  expect(until(NIGHTS, day, time)).toBe(end),
)

it('opening hours are read by the clocks of the clinic’s own town [TRI-1]', () => {
  const inPerth = (at: string) => openUntil(NIGHTS, 'au', 'Australia/Perth', new Date(at))
  expect(inPerth('2026-11-24T09:59:00Z')).toBeUndefined()
  expect(inPerth('2026-11-24T10:00:00Z')).toEqual(new Date('2026-11-25T00:00:00Z'))
})

it('opening hours have no end where it is open all day, and no beginning where it is closed [TRI-1]', () => {
  expect(until(ALWAYS, '2026-11-24', '02:00')).toBeNull()
  expect(until(SHUT, '2026-11-24', '02:00')).toBeUndefined()
})

describe('the clinics that are open now [TRI-1]', () => {
  let world: TestWorld
  let admin: Awaited<ReturnType<TestWorld['admin']>>
  beforeAll(async () => {
    world = (await openShop()).world
    admin = await world.admin()
  })

  async function publish(words: Words) {
    const named = await admin.call(addContent, { kind: 'emergency_clinic' })
    await admin.call(saveDraft, { ...named, words, based_on: 0 })
    await admin.call(publishContent, { ...named, based_on: 0 })
    return named
  }
  const clinic = (name: string, more: Words = {}): Words => ({
    name,
    region: 'za',
    area: 'Cape Town',
    place: 'Parow',
    phone: '021 555 0142',
    ...ALWAYS,
    ...more,
  })
  const open = async (area: string, site = {}) =>
    (await world.nobody.send(listOpenClinics, { area }, site)).body

  it('the clinics that are open now are the ones that an admin published for the area, until they are taken down', async () => {
    expect(await open('Cape Town')).toEqual({ area: 'Cape Town', areas: [], clinics: [] })
    const named = await publish(clinic('Milkwood'))
    await publish(clinic('Acacia', { phone: '+27 21 555 0177' }))
    await publish(clinic('Shut', SHUT))
    await publish(clinic('Elsewhere', { area: 'Durban' }))
    await publish(clinic('Abroad', { region: 'au', area: 'Sydney' }))
    const { areas, clinics } = await open('Cape Town')
    expect(areas).toEqual(['Cape Town', 'Durban'])
    const here = { time_zone: 'Africa/Johannesburg' }
    expect(clinics).toEqual([
      { name: 'Acacia', place: 'Parow', phone: '+27 21 555 0177', ...here, until: null },
      { name: 'Milkwood', place: 'Parow', phone: '021 555 0142', ...here, until: null },
    ])
    expect((await open('')).clinics).toEqual([])
    expect((await open('Sydney', AU)).clinics.map(({ name }) => name)).toEqual(['Abroad'])
    await admin.call(takeContentDown, { ...named, based_on: 1 })
    expect((await open('Cape Town')).clinics.map(({ name }) => name)).toEqual(['Acacia'])
  })

  it('the clinics that are open now name the time zone of their town', async () => {
    await publish(clinic('West', { region: 'au', area: 'Perth', zone: 'Perth' }))
    expect((await open('Perth', AU)).clinics).toMatchObject([{ name: 'West', time_zone: 'Australia/Perth' }])
  })

  it('the clinics that are open now have a number that can be dialled and hours that can be read', async () => {
    const named = await admin.call(addContent, { kind: 'emergency_clinic' })
    const words = clinic('Milkwood', { phone: 'ask Joe', weekdays: 'from six', zone: 'constructor' })
    await admin.call(saveDraft, { ...named, words, based_on: 0 })
    const refused = await admin.send(publishContent, { ...named, based_on: 0 })
    expect(refused.status).toBe(400)
    expect(refused.body.fields).toEqual({
      phone: 'Write the number that people dial, such as 021 555 0142.',
      zone: 'Choose a time zone in the clinic’s country.',
      weekdays: 'Write “18:00-08:00”, “all day” or “closed”.',
    })
  })
})
