import { Failure } from '#contract/errors.ts'
import type { HumanAction } from '#contract/human.ts'
import type { World } from '../context.ts'
import { countedFor } from '../identity/browser-marks.ts'
import { type Counted, refuse, tryTake, uncount, waitFor } from '../identity/limits.ts'
import type { Card } from '../providers/payments.ts'
import { REFUSALS, type Refused } from './rules.ts'

/** The card behind a token, unless it was refused or challenged too often. */
export async function readCard(
  world: World,
  token: string,
  key: string,
): Promise<{ state: 'done'; card: Card } | Refused> {
  const read = await world.payments.readCard(token, key)
  const isFull = async (name: 'cardRefused' | 'cardChallenged') =>
    read.state === 'done' && (await waitFor(world, name, read.card.fingerprint)) > 0
  const isBlocked = (await isFull('cardRefused')) || (await isFull('cardChallenged'))
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

const OVER_ALL = 'everybody'

/** Counts a bank's challenge until its buyer answers it. After too many, each purchase needs the human check. */
export async function countingChallenge<T extends { status: string }>(
  ctx: Counted,
  action: HumanAction,
  work: () => Promise<T>,
): Promise<T> {
  const key = countedFor(ctx)
  // Counted first, so that a burst from many addresses can't slip through before its first challenge is known.
  const isFullOverAll = (await tryTake(ctx, 'challengesOverAll', OVER_ALL)) > 0
  let isOpen = false
  try {
    if ((await waitFor(ctx, 'challengesOpen', key)) > 0 || (isFullOverAll && key === ctx.address))
      await ctx.human(action)
    const done = await work()
    isOpen = done.status === 'requires_action'
    if (isOpen) await tryTake(ctx, 'challengesOpen', key)
    return done
  } finally {
    if (!isOpen && !isFullOverAll) await uncount(ctx, 'challengesOverAll', OVER_ALL)
  }
}

/** The buyer answered the bank's challenge. */
export async function uncountChallenge(ctx: Counted) {
  await uncount(ctx, 'challengesOpen', countedFor(ctx))
  await uncount(ctx, 'challengesOverAll', OVER_ALL)
}

/** A free purchase always needs the human check, and has a limit of its own, because no card limits its buyer. */
export async function limitFree(ctx: Counted, action: HumanAction) {
  await ctx.human(action)
  const wait = await tryTake(ctx, 'freePurchases', countedFor(ctx))
  if (wait > 0) refuse(wait, {}, 'TOO_MANY_FREE')
}
