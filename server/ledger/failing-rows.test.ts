import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { cancelConsultation, PROMISED_MINUTES } from '#contract/consultations.ts'
import { consultations, mails, refunds } from '#server/db/schema.ts'
import { payingOwner } from '#test/paid.ts'
import { createWorld, type TestWorld } from '#test/world.ts'

let world: TestWorld
beforeEach(async () => {
  world = await createWorld({ env: { LOG_LEVEL: 'error' } })
})
afterEach(async () => {
  await heal()
})

/** From now on the database refuses to write these rows. */
async function poison(table: string, condition: string) {
  await world.db.execute(
    sql.raw(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'poisoned'; end $$`),
  )
  await world.db.execute(
    sql.raw(`create trigger poisoned before insert or update on ${table}
    for each row when (${condition}) execute function refuse()`),
  )
}
async function heal() {
  await world.db.execute(sql`drop function if exists refuse cascade`)
}
const postponed = () =>
  world.log
    .map((line) => JSON.parse(line) as { event: string; job?: string; id?: number })
    .filter(({ event }) => event === 'row postponed')
    .map(({ job, id }) => [job, id])
const refundsOf = (charge: number) => world.rows(refunds, { chargeId: charge })

it('a refund that fails for one owner reaches all others, and that owner later [CON-11]', async () => {
  const [first, second] = [await payingOwner(world), await payingOwner(world)]
  for (const owner of [first, second]) await owner.call(cancelConsultation, { id: owner.consultation.id })
  await poison('refunds', `new.charge_id = ${first.charge.id}`)
  await world.runDue()
  expect(await refundsOf(second.charge.id)).toMatchObject([{ why: 'cancelled', dueAt: null }])
  expect(await refundsOf(first.charge.id)).toEqual([])
  expect(postponed()).toEqual([['refund consults that no vet joined', first.consultation.id]])
  // The failed row is retried only after a pause.
  await world.runDue()
  expect(postponed()).toHaveLength(1)
  await world.pass({ minutes: 1 })
  expect(postponed()).toHaveLength(2)
  await heal()
  await world.pass({ hours: 1 })
  expect(await refundsOf(first.charge.id)).toMatchObject([{ why: 'cancelled', dueAt: null }])
})

it("a receipt that can't be written delays no other [BUY-11]", async () => {
  const [first, second] = [await payingOwner(world), await payingOwner(world)]
  await poison('mails', `new.key = 'receipt ${first.charge.id}'`)
  const receipts = async (email: string) => (await world.mailsTo(email, 'receipt')).length
  expect(await receipts(second.email)).toBe(1)
  expect(postponed()).toEqual([['mail receipts', first.charge.id]])
  await heal()
  world.advance({ minutes: 5 })
  expect(await receipts(first.email)).toBe(1)
})

it('an apology that fails delays no other [CON-11]', async () => {
  const waiting = []
  for (let n = 0; n < 3; n++) {
    const owner = await world.member()
    waiting.push({ owner, ...(await world.consultOf(owner)) })
  }
  const [, bad] = waiting
  await poison('messages', `new.consultation_id = ${bad!.id}`)
  await world.pass({ minutes: PROMISED_MINUTES + 1 })
  const apologised = async () =>
    (await world.db.select().from(consultations).orderBy(consultations.id)).map(
      (row) => row.lateToldAt !== null,
    )
  expect(await apologised()).toEqual([true, false, true])
  expect(postponed()).toEqual([['write to owners who wait too long', bad!.id]])
  await heal()
  await world.pass({ minutes: 5 })
  expect(await apologised()).toEqual([true, true, true])
  const late = await world.rows(mails, { template: 'consult late' })
  expect(late).toHaveLength(3)
})
