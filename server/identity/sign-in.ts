import { type ErrorCode, fail } from '#contract/errors.ts'
import { type LimitName, LIMITS, SIGN_INS_AT_WORK, STRANGERS_AT_ONCE } from '#contract/limits.ts'
import type { Ctx, Earned } from '../context.ts'
import { atOnce } from '../concurrency/at-once.ts'
import { carriesMark } from './browser-marks.ts'
import { inTurn } from '../concurrency/in-turn.ts'
import { countingUnderWay, underWay } from '../concurrency/under-way.ts'
import { refuse, take, tryTake, uncount } from './limits.ts'

const STRANGERS = 'sign-ins of strangers'

/**
 * Signs in with a password, or refuses with `refusal`. `find` takes the same time whether or not it finds somebody.
 * Browsers that signed in to the account before count apart from everybody else, so strangers can't lock its owner out.
 */
export async function signIn<T>(
  ctx: Ctx<'anyone'>,
  account: Extract<Earned, `${'email' | 'clinic'} ${string}`>,
  refusal: ErrorCode,
  find: () => Promise<T | undefined>,
): Promise<T> {
  const name = account.replace(/^email /, '')
  const isKnown = carriesMark(ctx.secrets, ctx.browserMark, account)
  const here = `${name} ${isKnown ? 'known browser' : ctx.address}`
  const limits: [LimitName, string][] = isKnown
    ? [['signInHere', here]]
    : [
        // Strangers can make up names without end, and each name takes a row in the other two.
        ['signInAddress', ctx.address],
        ['signInHere', here],
        ['signInEmail', name],
      ]
  const attempt = async () => {
    const taken = await takeAll(ctx, limits)
    const found = (await find()) ?? fail(refusal)
    // First, so that at the limit right passwords count as wrong ones do, and soon aren't even checked.
    await take(ctx, 'signIns', name)
    await Promise.all(taken.map(([limit, key]) => uncount(ctx, limit, key)))
    ctx.markBrowser(account)
    return found
  }
  if (isKnown) return inTurn(here, attempt)
  if (underWay(STRANGERS) >= SIGN_INS_AT_WORK) await ctx.human('try_again', 60)
  return countingUnderWay(STRANGERS, () => inTurn(here, () => atOnce(STRANGERS, STRANGERS_AT_ONCE, attempt)))
}

/** Counts an attempt against each limit before the password is checked. If it's right, it's uncounted. */
async function takeAll(ctx: Ctx<'anyone'>, limits: [LimitName, string][]) {
  const taken: typeof limits = []
  for (const [limit, key] of limits) {
    const wait = await tryTake(ctx, limit, key)
    if (wait === 0) taken.push([limit, key])
    else if (LIMITS[limit].full === 'human check') await ctx.human('try_again', wait)
    else refuse(wait)
  }
  return taken
}
