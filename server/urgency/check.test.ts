import { expect, it } from 'vitest'
import { newUserConsultation, payForConsult } from '#contract/checkout.ts'
import { COMPLAINTS_AT_WORK, LIMITS } from '#contract/limits.ts'
import { emergencyCheck, readComplaint } from '#contract/urgency.ts'
import { consultations } from '#server/db/schema.ts'
import { solved } from '#test/joining.ts'
import { AU, openShop, order } from '#test/shop.ts'
import { countingUnderWay } from '../concurrency/under-way.ts'
import { newestRules } from './version-reads.ts'
import { levelOf } from './rules.ts'

const shop = await openShop()

const KINDS = [
  'dog',
  'cat',
  'rabbit',
  'guinea pig',
  'bird',
  'rat',
  'mouse',
  'snake',
  'turtle',
  'unicorn',
  'other',
]
const asked = async (species: number, site: Record<string, string> = {}) =>
  (await shop.world.nobody.send(emergencyCheck, { species_id: species }, site)).body.groups

it.each(KINDS.map((kind, at) => [kind, at + 1] as const))(
  'the emergency check asks the owner of a %s for at most twelve signs of an emergency, four to a group [TRI-1]',
  async (kind, id) => {
    const { rules } = newestRules()
    for (const site of [{}, AU]) {
      const groups = await asked(id, site)
      const signs = groups.flatMap((group) => group.signs)
      expect(signs.length).toBeGreaterThanOrEqual(6)
      expect(signs.length).toBeLessThanOrEqual(12)
      expect(Math.max(...groups.map((group) => group.signs.length))).toBeLessThanOrEqual(4)
      expect(new Set(signs.map(({ says }) => says)).size).toBe(signs.length)
      for (const { id: sign, advice, reason } of signs) {
        expect(
          levelOf(
            rules.signs.find((one) => one.id === sign)!,
            kind,
          ),
          sign,
        ).toBe('emergency')
        expect(advice.length, sign).toBeGreaterThan(0)
        expect(reason).not.toBe('')
      }
    }
  },
)

it('the emergency check hides the other country’s signs, and lets a blocked cat stand out [TRI-1]', async () => {
  const ids = async (site = {}) => (await asked(1, site)).flatMap(({ signs }) => signs.map(({ id }) => id))
  expect(await ids()).toContain('biliary-severe')
  expect(await ids()).not.toContain('tick-paralysis')
  expect(await ids(AU)).toContain('tick-paralysis')
  expect(await ids(AU)).not.toContain('biliary-severe')
  expect((await asked(2))[0]!.signs[0]).toMatchObject({
    id: 'no-urine',
    note: 'In a male cat this can’t wait until morning.',
  })
})

it('the emergency check asks about an unknown animal only what holds for all, which no vet has reviewed', async () => {
  const check = await shop.world.nobody.call(emergencyCheck, { species_id: 4711 })
  expect(check.groups.flatMap(({ signs }) => signs).length).toBeGreaterThan(5)
  expect(check.reviewed).toBeNull()
  expect((await shop.world.nobody.send(emergencyCheck, { species_id: 32_768 })).status).toBe(400)
})

it('the emergency check reads what a buyer wrote before they pay, and says where to go if it can’t wait [TRI-1, TRI-2]', async () => {
  const buyer = shop.visitor()
  const read = async (query: string, species_id: number | null = 1) =>
    (await buyer.call(readComplaint, { species_id, query })).flag
  expect(await read('She cannot breathe and her tongue is blue')).toMatchObject({
    level: 'emergency',
    told: expect.stringContaining('breathe'),
    advice: expect.arrayContaining([expect.any(String)]),
  })
  expect(await read('No pee since yesterday and he strains', null)).toMatchObject({ level: 'emergency' })
  expect(await read('Her nails are too long')).toBeNull()
})

it('the emergency check still reads for a buyer whose shared address is over its limit, after the human check [TRI-1, SAF-6]', async () => {
  const neighbour = shop.visitor()
  const query = 'She cannot breathe and her tongue is blue'
  for (let n = 0; n < LIMITS.complaintsRead.max; n++) await neighbour.call(readComplaint, { query })
  const refused = await neighbour.send(readComplaint, { query })
  expect([refused.status, refused.body]).toEqual([429, expect.objectContaining({ human: 'try_again' })])
  const userConfirmation = await solved(shop.world, 'try_again')
  expect(await neighbour.call(readComplaint, { query, userConfirmation })).toMatchObject({
    flag: { level: 'emergency' },
  })
})

it('the emergency check asks strangers for the human check while too many complaints wait to be read, and nobody else [SAF-5]', async () => {
  const query = 'She cannot breathe and her tongue is blue'
  let end = () => {}
  const long = new Promise<void>((done) => (end = done))
  const waiting = Array.from({ length: COMPLAINTS_AT_WORK }, () => countingUnderWay('complaints', () => long))
  const stranger = shop.visitor()
  const refused = await stranger.send(readComplaint, { query })
  expect([refused.status, refused.body]).toEqual([429, expect.objectContaining({ human: 'try_again' })])
  const owner = await shop.world.owner()
  expect((await owner.call(readComplaint, { query })).flag).toMatchObject({ level: 'emergency' })
  const userConfirmation = await solved(shop.world, 'try_again')
  expect((await stranger.call(readComplaint, { query, userConfirmation })).flag).not.toBeNull()
  end()
  await Promise.all(waiting)
  expect((await shop.visitor().call(readComplaint, { query })).flag).not.toBeNull()
})

it('the emergency check is sent with an order and sets the level of its consult, whatever was written [TRI-1, TRI-2]', async () => {
  await shop.duty(true)
  const visitor = shop.visitor()
  const details = shop.details({ query: 'Please help', signs: ['bloat'] })
  const sent = order({ details })
  const paid = await visitor.call(payForConsult, sent)
  const { consultation } = await visitor.call(newUserConsultation, {
    ...shop.begin(paid, sent),
    ...details,
  })
  const [row] = await shop.world.rows(consultations, { id: consultation.id })
  expect(row).toMatchObject({ urgency: 'emergency', urgencyRead: { signs: ['bloat'] } })
})
