import * as calls from '#contract/purchases.ts'
import { serve } from '../http/serve.ts'
import { listUnfinished } from './reads.ts'
import { finishPurchase } from './writes.ts'

export const purchaseRoutes = serve(calls, { listUnfinished, finishPurchase })
