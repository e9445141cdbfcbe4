import * as calls from '#contract/checkout.ts'
import { serve } from '../http/serve.ts'
import * as writes from './writes.ts'

export const checkoutRoutes = serve(calls, writes)
