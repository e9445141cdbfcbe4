import { expect, it } from 'vitest'
import { newUserConsultation, payForConsult } from '#contract/checkout.ts'
import { LIMITS } from '#contract/limits.ts'
import { cancelConsultation, PROMISED_MINUTES } from '#contract/consultations.ts'
import { takeConsultation } from '#contract/queue.ts'
import { coupons, couponUses } from '#server/db/schema.ts'
import { openShop, order } from '#test/shop.ts'

const shop = await openShop()
const { world, visitor, begin } = shop

const couponOf = async (code: string, percentOff: number) =>
  (await world.add(coupons, { code, percentOff, referrer: 'Test', uses: 1 })).id
const heldOf = async (coupon: number) =>
  (await world.rows(couponUses, { couponId: coupon })).filter(({ releasedAt }) => releasedAt === null).length

/** Pays with the coupon and without an account; returns the status if that is refused. */
async function buy(coupon_code: string, amount: number) {
  await shop.duty(true)
  const browser = visitor()
  const sent = amount > 0 ? order({ coupon_code, amount }) : await shop.free({ coupon_code })
  const { status, body } = await browser.send(payForConsult, sent)
  if (status !== 200) return status
  const begun = await browser.call(newUserConsultation, begin(body, sent))
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
  await world.pass({ hours: 1 })
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
  await world.pass({ minutes: PROMISED_MINUTES + 1 })
  expect(await heldOf(coupon)).toBe(0)
  await bought('TOOLATE', 405_00)
  await late.guest.call(cancelConsultation, { id: late.id })
  await world.runDue()
  expect(await heldOf(coupon)).toBe(1)
})

it('a challenge that nobody answers holds a coupon’s last use for five minutes [BUY-8, SAF-6]', async () => {
  const coupon = await couponOf('HELD', 10)
  const challenged = order({
    coupon_code: 'HELD',
    amount: 40_500,
    card: { token: 'tok_threeDSecure2Required' },
  })
  expect((await shop.visitor().send(payForConsult, challenged)).body.status).toBe('requires_action')
  expect(await shop.visitor().refusal(payForConsult, order({ coupon_code: 'HELD', amount: 40_500 }))).toBe(
    'COUPON_INVALID',
  )
  await world.pass({ minutes: 6 })
  expect(await heldOf(coupon)).toBe(0)
  await bought('HELD', 40_500)
  expect(await heldOf(coupon)).toBe(1)
})

it('one card can’t hold a coupon’s last use by one challenge after the other, and still pays without it [BUY-8, SAF-6]', async () => {
  const coupon = await couponOf('HELDON', 10)
  const card = { token: 'tok_threeDSecure2Required' }
  async function challenge(more: object) {
    await shop.duty(true)
    return shop.visitor().send(payForConsult, order({ card, ...more }))
  }
  const withCoupon = { coupon_code: 'HELDON', amount: 405_00 }
  for (let n = 0; n < LIMITS.couponChallenged.max; n++) {
    expect((await challenge(withCoupon)).body.status).toBe('requires_action')
    await world.pass({ minutes: 6 })
  }
  expect((await challenge(withCoupon)).body.code).toBe('TOO_MANY_TRIES')
  expect(await heldOf(coupon)).toBe(0)
  expect((await challenge({})).body.status).toBe('requires_action')
  await bought('HELDON', 405_00)
})
