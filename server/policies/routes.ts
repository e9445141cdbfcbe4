import * as calls from '#contract/policies.ts'
import { serve } from '../http/serve.ts'
import * as writes from './writes.ts'

export const policyRoutes = serve(calls, writes)
