import { expect, it } from 'vitest'
import { fail } from '#contract/errors.ts'
import { deleteCoupon, listCoupons, lookUpCoupon, saveCoupon, takeOffer } from '#contract/coupons.ts'
import { subscribe } from '#contract/joining.ts'
import { refundCharge } from '#contract/ledger.ts'
import { better, OFFER_DAYS } from '#contract/discounts.ts'
import { REGIONS } from '#contract/regions.ts'
import { DAY } from '#contract/time.ts'
import { consultations, coupons, ledger } from '#server/db/schema.ts'
import { newcomer } from '#test/joining.ts'
import { paidFor } from '#test/paid.ts'
import { purchaseOf } from '#test/purchases.ts'
import { createWorld } from '#test/world.ts'
import { couponFor, holdCoupon } from './writes.ts'

const world = await createWorld({ env: { SITES: 'au=http://au.localhost' } })

/** A guest whose single consult has been ended by a vet. */
async function thanked(consult: Partial<typeof consultations.$inferInsert> = {}) {
  const guest = await world.guest()
  const at = world.now()
  const { charge } = await paidFor(world, guest.user, { consultationId: guest.consultation.id })
  await world.change(consultations, guest.consultation.id, {
    vetId: (await world.vet()).id,
    vetStart: at,
    end: at,
    ...consult,
  })
  return { ...guest, id: guest.consultation.id, email: guest.user.email, charge }
}
const rowsOf = (id: number) => world.rows(coupons, { consultationId: id })
const joining = (code: string, plan: 'annual' | 'monthly', email: string, region: 'za' | 'au' = 'za') =>
  couponFor(
    {
      ...world.world,
      address: '10.7.0.1',
      actor: null,
      browserMark: '',
      human: () => fail('HUMAN_CHECK'),
    },
    { code, product: 'membership', plan, region, action: 'pay', buyer: { email } },
  )
const invalid = { code: 'COUPON_INVALID' }

it('the offer after a consult takes R400 off a year, for its buyer, once, within a fortnight [CON-10]', async () => {
  const guest = await thanked()
  const { code, plan, end } = await guest.call(takeOffer, { id: guest.id, plan: 'annually' })
  expect(plan).toBe('annual')
  const days = (new Date(end).getTime() - world.now().getTime()) / DAY
  expect(days).toBeCloseTo(OFFER_DAYS, 2)
  const coupon = await joining(code, 'annual', guest.email)
  expect(coupon).toMatchObject({ amountOff: REGIONS.za.prices.thankYouOffer, length: null, uses: 1 })
  const said = await guest.call(lookUpCoupon, { couponCode: code, product: 'membership', plan: 'annual' })
  expect(better(REGIONS.za.prices.annual, null, said.coupon)).toMatchObject({ price: 1600_00 })
  await expect(joining(code, 'monthly', guest.email)).rejects.toMatchObject(invalid)
  await expect(joining(code, 'annual', 'somebody@example.com')).rejects.toMatchObject(invalid)
  const purchase = await purchaseOf(world, { kind: 'membership', email: guest.email })
  await holdCoupon(world.world, coupon, purchase.id, guest.email)
  await expect(joining(code, 'annual', guest.email)).rejects.toMatchObject(invalid)
})

it('the offer after a consult can make the first three months free instead; it is for memberships only [CON-10]', async () => {
  const guest = await thanked()
  const { code } = await guest.call(takeOffer, { id: guest.id, plan: 'monthly' })
  expect(await joining(code, 'monthly', guest.email)).toMatchObject({ percentOff: 100, length: 3 })
  const said = await guest.call(lookUpCoupon, { couponCode: code, product: 'membership', plan: 'monthly' })
  expect(said.coupon).toEqual({
    code,
    amount_off: null,
    percent_off: 100,
    length: 3,
    left_to_pay: null,
    plan: 'monthly',
  })
  expect(await guest.call(lookUpCoupon, { couponCode: code, product: 'membership' })).toMatchObject({
    coupon: { plan: 'monthly' },
  })
  expect(
    (await guest.send(lookUpCoupon, { couponCode: code, product: 'membership', plan: 'annual' })).status,
  ).toBe(404)
  expect((await guest.send(lookUpCoupon, { couponCode: code })).status).toBe(404)
})

it("the offer after a consult is in the currency of the consult's region [CON-10]", async () => {
  const guest = await thanked({ region: 'au' })
  const { code } = await guest.call(takeOffer, { id: guest.id, plan: 'annual' })
  expect(await joining(code, 'annual', guest.email, 'au')).toMatchObject({ amountOff: 40_00, region: 'au' })
  await expect(joining(code, 'annual', guest.email, 'za')).rejects.toMatchObject(invalid)
})

it('the offer after a consult is the same however often it is requested; the plan can change until it is used [CON-10]', async () => {
  const guest = await thanked()
  const first = await guest.call(takeOffer, { id: guest.id, plan: 'annual' })
  world.advance({ minutes: 5 })
  expect(await guest.call(takeOffer, { id: guest.id, plan: 'annual' })).toEqual(first)
  const monthly = await guest.call(takeOffer, { id: guest.id, plan: 'monthly' })
  expect(monthly).toEqual({ ...first, plan: 'monthly' })
  await expect(joining(first.code, 'annual', guest.email)).rejects.toMatchObject(invalid)
  const coupon = await joining(first.code, 'monthly', guest.email)
  const purchase = await purchaseOf(world, { kind: 'membership', email: guest.email })
  await holdCoupon(world.world, coupon, purchase.id, guest.email)
  expect(await guest.call(takeOffer, { id: guest.id, plan: 'annual' })).toEqual(monthly)
  expect(await rowsOf(guest.id)).toHaveLength(1)
})

it("the offer after a consult expires after a fortnight, and requesting it again doesn't renew it [CON-10]", async () => {
  const guest = await thanked()
  const first = await guest.call(takeOffer, { id: guest.id, plan: 'annual' })
  world.advance({ days: OFFER_DAYS, minutes: 1 })
  await expect(joining(first.code, 'annual', guest.email)).rejects.toMatchObject(invalid)
  const back = world.nobody.with(await world.signIn(guest.user.id))
  expect(await back.call(takeOffer, { id: guest.id, plan: 'annual' })).toEqual(first)
})

it('the offer after a consult moves into an account with the consult [CON-10]', async () => {
  const guest = await thanked()
  const { code } = await guest.call(takeOffer, { id: guest.id, plan: 'annual' })
  const account = await world.owner()
  const look = { couponCode: code, product: 'membership', plan: 'annual' } as const
  expect((await account.send(lookUpCoupon, look)).status).toBe(404)
  await world.change(consultations, guest.id, { userId: account.id })
  expect(await account.call(lookUpCoupon, look)).toMatchObject({ coupon: { code } })
  expect(await account.call(takeOffer, { id: guest.id, plan: 'annual' })).toMatchObject({ code })
})

it('the offer after a consult is for the buyer of that single consult, once a vet has ended it [CON-10]', async () => {
  const other = await thanked()
  const guest = await thanked()
  expect((await guest.send(takeOffer, { id: other.id, plan: 'annual' })).status).toBe(404)
  const open = await thanked({ end: null })
  const cancelled = await thanked({ vetId: null, vetStart: null, cancelledAt: world.now() })
  const member = await world.member()
  const [start, end] = [world.now(), world.now()]
  const free = await world.consultOf(member, { start, end })
  for (const [browser, id] of [
    [open, open.id],
    [cancelled, cancelled.id],
    [member, free.id],
  ] as const)
    expect(await browser.refusal(takeOffer, { id, plan: 'annual' })).toBe('OFFER_NOT_HERE')
})

it("the offer after a consult isn't made for a consult that a code made free [SAF-2]", async () => {
  const guest = await world.guest()
  const at = world.now()
  const free = { amount: 0, state: 'delivered' as const, paidAt: at, deliveredAt: at }
  await purchaseOf(world, { consultationId: guest.consultation.id, email: guest.user.email, ...free })
  await world.change(consultations, guest.consultation.id, {
    vetId: (await world.vet()).id,
    vetStart: at,
    end: at,
  })
  expect(await guest.refusal(takeOffer, { id: guest.consultation.id, plan: 'monthly' })).toBe(
    'OFFER_NOT_HERE',
  )
})

it.each([
  ['refunded in part', 50_00],
  ['refunded in full', undefined],
])(
  'the offer after a consult is over once its consult was %s, before and after it was accepted [SAF-2]',
  async (_, amount) => {
    const [early, late, admin] = [await thanked(), await thanked(), await world.admin()]
    const { code } = await late.call(takeOffer, { id: late.id, plan: 'monthly' })
    for (const { charge } of [early, late])
      await admin.call(refundCharge, { id: charge.id, amount, reason: 'A slow vet' })
    expect(await early.refusal(takeOffer, { id: early.id, plan: 'monthly' })).toBe('OFFER_NOT_HERE')
    // While the refund is on its way, and after it has arrived.
    for (let times = 0; times < 2; times++) {
      const { form, browser } = await newcomer(world, { plan: 'monthly', coupon: code, email: late.email })
      expect(await browser.refusal(subscribe, form)).toBe('COUPON_INVALID')
      await world.runDue()
    }
  },
)

it('the offer after a consult is over while the payment of its consult is disputed, and stands again once that is won [SAF-2]', async () => {
  const guest = await thanked()
  const { code } = await guest.call(takeOffer, { id: guest.id, plan: 'monthly' })
  const coupon = await joining(code, 'monthly', guest.email)
  const { id: chargeId, amount, purchaseId } = guest.charge
  const taken = { kind: 'dispute', amount: -amount, stripeId: `dp_${chargeId}`, at: world.now() } as const
  const same = { currency: 'zar', region: 'za', what: 'consult' } as const
  const entry = { ...same, chargeId, purchaseId }
  await world.add(ledger, { ...taken, ...entry })
  await expect(joining(code, 'monthly', guest.email)).rejects.toMatchObject(invalid)
  // Somebody who looked the code up before the dispute can't use it after it.
  const purchase = await purchaseOf(world, { kind: 'membership', email: guest.email })
  await expect(holdCoupon(world.world, coupon, purchase.id, guest.email)).rejects.toMatchObject(invalid)
  await world.add(ledger, {
    ...taken,
    ...entry,
    kind: 'dispute_won',
    amount,
    stripeId: `dp_${chargeId} won`,
  })
  expect(await joining(code, 'monthly', guest.email)).toMatchObject({ id: coupon.id })
})

it('the offer after a consult keeps its holder when an admin changes it, and disappears when one deletes it [ADM-4]', async () => {
  const guest = await thanked()
  const admin = await world.admin()
  const { code } = await guest.call(takeOffer, { id: guest.id, plan: 'annual' })
  const listed = (await admin.call(listCoupons, {})).find((one) => one.code === code)!
  await admin.call(saveCoupon, { ...listed, amount_off: 500_00 })
  expect(await joining(code, 'annual', guest.email)).toMatchObject({ amountOff: 500_00 })
  await expect(joining(code, 'annual', 'somebody@example.com')).rejects.toMatchObject(invalid)
  await admin.call(deleteCoupon, { id: listed.id })
  expect(await guest.refusal(takeOffer, { id: guest.id, plan: 'annual' })).toBe('COUPON_INVALID')
})
