import type { Parsed } from '#contract/call.ts'
import type * as calls from '#contract/analytics.ts'
import type { Ctx } from '../context.ts'
import { handOn } from '../providers/analytics.ts'

/** The visitor's address and browser aren't passed on. */
export function tellAnalytics(
  { env, region, log, now }: Ctx<'anyone'>,
  count: Parsed<typeof calls.tellAnalytics>,
) {
  if (env.analyticsUrl)
    handOn(env.analyticsUrl, { ...count, region, at: now().toISOString() }).catch((error: Error) =>
      log.warn({ event: 'count lost', reason: error.name }),
    )
  return {}
}
