import { saveCoupon } from '#contract/coupons.ts'
import { transaction } from '#server/context.ts'
import { holdCoupon } from '#server/coupons/writes.ts'
import { openPostgres } from '#server/db/client.ts'
import { couponUses, purchases } from '#server/db/schema.ts'
import { startPostgres } from '#test/postgres.ts'
import { purchaseOf } from '#test/purchases.ts'
import { createWorld, ownPostgres, type TestWorld } from '#test/world.ts'
import type { Drill } from './run.ts'

const FILLED = { amount_off: null, left_to_pay: null, length: null, percent_off: 10, referrer: 'Drill' }

/** Buyers, some in several tabs, compete for a coupon that has fewer uses than there are buyers. */
async function coupons(world: TestWorld, round: number, random: () => number) {
  const uses = 1 + Math.floor(random() * 5)
  const each = 1 + Math.floor(random() * 2)
  const people = 10 + Math.floor(random() * 20)
  const admin = await world.admin()
  const coupon = await admin.call(saveCoupon, { ...FILLED, code: `race-${round}`, uses, uses_each: each })
  const tabs = Array.from({ length: people * 2 }, (_, n) => `racer${n % people}@example.com`)
  const buy = (email: string) =>
    transaction(world.world, async (ctx) => {
      const bought = await purchaseOf({ ...ctx, now: world.now }, { email, couponId: coupon.id })
      await holdCoupon(ctx, coupon, bought.id, email)
    })
  const ends = await Promise.allSettled(tabs.map(buy))
  const won = ends.filter(({ status }) => status === 'fulfilled').length
  const odd = ends.filter((end) => end.status === 'rejected' && end.reason.code !== 'COUPON_INVALID').length
  const held = await world.rows(couponUses, { couponId: coupon.id })
  const written = await world.rows(purchases, { couponId: coupon.id })
  const byBuyer = Object.values(Object.groupBy(held, ({ buyer }) => buyer)).map((of) => of!.length)
  const right = [won, held.length, written.length].every((count) => count === uses)
  return right && odd === 0 && Math.max(...byBuyer) <= each
}

/** Runs n rounds on PostgreSQL in which many buyers compete for few uses. */
export default {
  n: 100,
  async run(n, random) {
    const server = await startPostgres()
    const database = await openPostgres(await ownPostgres(server.url))
    const world = await createWorld({ database })
    let wrong = 0
    const began = performance.now()
    for (let round = 0; round < n; round++) if (!(await coupons(world, round, random))) wrong++
    const seconds = Math.round((performance.now() - began) / 1000)
    await world.close()
    await database.close()
    await server.stop()
    return { figure: { rounds: n, wrong, seconds }, target: '0 wrong', pass: wrong === 0 }
  },
} satisfies Drill
