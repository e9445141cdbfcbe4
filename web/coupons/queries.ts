import { infiniteQueryOptions } from '@tanstack/react-query'
import * as calls from '#contract/coupons.ts'
import { api } from '../lib/api.ts'
import { useForForm } from '../lib/for-form.ts'

/** As many as one answer holds when there are more. */
const PAGE = 100

/** Newest first, by the hundred: the next ones follow the id of the last. */
export const everyCoupon = infiniteQueryOptions({
  queryKey: [calls.listCoupons.path, 'pages'],
  queryFn: ({ pageParam, signal }) =>
    api(calls.listCoupons, { ...(pageParam !== undefined && { cursor: pageParam }) }, { signal }),
  initialPageParam: undefined as number | undefined,
  getNextPageParam: (coupons) => (coupons.length === PAGE ? coupons.at(-1)!.id : undefined),
  refetchOnWindowFocus: 'always',
})

const CHANGED = { invalidates: [calls.listCoupons] }

export const useSaveCoupon = () => useForForm(calls.saveCoupon, CHANGED)
export const useRemoveCoupon = () => useForForm(calls.deleteCoupon, CHANGED)
