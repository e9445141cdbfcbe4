import * as calls from '#contract/purchases.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const purchaseRoutes = serve(calls, { ...reads, ...writes })
