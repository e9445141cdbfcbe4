import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { Input } from '#contract/call.ts'
import type { Coupon } from '#contract/coupons.ts'
import * as calls from '#contract/coupons.ts'
import { api } from '../lib/api.ts'
import { useForForm } from '../lib/for-form.ts'

const PAGE = 100

export type Wanted = Omit<Input<typeof calls.listCoupons>, 'cursor'>

/** A hundred per page. The next page starts after the last id. */
export const everyCoupon = (wanted: Wanted) =>
  infiniteQueryOptions({
    queryKey: [calls.listCoupons.path, wanted],
    queryFn: ({ pageParam, signal }) => api(calls.listCoupons, { ...wanted, cursor: pageParam }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (coupons) => (coupons.length === PAGE ? coupons.at(-1)!.id : undefined),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: 'always',
  })

const CHANGED = { invalidates: [calls.listCoupons] }

export const useSaveCoupon = (onChanged: (current: Coupon) => void) =>
  useForForm(calls.saveCoupon, {
    ...CHANGED,
    onChangedMeanwhile: (current) => onChanged(current as Coupon),
  })
export const useRemoveCoupon = () => useForForm(calls.deleteCoupon, CHANGED)
