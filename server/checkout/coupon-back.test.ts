import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { newUserConsultation, payForConsult } from '#contract/checkout.ts'
import { cancelConsultation, PROMISED_MINUTES } from '#contract/consultations.ts'
import { setDuty, takeConsultation } from '#contract/queue.ts'
import { coupons, couponUses } from '#server/db/schema.ts'
import { solved } from '#test/joining.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

let count = 0
const terms = { agreed: true, terms: '1' }
async function couponOf(code: string, percentOff: number) {
  const [row] = await world.db
    .insert(coupons)
    .values({ code, percentOff, referrer: 'Test', uses: 1 })
    .returning()
  return row!.id
}
const heldOf = async (coupon: number) =>
  (await world.db.select().from(couponUses).where(eq(couponUses.couponId, coupon))).filter(
    ({ releasedAt }) => releasedAt === null,
  ).length

/** Pays with the coupon and without an account; returns the status if that is refused. */
async function buy(coupon_code: string, amount: number) {
  await (await world.vet()).call(setDuty, { on: true })
  const browser = world.nobody.from(`10.30.0.${++count}`)
  const user = {
    firstName: 'Zola',
    lastName: 'Buys',
    email: `back${count}@example.com`,
    mobile: '082 123 4567',
  }
  const card = amount > 0 ? { token: 'tok_visa' } : null
  const paid = await browser.send(payForConsult, {
    card,
    amount,
    currency: 'ZAR',
    consult: 1,
    user,
    coupon_code,
    ...(amount === 0 && { userConfirmation: await solved(world, 'pay') }),
    ...terms,
  })
  if (paid.status !== 200) return paid.status
  const about = { name: 'Rex', pet_species: 3, pet_breed: null, query: 'He limps', consult_type: 1 }
  const { purchase, customer } = paid.body
  const begun = await browser.call(newUserConsultation, {
    purchase,
    customer_id: customer.id,
    coupon_code,
    ...user,
    ...about,
    ...terms,
  })
  return { id: begun.consultation.id, guest: browser.with(begun.token) }
}
const bought = async (code: string, amount: number) => {
  const answer = await buy(code, amount)
  if (typeof answer === 'number') throw new Error(`Refused with ${answer}`)
  return answer
}

it('a cancelled consult gives its use of a coupon back once, even the last use [CON-11, BUY-8]', async () => {
  const coupon = await couponOf('LASTONE', 10)
  const first = await bought('LASTONE', 405_00)
  expect(await buy('LASTONE', 405_00)).toBe(404)
  await first.guest.call(cancelConsultation, { id: first.id })
  expect(await heldOf(coupon)).toBe(0)
  await world.runDue()
  const second = await bought('LASTONE', 405_00)
  // Cancelling twice takes nothing from the person who has it now.
  await first.guest.call(cancelConsultation, { id: first.id })
  await world.runDue()
  expect(await heldOf(coupon)).toBe(1)
  expect(await buy('LASTONE', 405_00)).toBe(404)
  const vet = await world.vet()
  await vet.call(takeConsultation, { id: second.id })
  world.advance({ hours: 1 })
  await world.runDue()
  expect(await heldOf(coupon)).toBe(1)
})

it('a cancelled consult that its coupon made free gives the use back too [CON-11, BUY-6]', async () => {
  const coupon = await couponOf('ALLOFF', 100)
  const { guest, id } = await bought('ALLOFF', 0)
  await guest.call(cancelConsultation, { id })
  expect(await heldOf(coupon)).toBe(0)
})

it('a consult that no vet joined in time gives the use back too, whatever follows [CON-11]', async () => {
  const coupon = await couponOf('TOOLATE', 10)
  const late = await bought('TOOLATE', 405_00)
  world.advance({ minutes: PROMISED_MINUTES + 1 })
  await world.runDue()
  expect(await heldOf(coupon)).toBe(0)
  await bought('TOOLATE', 405_00)
  await late.guest.call(cancelConsultation, { id: late.id })
  await world.runDue()
  expect(await heldOf(coupon)).toBe(1)
})
