import * as calls from '#contract/ledger.ts'
import { serve } from '../http/serve.ts'
import { listReceipts } from './reads.ts'
import { listDisputes, listFailedRefunds, listLedger } from './search-reads.ts'
import { payRefundByHand, refundCharge } from './writes.ts'

export const ledgerRoutes = serve(calls, {
  listLedger,
  refundCharge,
  listFailedRefunds,
  payRefundByHand,
  listDisputes,
  listReceipts,
})
