import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/logs.ts'
import type { Handler } from '../http/serve.ts'
import { transaction, type Ctx } from '../context.ts'
import { record } from '../identity/audit.ts'
import { tryTake } from '../identity/limits.ts'
import { resend } from '../mail/outbox.ts'
import { decideFeedRun } from '../policies/feed-writes.ts'
import { feedRun } from './reads.ts'

type AdminCtx = Ctx<readonly ['admin']>

/** Allows one a minute. Inside a transaction that fails, it isn't counted. */
export async function refuseToResendTooSoon(ctx: Pick<AdminCtx, 'db' | 'now'>, what: string) {
  const wait = await tryTake(ctx, 'resendMail', what)
  if (wait > 0) fail('MAIL_JUST_RESENT', { retryAfter: Math.ceil(wait) })
}

export const resendMail: Handler<typeof calls.resendMail> = (ctx, { id }) =>
  transaction(ctx, async (ctx) => {
    await resend(ctx, id)
    await refuseToResendTooSoon(ctx, String(id))
    await record(ctx, ctx.actor.userId, 'sent a mail again', ['mail', id])
    return {}
  })

export const decideFeed: Handler<typeof calls.decideFeed> = (ctx, { id, let_through }) =>
  transaction(ctx, async (ctx) => {
    const file = await decideFeedRun(ctx, id, let_through)
    await record(
      ctx,
      ctx.actor.userId,
      let_through ? 'let a file of the insurer through' : 'dropped a file of the insurer',
      ['feed', id],
      { details: { file } },
    )
    return feedRun(ctx, id)
  })
