import { Failure } from '#contract/errors.ts'
import { type LimitName, LIMITS } from '#contract/limits.ts'
import type { World } from '../context.ts'
import { countedFor } from '../identity/browser-marks.ts'
import { inTurn } from '../concurrency/in-turn.ts'
import { type Counted, countOf, refuse, tryTake, uncount, waitFor } from '../identity/limits.ts'
import { countingUnderWay, underWay } from '../concurrency/under-way.ts'
import type { Card } from '../providers/payments.ts'
import { type Charge, REFUSALS } from './rules.ts'

/**
 * Charges the card behind a token, unless it was refused or challenged too often. One card's charges run in turn, so that
 * a burst can't slip through before its first refusal is known.
 */
export async function chargingCard<Goods>(
  world: World,
  token: string,
  key: string,
  charge: (card: Card) => Promise<Charge<Goods>>,
): Promise<Charge<Goods>> {
  const read = await world.payments.readCard(token, key)
  if (read.state === 'refused') return read
  const { fingerprint } = read.card
  return inTurn(`charges of ${fingerprint}`, async () => {
    const isFull = async (name: LimitName) => (await waitFor(world, name, fingerprint)) > 0
    if ((await isFull('cardRefused')) || (await isFull('cardChallenged')))
      return { state: 'refused', message: '', code: 'TOO_MANY_TRIES' }
    return charge(read.card)
  })
}

/** Counts a refused card, across all its users. */
export const countCard = async (world: World, fingerprint: string | null | undefined) => {
  if (fingerprint) await tryTake(world, 'cardRefused', fingerprint)
}

export const isRefusal = (error: unknown) => error instanceof Failure && error.code in REFUSALS

/** Counts a refused card without asking for the human check, because the check or the bank was already asked. */
export const countingRefusal = <T>(ctx: Counted, work: () => Promise<T>): Promise<T> =>
  work().catch(async (error: unknown) => {
    if (isRefusal(error)) await tryTake(ctx, 'paymentsUnchecked', countedFor(ctx))
    throw error
  })

const OVER_ALL = 'everybody'

/** Counts a bank's challenge until its buyer answers it. After too many, each purchase needs the human check. */
export async function countingChallenge<T extends { status: string }>(ctx: Counted, work: () => Promise<T>) {
  const key = countedFor(ctx)
  if ((await waitFor(ctx, 'challengesOpen', key)) > 0) await ctx.human('pay')
  const open = await countOf(ctx, 'challengesOverAll', OVER_ALL)
  // Those under way count too, so that a burst from many addresses can't slip through before its first challenge is known.
  const isFull = open + underWay('challenges') >= LIMITS.challengesOverAll.max
  if (isFull && key === ctx.address) await ctx.human('pay')
  return countingUnderWay('challenges', async () => {
    const done = await work()
    if (done.status === 'requires_action') {
      await tryTake(ctx, 'challengesOpen', key)
      await tryTake(ctx, 'challengesOverAll', OVER_ALL)
    }
    return done
  })
}

export async function uncountChallenge(ctx: Counted) {
  await uncount(ctx, 'challengesOpen', countedFor(ctx))
  await uncount(ctx, 'challengesOverAll', OVER_ALL)
}

/**
 * A free purchase always needs the human check, and has limits of its own, because no card limits its buyer. Strangers also
 * share one for each coupon: a program with many addresses would fill the queue, and buyers who pay would wait behind it.
 */
export async function limitFree(ctx: Counted, couponId: number) {
  await ctx.human('pay')
  const key = countedFor(ctx)
  const wait = await tryTake(ctx, 'freePurchases', key)
  if (wait > 0) refuse(wait, {}, 'TOO_MANY_FREE')
  const waitOfAll = key === ctx.address ? await tryTake(ctx, 'freeOfCoupon', String(couponId)) : 0
  if (waitOfAll > 0) refuse(waitOfAll, {}, 'TOO_MANY_FREE')
}
