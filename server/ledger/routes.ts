import * as calls from '#contract/ledger.ts'
import { serve } from '../http/serve.ts'
import { listLedger, listReceipts } from './reads.ts'
import { refundCharge } from './writes.ts'

export const ledgerRoutes = serve(calls, { listLedger, refundCharge, listReceipts })
