import type * as calls from '#contract/analytics.ts'
import type { Handler } from '../http/serve.ts'
import { handOn } from '../providers/analytics.ts'

/** The visitor's address and browser aren't passed on. */
export const tellAnalytics: Handler<typeof calls.tellAnalytics> = ({ env, region, log, now }, count) => {
  if (env.analyticsUrl)
    handOn(env.analyticsUrl, { ...count, region, at: now().toISOString() }).catch((error: Error) =>
      log.warn({ event: 'count lost', reason: error.name }),
    )
  return {}
}
