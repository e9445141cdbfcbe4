import { fail, failAt } from '#contract/errors.ts'
import type * as calls from '#contract/sandbox.ts'
import { DAY } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import type { Ctx } from '../context.ts'

/** Far enough for any renewal, and small enough for a valid date. */
const LATEST = Date.UTC(2100, 0)

/** The sandbox's calls exist only while it is used. */
const sandboxOf = ({ payments }: Ctx) => payments.sandbox ?? fail('UNKNOWN_CALL')

export const sandboxCard: Handler<typeof calls.sandboxCard> = async (ctx, card) => {
  const made = await sandboxOf(ctx).token(card)
  return 'token' in made ? made : fail('CARD_REFUSED', { errors: [made.refused] })
}

export const sandboxChallenge: Handler<typeof calls.sandboxChallenge> = async (ctx, input) => {
  const status = await sandboxOf(ctx).answerChallenge(input.client_secret, input.succeed)
  return { status: status ?? fail('NOT_FOUND') }
}

/** Moves the clock, never backwards: a past time leaves it as it is. */
export const sandboxClock: Handler<typeof calls.sandboxClock> = async (ctx, { days, until }) => {
  sandboxOf(ctx)
  const at = ctx.now().getTime()
  const to = until === undefined ? at + (days ?? 0) * DAY : Date.parse(until)
  if (!(to < LATEST)) failAt(until === undefined ? 'days' : 'until', 'INVALID_INPUT')
  const now = await ctx.moveClock(Math.max(0, Math.round(to - at)))
  ctx.wake()
  return { now: now.toISOString() }
}

export const sandboxFaults: Handler<typeof calls.sandboxFaults> = async (ctx, { call, fault, times }) => {
  await sandboxOf(ctx).arm(call, fault, times)
  return {}
}
