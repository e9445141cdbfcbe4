import { expect, it } from 'vitest'
import { tellWhenBack } from '#contract/contact.ts'
import { setDuty } from '#contract/queue.ts'
import { backAsks } from '#server/db/schema.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

const kept = () => world.db.select({ email: backAsks.email }).from(backAsks)
const mailsTo = async (email: string) => (await world.mailsTo(email)).map(({ subject }) => subject)
/** A vet comes on duty for long enough that the mails are sent. */
async function vetComes() {
  const vet = await world.vet()
  await vet.call(setDuty, { on: true })
  await world.pass({ minutes: 2 })
  await vet.call(setDuty, { on: false })
}
const ask = (email: string, from = '198.51.100.7') => world.nobody.from(from).send(tellWhenBack, { email })

it('somebody who finds no vet on duty is mailed once when a vet is back, and their address is deleted [BUY-13]', async () => {
  await ask('thandi@example.com')
  await ask('thandi@example.com')
  expect(await mailsTo('thandi@example.com')).toEqual([])
  expect(await kept()).toEqual([{ email: 'thandi@example.com' }])
  await vetComes()
  expect(await mailsTo('thandi@example.com')).toEqual(['A vet is on duty now'])
  expect(await kept()).toEqual([])
  await vetComes()
  expect(await mailsTo('thandi@example.com')).toHaveLength(1)
})

it('somebody who finds no vet on duty is forgotten after a day without a vet [BUY-13]', async () => {
  await ask('early@example.com')
  await world.pass({ hours: 25 })
  expect(await kept()).toEqual([])
  await vetComes()
  expect(await mailsTo('early@example.com')).toEqual([])
})

it('somebody who finds no vet on duty is told in their turn, twenty a minute, so that one vet isn’t called by everybody at once [BUY-13]', async () => {
  const all = Array.from({ length: 25 }, (_, n) => `turn${n}@example.com`)
  const { now } = world
  await world.db
    .insert(backAsks)
    .values(all.map((email) => ({ email, region: 'za' as const, askedAt: now() })))
  const vet = await world.vet()
  await vet.call(setDuty, { on: true })
  const left: number[] = []
  for (let minute = 0; minute < 2; minute++) {
    await world.pass({ minutes: 1 })
    left.push((await kept()).length)
  }
  expect(left).toEqual([5, 0])
  await vet.call(setDuty, { on: false })
})

it("somebody who finds no vet on duty can't fill a mailbox, or have many addresses stored from one browser [SAF-3]", async () => {
  for (let n = 0; n < 4; n++) {
    await ask(`full+${n}@example.com`, `203.0.113.${n}`)
    await vetComes()
  }
  const mails = await Promise.all([0, 1, 2, 3].map((n) => mailsTo(`full+${n}@example.com`)))
  expect(mails.map((all) => all.length)).toEqual([1, 1, 1, 0])
  for (let n = 0; n < 5; n++) expect((await ask(`many${n}@example.com`, '192.0.2.9')).status).toBe(200)
  expect((await ask('many5@example.com', '192.0.2.9')).status).toBe(429)
})

it("somebody who finds no vet on duty isn't stored if it's a program that fills in every field [SAF-3]", async () => {
  await world.nobody.call(tellWhenBack, { email: 'robot@example.com', website: 'x' })
  expect(await kept()).not.toContainEqual({ email: 'robot@example.com' })
})
