import { infiniteQueryOptions } from '@tanstack/react-query'
import * as calls from '#contract/coupons.ts'
import { api } from '../lib/api.ts'
import { useForForm } from '../lib/for-form.ts'

/** The size of a full page. */
const PAGE = 100

/** Newest first, a hundred a page. The next page starts after the last id. */
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
