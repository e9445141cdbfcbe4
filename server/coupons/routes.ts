import * as calls from '#contract/coupons.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const couponRoutes = serve(calls, { ...reads, ...writes })
