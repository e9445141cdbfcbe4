import * as calls from '#contract/payments.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const paymentRoutes = serve(calls, { ...reads, ...writes })
