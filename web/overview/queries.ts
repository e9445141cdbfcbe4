import * as calls from '#contract/overview.ts'
import type { Output } from '#contract/call.ts'
import { MINUTE } from '#contract/time.ts'
import { query } from '../lib/queries.ts'

const REFRESH_MS = MINUTE

export type Overview = Output<typeof calls.getOverview>

export const overview = (days: calls.Range) => ({
  ...query(calls.getOverview, { days }),
  refetchInterval: REFRESH_MS,
  refetchOnWindowFocus: 'always' as const,
})
