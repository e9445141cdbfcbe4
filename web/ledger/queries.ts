import type { Output } from '#contract/call.ts'
import {
  type LastRefund,
  listDisputes,
  listFailedRefunds,
  listLedger,
  listReceipts,
  payRefundByHand,
  refundCharge,
} from '#contract/ledger.ts'
import { finishPurchase, listUnfinished } from '#contract/purchases.ts'
import { openPerson } from '#contract/people.ts'
import { useForForm } from '../lib/for-form.ts'
import { pages } from '../lib/paged-list.ts'
import { query, useCall } from '../lib/queries.ts'

/** Receipts open under links that expire, so each visit asks for new ones. */
export const myReceipts = { ...query(listReceipts, {}), retryOnMount: false }

/** With their token, guests can read the receipts of their own consult. */
export const receiptsOf = (consultation: number) => query(listReceipts, {}, { consultation })

export type Entry = Output<typeof listLedger>['entries'][number]

/** Every movement of money, newest first. */
export const everyEntry = (q: string) => pages(listLedger, q ? { q } : {})

export type Dispute = Output<typeof listDisputes>['disputes'][number]
export const everyDispute = pages(listDisputes, {})

export type FailedRefund = Output<typeof listFailedRefunds>['refunds'][number]

export const everyFailedRefund = pages(listFailedRefunds, {})
export const everyUnfinished = pages(listUnfinished, {})

const MONEY = { invalidates: [listLedger, listFailedRefunds, openPerson] }

/** A charge that somebody has refunded, in full or in part, since it was listed. */
export type RefundedMeanwhile = Entry & { last: LastRefund | null }

export const useRefund = (onChanged: (current: RefundedMeanwhile) => void) =>
  useForForm(refundCharge, {
    ...MONEY,
    onChangedMeanwhile: (current) => onChanged(current as RefundedMeanwhile),
  })
export const usePaidByHand = () => useForForm(payRefundByHand, MONEY)
export const useFinish = () => useCall(finishPurchase, { invalidates: [listUnfinished] })
