import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Output } from '#contract/call.ts'
import {
  listFailedRefunds,
  listLedger,
  listReceipts,
  payRefundByHand,
  refundCharge,
} from '#contract/ledger.ts'
import { finishPurchase, listUnfinished } from '#contract/purchases.ts'
import { openPerson } from '#contract/people.ts'
import { api } from '../lib/api.ts'
import { useForForm } from '../lib/for-form.ts'
import { query, useCall } from '../lib/queries.ts'

/** Receipts open under links that expire, so each visit asks for new ones. */
export const myReceipts = { ...query(listReceipts, {}), retryOnMount: false }

export type Entry = Output<typeof listLedger>['entries'][number]

/** Every movement of money, newest first, page by page. */
export const everyEntry = (q: string, about?: 'disputes') =>
  infiniteQueryOptions({
    queryKey: [listLedger.path, q, about],
    queryFn: ({ pageParam, signal }) =>
      api(
        listLedger,
        { ...(q && { q }), ...(about && { about }), ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    refetchOnWindowFocus: 'always',
  })

export type FailedRefund = Output<typeof listFailedRefunds>['refunds'][number]

export const everyFailedRefund = infiniteQueryOptions({
  queryKey: [listFailedRefunds.path],
  queryFn: ({ pageParam, signal }) =>
    api(listFailedRefunds, { ...(pageParam !== null && { cursor: pageParam }) }, { signal }),
  initialPageParam: null as number | null,
  getNextPageParam: ({ next }) => next,
  refetchOnWindowFocus: 'always',
})

export const everyUnfinished = infiniteQueryOptions({
  queryKey: [listUnfinished.path],
  queryFn: ({ pageParam, signal }) =>
    api(listUnfinished, { ...(pageParam !== null && { cursor: pageParam }) }, { signal }),
  initialPageParam: null as number | null,
  getNextPageParam: ({ next }) => next,
  refetchOnWindowFocus: 'always',
})

const MONEY = { invalidates: [listLedger, listFailedRefunds, openPerson] }

export const useRefund = () => useForForm(refundCharge, MONEY)
export const usePaidByHand = () => useForForm(payRefundByHand, MONEY)
export const useFinish = () => useCall(finishPurchase, { invalidates: [listUnfinished] })
