import * as calls from '#contract/analytics.ts'
import { serve } from '../http/serve.ts'
import * as writes from './writes.ts'

export const analyticsRoutes = serve(calls, writes)
