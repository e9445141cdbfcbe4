import { eq, isNull } from 'drizzle-orm'
import { expect, it } from 'vitest'
import type { Input } from '#contract/call.ts'
import { deleteCoupon, listCoupons, lookUpCoupon, saveCoupon } from '#contract/coupons.ts'
import { fail, sentenceOf } from '#contract/errors.ts'
import { LIMITS } from '#contract/limits.ts'
import { addDays, addHours } from '#contract/time.ts'
import { auditLog, coupons, couponUses } from '#server/db/schema.ts'
import { COUPONS } from '#server/db/demo/coupons.ts'
import { solved } from '#test/joining.ts'
import { purchaseOf } from '#test/purchases.ts'
import { AU } from '#test/shop.ts'
import { createWorld } from '#test/world.ts'
import { discountOf } from './rules.ts'
import { couponFor, holdCoupon, releaseCoupon } from './writes.ts'

const world = await createWorld({ env: { SITES: 'au=http://au.localhost' } })
let admin = await world.admin()
await world.db
  .insert(coupons)
  .values(COUPONS.map((coupon) => ({ ...coupon, referrer: 'VetChat', demo: true })))

let count = 0
const newCode = () => `Code${++count}`
const filled = (values: Partial<Input<typeof saveCoupon>> = {}) => ({
  code: newCode(),
  amount_off: null,
  percent_off: 10,
  left_to_pay: null,
  length: null,
  referrer: 'Radio',
  end: null,
  uses: null,
  uses_each: null,
  ...values,
})
const made = (values: Partial<Input<typeof saveCoupon>> = {}) => admin.call(saveCoupon, filled(values))
const refusal = async (values: object) => {
  const { status, body } = await admin.send(saveCoupon, { ...filled(), ...values })
  return [status, body.errors?.[0]]
}
const look = async (
  couponCode: string,
  more: Partial<Input<typeof lookUpCoupon>> = {},
  headers: Record<string, string> = {},
) => (await world.visitor().send(lookUpCoupon, { couponCode, ...more }, headers)).body.coupon

/** A buyer, as the purchase machine describes them. */
const asking = () => ({
  ...world.world,
  address: `10.6.0.${++count % 250}`,
  actor: null,
  browserMark: '',
  human: () => fail('HUMAN_CHECK'),
})
const asked = (code: string, more: object = {}) =>
  couponFor(asking(), {
    code,
    product: 'consult',
    region: 'za',
    action: 'pay',
    buyer: { email: `buyer${++count}@example.com` },
    ...more,
  })
const invalid = { code: 'COUPON_INVALID' }

it('a typed code is answered with what it takes off, in cents or percent, without case and spaces [BUY-8]', async () => {
  expect(await look(' tenoff ')).toEqual({
    code: 'TENOFF',
    amount_off: null,
    percent_off: 10,
    left_to_pay: null,
    length: null,
    plan: null,
  })
  expect(await look('r50off')).toEqual({
    code: 'R50OFF',
    amount_off: 5000,
    percent_off: null,
    left_to_pay: null,
    length: null,
    plan: null,
  })
  expect(await look('FREECONSULT')).toMatchObject({ percent_off: 100 })
})

it('a typed code that fixes what is left to pay is answered as the amount it takes off, in both regions [BUY-8]', async () => {
  expect(await look('FloodSupport')).toMatchObject({ amount_off: 440_00, percent_off: null })
  expect(await look('floodsupport', {}, AU)).toMatchObject({ amount_off: 34_95, percent_off: null })
  const { code } = await made({
    percent_off: null,
    left_to_pay: 100_00,
    region: 'za',
    product: 'membership',
  })
  expect(await look(code, { product: 'membership', plan: 'annually' })).toMatchObject({
    amount_off: 1900_00,
  })
  expect(await look(code, { product: 'membership', plan: 'monthly' })).toMatchObject({ amount_off: 100_00 })
  // A page that shows both plans asks only once.
  expect(await look(code, { product: 'membership' })).toMatchObject({ left_to_pay: 100_00, plan: null })
})

it('a typed code gets “Invalid coupon” for any reason that makes it invalid [BUY-8]', async () => {
  const ended = await made()
  await world.change(coupons, ended.id, { end: new Date('2020-01-01') })
  const once = await made({ uses: 1 })
  const purchase = await purchaseOf(world)
  await holdCoupon(world.world, once, purchase.id, purchase.email)
  const gone = await made()
  await admin.call(deleteCoupon, { id: gone.id })
  const replies = [
    await world.visitor().send(lookUpCoupon, { couponCode: 'no such code' }),
    await world.visitor().send(lookUpCoupon, { couponCode: ended.code }),
    await world.visitor().send(lookUpCoupon, { couponCode: once.code }),
    await world.visitor().send(lookUpCoupon, { couponCode: gone.code }),
    await world.visitor().send(lookUpCoupon, { couponCode: 'R50OFF' }, AU),
    await world.visitor().send(lookUpCoupon, { couponCode: 'FREECONSULT', product: 'membership' }),
    await world.visitor().send(lookUpCoupon, { couponCode: '%' }),
  ]
  for (const { status, body } of replies) expect([status, body.errors]).toEqual([404, ['Invalid coupon']])
  expect(await look(ended.code)).toBeUndefined()
})

it('a typed code is valid until the end of its last day in its region [ADM-4]', async () => {
  const za = await made({ end: '2031-06-15', region: 'za' })
  expect(za.end).toBe('2031-06-15T21:59:59.999Z')
  expect((await made({ end: '2031-06-15', region: 'au' })).end).toBe('2031-06-15T13:59:59.999Z')
  expect((await made({ end: '2031-12-15', region: 'au' })).end).toBe('2031-12-15T12:59:59.999Z')
  expect((await made({ end: '2031-12-15' })).end).toBe('2031-12-15T21:59:59.999Z')
  const { code, end } = await made({ end: addHours(world.now(), 1).toISOString() })
  expect(await look(code)).toMatchObject({ code })
  world.advance({ minutes: 59 })
  expect(await look(code)).toMatchObject({ code })
  world.advance({ minutes: 2 })
  // The password was given too long ago.
  admin = await world.admin()
  expect(world.now().getTime()).toBeGreaterThan(new Date(end!).getTime())
  expect(await look(code)).toBeUndefined()
})

it("a typed code needs the human check after ten misses in ten minutes behind an address; hits don't count [BUY-8, SAF-5]", async () => {
  const { max, minutes } = LIMITS.couponMisses
  const guesser = world.visitor()
  for (let n = 0; n < max + 5; n++) await guesser.call(lookUpCoupon, { couponCode: 'TENOFF' })
  for (let n = 0; n < max; n++)
    expect((await guesser.send(lookUpCoupon, { couponCode: `guess ${n}` })).status).toBe(404)
  const refused = await guesser.send(lookUpCoupon, { couponCode: 'TENOFF' })
  expect([refused.status, refused.body]).toMatchObject([403, { code: 'HUMAN_CHECK', human: 'pay' }])
  for (const action of ['pay', 'pay'] as const) {
    const checked = { couponCode: 'TENOFF', userConfirmation: await solved(world, action) }
    expect((await guesser.send(lookUpCoupon, checked)).status).toBe(200)
    expect(await guesser.refusal(lookUpCoupon, checked)).toBe('HUMAN_CHECK')
  }
  expect((await world.visitor().send(lookUpCoupon, { couponCode: 'TENOFF' })).status).toBe(200)
  expect([max, minutes]).toEqual([10, 10])
})

it('a coupon in a purchase is the one that the page was shown, with misses counted in the same way [BUY-8]', async () => {
  expect(discountOf(await asked('tenoff'))).toEqual({
    amount_off: null,
    percent_off: 10,
    left_to_pay: null,
  })
  expect(discountOf(await asked('floodsupport', { region: 'au' }))).toMatchObject({ left_to_pay: 500 })
  await expect(asked('FREECONSULT', { product: 'membership', plan: 'annual' })).rejects.toMatchObject(invalid)
  const ctx = asking()
  const sale = {
    product: 'consult',
    region: 'za',
    action: 'pay',
    buyer: { email: 'a@example.com' },
  } as const
  for (let n = 0; n < LIMITS.couponMisses.max; n++)
    await expect(couponFor(ctx, { ...sale, code: `guess ${n}` })).rejects.toMatchObject(invalid)
  await expect(couponFor(ctx, { ...sale, code: 'TENOFF' })).rejects.toMatchObject({
    code: 'HUMAN_CHECK',
  })
})

it('a coupon in a purchase is used once if that is its limit, and again after a purchase that failed [BUY-8]', async () => {
  const coupon = await made({ uses: 1 })
  const [first, second] = [await purchaseOf(world), await purchaseOf(world)]
  await holdCoupon(world.world, coupon, first.id, first.email)
  await holdCoupon(world.world, coupon, first.id, first.email)
  await expect(holdCoupon(world.world, coupon, second.id, second.email)).rejects.toMatchObject(invalid)
  await expect(asked(coupon.code)).rejects.toMatchObject(invalid)
  await releaseCoupon(world.world, first.id)
  await releaseCoupon(world.world, first.id)
  await holdCoupon(world.world, coupon, second.id, second.email)
  await expect(holdCoupon(world.world, coupon, first.id, first.email)).rejects.toMatchObject(invalid)
  await releaseCoupon(world.world, second.id)
  await holdCoupon(world.world, coupon, first.id, first.email)
  const uses = await world.rows(couponUses, { couponId: coupon.id })
  expect(uses.map(({ purchaseId, releasedAt }) => [purchaseId, releasedAt === null])).toEqual(
    expect.arrayContaining([
      [first.id, true],
      [second.id, false],
    ]),
  )
})

it('a coupon in a purchase can be used by one buyer up to its limit, however the email is written [BUY-8]', async () => {
  const coupon = await made({ uses_each: 1 })
  const [first, second, other] = [await purchaseOf(world), await purchaseOf(world), await purchaseOf(world)]
  await holdCoupon(world.world, coupon, first.id, 'One@Example.com')
  await expect(holdCoupon(world.world, coupon, second.id, ' one@example.com')).rejects.toMatchObject(invalid)
  await expect(asked(coupon.code, { buyer: { email: 'ONE@example.com' } })).rejects.toMatchObject(invalid)
  await holdCoupon(world.world, coupon, other.id, 'two@example.com')
  const kept = JSON.stringify(await world.db.select().from(couponUses))
  expect(kept).not.toContain('one@example.com')
})

it('a coupon in a purchase with a holder is only for them, by account or by email [BUY-8]', async () => {
  const [holder, other] = [await world.owner(), await world.owner()]
  const { code } = await made()
  await world.db.update(coupons).set({ userId: holder.id }).where(eq(coupons.code, code))
  expect(await holder.call(lookUpCoupon, { couponCode: code })).toMatchObject({ coupon: { code } })
  expect((await other.send(lookUpCoupon, { couponCode: code })).status).toBe(404)
  // A visitor who isn't signed in learns it from the purchase.
  expect((await world.visitor().send(lookUpCoupon, { couponCode: code })).status).toBe(200)
  await expect(asked(code)).rejects.toMatchObject(invalid)
  await expect(asked(code, { buyer: { email: other.email, userId: other.id } })).rejects.toMatchObject(
    invalid,
  )
  expect(await asked(code, { buyer: { email: holder.email } })).toMatchObject({ code })
  expect(await asked(code, { buyer: { email: 'another@example.com', userId: holder.id } })).toMatchObject({
    code,
  })
})

it("an admin's coupon is listed newest first with its number of uses [ADM-4]", async () => {
  const [older, newer] = [await made({ code: 'older' }), await made({ code: 'newer', uses: 5, length: 3 })]
  const purchase = await purchaseOf(world)
  await holdCoupon(world.world, newer, purchase.id, purchase.email)
  const list = await admin.call(listCoupons, {})
  expect(list.slice(0, 2).map(({ code, used }) => [code, used])).toEqual([
    ['newer', 1],
    ['older', 0],
  ])
  expect(list[0]).toEqual({ ...newer, used: 1 })
  expect(older).toMatchObject({ percent_off: 10, length: null, referrer: 'Radio', product: 'both' })
})

it("an admin's coupon is listed in pages of a hundred, each beginning after the last coupon of the one before [ADM-4]", async () => {
  const rows = Array.from({ length: 205 }, (_, n) => ({
    code: `page ${n}`,
    percentOff: 5,
    referrer: 'Pages',
  }))
  await world.db.insert(coupons).values(rows)
  const pages: number[][] = []
  for (;;) {
    const cursor = pages.at(-1)?.at(-1)
    const page = await admin.call(listCoupons, cursor === undefined ? {} : { cursor })
    if (page.length === 0) break
    pages.push(page.map(({ id }) => id))
  }
  expect(pages.slice(0, -1).every((page) => page.length === 100)).toBe(true)
  const all = await world.db.select({ id: coupons.id }).from(coupons).where(isNull(coupons.deletedAt))
  expect(pages.flat()).toEqual(all.map(({ id }) => id).toSorted((a, b) => b - a))
  expect((await admin.send(listCoupons, { cursor: 'x' })).status).toBe(400)
})

it("an admin's coupon is refused with the message for a field that is missing or not a number [ADM-4]", async () => {
  expect(await refusal({ code: ' ' })).toEqual([400, 'Code is required'])
  expect(await refusal({ referrer: '' })).toEqual([400, 'Referrer is required'])
  expect(await refusal({ percent_off: 'ten' })).toEqual([400, 'Percent Off must be a number'])
  expect(await refusal({ percent_off: '', amount_off: 'R50' })).toEqual([400, 'Amount Off must be a number'])
  expect(await refusal({ length: 'long' })).toEqual([400, sentenceOf('COUPON_NUMBER_WRONG')])
  expect(await refusal({ length: 100_000 })).toEqual([400, sentenceOf('COUPON_NUMBER_WRONG')])
  expect(await refusal({ uses: 0 })).toEqual([400, sentenceOf('COUPON_NUMBER_WRONG')])
  for (const end of ['0001-01-01', '2030-02-31', '2030-99-99T99:99:99Z'])
    expect(await refusal({ end }), end).toEqual([400, sentenceOf('INVALID_INPUT')])
  const yesterday = addDays(world.now(), -2).toISOString().slice(0, 10)
  for (const end of ['0000-01-01T00:00:00Z', yesterday])
    expect(await refusal({ end, region: 'za' }), end).toEqual([400, sentenceOf('COUPON_END_PAST')])
})

it("an admin's coupon that has ended can be changed, and its end stays or moves to a later day [ADM-4]", async () => {
  const { id } = await made({ region: 'za' })
  await world.change(coupons, id, { end: new Date('2020-01-01T21:59:59.999Z') })
  const ended = (await admin.call(listCoupons, {})).find((one) => one.id === id)!
  const renamed = await admin.call(saveCoupon, { ...ended, referrer: 'Somebody else' })
  expect(renamed).toMatchObject({ referrer: 'Somebody else', end: ended.end })
  expect((await admin.call(saveCoupon, { ...renamed, end: '2031-06-15' })).end).toBe(
    '2031-06-15T21:59:59.999Z',
  )
})

it("an admin's coupon has exactly one discount: an amount, a percentage, or a fixed price left to pay [ADM-4]", async () => {
  const wrong = [400, 'Amount off or percent off needs to be valid data']
  const za = { region: 'za' }
  expect(await refusal({ percent_off: '' })).toEqual(wrong)
  expect(await refusal({ percent_off: 0 })).toEqual(wrong)
  expect(await refusal({ percent_off: 101 })).toEqual(wrong)
  expect(await refusal({ ...za, amount_off: 5000 })).toEqual(wrong)
  expect(await refusal({ ...za, left_to_pay: 5000 })).toEqual(wrong)
  expect(await refusal({ ...za, percent_off: null, amount_off: 5000, left_to_pay: 0 })).toEqual(wrong)
  expect(await made({ amount_off: '', percent_off: '15' })).toMatchObject({
    amount_off: null,
    percent_off: 15,
  })
  expect(await made({ amount_off: 0, percent_off: 15 })).toMatchObject({
    amount_off: null,
    percent_off: 15,
  })
  const free = await made({ region: 'za', percent_off: null, left_to_pay: 0 })
  expect(free).toMatchObject({ left_to_pay: 0, region: 'za' })
})

it("an admin's coupon is for one region if it takes off an amount of money, by default the one it is made in [ADM-4]", async () => {
  const needs = [400, sentenceOf('COUPON_NEEDS_REGION')]
  expect(await refusal({ region: null, percent_off: null, amount_off: 5000 })).toEqual(needs)
  expect(await refusal({ region: null, percent_off: null, left_to_pay: 5000 })).toEqual(needs)
  expect(await made({ percent_off: null, amount_off: 5000 })).toMatchObject({ region: 'za' })
})

it("an admin's coupon can't leave a price that is too small to charge, for anything that it applies to [ADM-4]", async () => {
  const small = async (values: object) => {
    const [status, said] = await refusal({ percent_off: null, ...values })
    return [
      status,
      String(said)
        .replace(/^This would leave (\S+) to pay.*$/, '$1')
        .replace('\u00a0', ' '),
    ]
  }
  expect(await small({ region: 'za', product: 'consult', amount_off: 445_00 })).toEqual([400, 'R5'])
  expect(await small({ region: 'za', product: 'consult', left_to_pay: 9_99 })).toEqual([400, 'R9.99'])
  expect(await small({ region: 'au', product: 'consult', left_to_pay: 49 })).toEqual([400, '$0.49'])
  expect(await small({ percent_off: 99, product: 'consult' })).toEqual([400, 'R4.50'])
  expect(await small({ region: 'za', product: 'both', amount_off: 195_00 })).toEqual([400, 'R5'])
  expect(
    await made({ region: 'za', product: 'consult', percent_off: null, amount_off: 440_00 }),
  ).toBeDefined()
  expect(await made({ region: 'au', percent_off: null, left_to_pay: 50 })).toBeDefined()
  expect(await made({ percent_off: 100 })).toBeDefined()
})

it("an admin's coupon is saved even if its text was cut in the middle of an emoji [ADM-4, API-3]", async () => {
  expect((await made({ referrer: 'Radio \ud83d' })).referrer).toBe('Radio \ufffd')
})

it("an admin's coupon has a code that is unique in its regions, in any case [ADM-4]", async () => {
  const taken = [409, 'Code already exists.']
  const { code, id } = await made({ region: 'za' })
  expect(await refusal({ code: code.toUpperCase(), region: 'za' })).toEqual(taken)
  expect(await refusal({ code: code.toLowerCase() })).toEqual(taken)
  const abroad = await made({ code, region: 'au', percent_off: 20 })
  expect(await look(code, {}, AU)).toMatchObject({ percent_off: 20 })
  expect(await look(code)).toMatchObject({ percent_off: 10 })
  expect(await refusal({ id: abroad.id, code, region: 'za' })).toEqual(taken)
  await admin.call(deleteCoupon, { id })
  expect(await made({ code, region: 'za' })).toMatchObject({ code })
})

it("an admin's coupon can be changed and deleted; its uses stay, its times are the server’s, and the change is logged [ADM-4]", async () => {
  const coupon = await made()
  const purchase = await purchaseOf(world)
  await holdCoupon(world.world, coupon, purchase.id, purchase.email)
  const long = '2001-01-01T00:00:00Z'
  const notTheirs = { createdAt: long, updatedAt: long, deletedAt: long, userId: 1, demo: true }
  const changed = await admin.call(saveCoupon, {
    ...filled({ code: coupon.code, percent_off: 25 }),
    id: coupon.id,
    ...notTheirs,
  })
  expect(changed).toEqual({ ...coupon, percent_off: 25, used: 1, updated_at: changed.updated_at })
  expect(await look(coupon.code)).toMatchObject({ percent_off: 25 })
  await admin.call(deleteCoupon, { id: coupon.id })
  await admin.call(deleteCoupon, { id: coupon.id })
  expect(await admin.refusal(saveCoupon, { ...filled(), id: coupon.id })).toBe('COUPON_REMOVED')
  expect(await admin.call(listCoupons, {})).not.toContainEqual(expect.objectContaining({ id: coupon.id }))
  const [row] = await world.rows(coupons, { id: coupon.id })
  expect(row).toMatchObject({ demo: false, userId: null, percentOff: 25 })
  expect(row!.createdAt.getTime()).toBeGreaterThan(Date.UTC(2020))
  const uses = await world.rows(couponUses, { couponId: coupon.id })
  expect(uses).toMatchObject([{ purchaseId: purchase.id, releasedAt: null }])
  const deeds = (await world.rows(auditLog, { subject: 'coupon' })).filter(
    ({ subjectId }) => subjectId === String(coupon.id),
  )
  expect(deeds.map(({ action, userId }) => [action, userId])).toEqual(
    ['made', 'changed', 'deleted'].map((action) => [action, admin.id]),
  )
  expect(deeds[1]!.details).toMatchObject({ percentOff: 25 })
})

it('the list of coupons can be searched, filtered by state and sorted by use, and shows how much was given [ADM-4]', async () => {
  const world = await createWorld()
  const admin = await world.admin()
  const make = (code: string, more: object = {}) =>
    admin.call(saveCoupon, { code, percent_off: 10, referrer: 'Radio', region: 'za', ...more })
  const [plain, spent, gone] = [await make('PLAIN'), await make('SPENT', { uses: 1 }), await make('GONE')]
  const purchase = await purchaseOf(world, {
    couponId: spent.id,
    amount: 405_00,
    state: 'delivered',
    paidAt: world.now(),
    deliveredAt: world.now(),
  })
  await world.add(couponUses, { couponId: spent.id, purchaseId: purchase.id, buyer: 'b' })
  await admin.call(deleteCoupon, { id: gone.id })
  const ids = async (wanted: object) => (await admin.call(listCoupons, wanted)).map(({ id }) => id)
  expect(await ids({})).toEqual([spent.id, plain.id])
  expect(await ids({ state: 'active' })).toEqual([plain.id])
  expect(await ids({ state: 'ended' })).toEqual([spent.id])
  expect(await ids({ state: 'deleted' })).toEqual([gone.id])
  expect(await ids({ sort: 'used' })).toEqual([spent.id, plain.id])
  expect(await ids({ sort: 'used', cursor: spent.id })).toEqual([plain.id])
  expect(await ids({ q: 'plai' })).toEqual([plain.id])
  expect(await ids({ q: '%' })).toEqual([])
  const [listed] = await admin.call(listCoupons, { q: 'spent' })
  expect(listed).toMatchObject({ used: 1, given: [{ amount: 45_00, currency: 'zar' }] })

  const other = await admin.call(saveCoupon, { id: plain.id, code: 'PLAIN', referrer: 'Theirs' })
  world.advance({ seconds: 1 })
  const late = await admin.send(saveCoupon, {
    id: plain.id,
    code: 'PLAIN',
    referrer: 'Mine',
    updated_at: plain.updated_at,
  })
  expect([late.status, late.body]).toMatchObject([
    409,
    { code: 'CHANGED_UNDER_YOU', current: { referrer: 'Theirs', updated_at: other.updated_at } },
  ])
})
