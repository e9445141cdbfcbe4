import type { Parsed } from '#contract/call.ts'
import { fail, failAt } from '#contract/errors.ts'
import type * as calls from '#contract/sandbox.ts'
import { DAY } from '#contract/time.ts'
import type { Ctx } from '../context.ts'

/** Far enough for any renewal, and small enough for a valid date. */
const LATEST = Date.UTC(2100, 0)

/** The sandbox's calls exist only while it is used. */
const sandboxOf = ({ payments }: Ctx) => payments.sandbox ?? fail('UNKNOWN_CALL')

export async function sandboxCard(ctx: Ctx, card: Parsed<typeof calls.sandboxCard>) {
  const made = await sandboxOf(ctx).token(card)
  return 'token' in made ? made : fail('CARD_REFUSED', { errors: [made.refused] })
}

export async function sandboxChallenge(ctx: Ctx, input: Parsed<typeof calls.sandboxChallenge>) {
  const status = await sandboxOf(ctx).answerChallenge(input.client_secret, input.succeed)
  return { status: status ?? fail('NOT_FOUND') }
}

/** Moves the clock, never backwards: a past time leaves it as it is. */
export async function sandboxClock(ctx: Ctx, { days, until }: Parsed<typeof calls.sandboxClock>) {
  sandboxOf(ctx)
  const at = ctx.now().getTime()
  const to = until === undefined ? at + (days ?? 0) * DAY : Date.parse(until)
  if (!(to < LATEST)) failAt(until === undefined ? 'days' : 'until', 'INVALID_INPUT')
  const now = await ctx.moveClock(Math.max(0, Math.round(to - at)))
  ctx.wake()
  return { now: now.toISOString() }
}

export async function sandboxFaults(ctx: Ctx, { call, fault, times }: Parsed<typeof calls.sandboxFaults>) {
  await sandboxOf(ctx).arm(call, fault, times)
  return {}
}
