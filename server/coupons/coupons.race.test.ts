import { expect, it } from 'vitest'
import { saveCoupon, takeOffer } from '#contract/coupons.ts'
import { consultations, coupons, couponUses } from '#server/db/schema.ts'
import { transaction } from '#server/context.ts'
import { atOnce } from '#test/at-once.ts'
import { paidFor } from '#test/paid.ts'
import { purchaseOf } from '#test/purchases.ts'
import { createWorld } from '#test/world.ts'
import { holdCoupon } from './writes.ts'

const world = await createWorld()

const filled = { amount_off: null, left_to_pay: null, length: null, uses: null, uses_each: null }
const MANY = 40

async function couponWith(values: object) {
  const admin = await world.admin()
  const code = `Race${Math.random()}`
  return admin.call(saveCoupon, { ...filled, code, percent_off: 10, referrer: 'Radio', ...values })
}

/** As at checkout: stores the purchase and its use of the coupon together, or neither. */
const buy = (coupon: { id: number }, email: string) =>
  transaction(world.world, async (ctx) => {
    const purchase = await purchaseOf({ ...ctx, now: world.now }, { email, couponId: coupon.id })
    await holdCoupon(ctx, coupon, purchase.id, email)
    return purchase
  }).then(
    () => 'bought',
    (error: { code?: string }) => error.code ?? String(error),
  )

it('twenty buyers with two tabs each use a coupon of three uses three times, each of them once [BUY-8]', async () => {
  const coupon = await couponWith({ uses: 3, uses_each: 1 })
  const ends = await atOnce(MANY, (n) => buy(coupon, `racer${n % 20}@example.com`))
  expect(ends.filter((end) => end === 'bought')).toHaveLength(3)
  const held = await world.rows(couponUses, { couponId: coupon.id })
  expect([held.length, new Set(held.map(({ buyer }) => buyer)).size]).toEqual([3, 3])
})

it('one code that is saved many times in parallel is saved once [ADM-4]', async () => {
  const admins = await atOnce(8, () => world.admin())
  const replies = await Promise.all(
    admins.map((admin, n) =>
      admin.send(saveCoupon, {
        ...filled,
        code: n % 2 ? 'ONE-code' : 'one-CODE',
        percent_off: 10,
        referrer: 'Radio',
        region: n % 2 ? 'za' : null,
      }),
    ),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)])
})

it('an offer requested by many tabs in parallel is one coupon [CON-10]', async () => {
  const guest = await world.guest()
  const { id } = guest.consultation
  const at = world.now()
  await paidFor(world, guest.user, { consultationId: id })
  await world.change(consultations, id, { vetId: (await world.vet()).id, vetStart: at, end: at })
  const offers = await atOnce(20, (n) => guest.call(takeOffer, { id, plan: n % 2 ? 'annual' : 'monthly' }))
  expect(new Set(offers.map(({ code }) => code)).size).toBe(1)
  expect(await world.rows(coupons, { consultationId: id })).toHaveLength(1)
})
