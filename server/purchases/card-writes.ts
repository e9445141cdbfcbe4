import { Failure } from '#contract/errors.ts'
import type { HumanAction } from '#contract/human.ts'
import type { World } from '../context.ts'
import { countedFor } from '../identity/browser-marks.ts'
import { type Counted, refuse, tryTake, waitFor } from '../identity/limits.ts'
import type { Card } from '../providers/payments.ts'
import { REFUSALS, type Refused } from './rules.ts'

/** The card behind a token, unless it was refused too often. */
export async function readCard(
  world: World,
  token: string,
  key: string,
): Promise<{ state: 'done'; card: Card } | Refused> {
  const read = await world.payments.readCard(token, key)
  const isBlocked = read.state === 'done' && (await waitFor(world, 'cardRefused', read.card.fingerprint)) > 0
  return isBlocked ? { state: 'refused', message: '', code: 'TOO_MANY_TRIES' } : read
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

/** A free purchase always needs the human check, and has a limit of its own, because no card limits its buyer. */
export async function limitFree(ctx: Counted, action: HumanAction) {
  await ctx.human(action)
  const wait = await tryTake(ctx, 'freePurchases', countedFor(ctx))
  if (wait > 0) refuse(wait, {}, 'TOO_MANY_FREE')
}
