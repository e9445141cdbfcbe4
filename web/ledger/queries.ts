import { listReceipts } from '#contract/ledger.ts'
import { query } from '../lib/queries.ts'

/** Receipts open under links that expire, so each visit asks for new ones. */
export const myReceipts = { ...query(listReceipts, {}), retryOnMount: false }
