import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Output } from '#contract/call.ts'
import { listLedger, listReceipts, refundCharge } from '#contract/ledger.ts'
import { api } from '../lib/api.ts'
import { useForForm } from '../lib/for-form.ts'
import { query } from '../lib/queries.ts'

/** Receipts open under links that expire, so each visit asks for new ones. */
export const myReceipts = { ...query(listReceipts, {}), retryOnMount: false }

export type Entry = Output<typeof listLedger>['entries'][number]

/** Every movement of money, newest first, page by page. */
export const everyEntry = (q: string) =>
  infiniteQueryOptions({
    queryKey: [listLedger.path, q],
    queryFn: ({ pageParam, signal }) =>
      api(listLedger, { ...(q && { q }), ...(pageParam !== null && { cursor: pageParam }) }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    refetchOnWindowFocus: 'always',
  })

export const useRefund = () => useForForm(refundCharge, { invalidates: [listLedger] })
