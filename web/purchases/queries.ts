import { queryOptions, useQuery } from '@tanstack/react-query'
import { lookUpCoupon } from '#contract/coupons.ts'
import { api, type ApiError } from '../lib/api.ts'
import { messageOf } from '../lib/for-form.ts'
import { say, sentence } from '../ui/say.ts'

export type Product = 'consult' | 'membership'

/** A code's discount on a consult or on a membership of either plan. */
export const couponOf = (code: string, product: Product) =>
  queryOptions<Awaited<ReturnType<typeof askCoupon>>, ApiError>({
    queryKey: [lookUpCoupon.path, code, product],
    queryFn: ({ signal }) => askCoupon(code, product, signal),
    enabled: code !== '',
    retry: false,
    staleTime: 300_000,
  })

const askCoupon = async (couponCode: string, product: Product, signal: AbortSignal) =>
  (await api(lookUpCoupon, { couponCode, product }, { signal })).coupon

const NOT_CHECKED = sentence('We couldn’t check the code. Please try again.')

export const couponTrouble = (error: unknown) => say(messageOf(error, say(NOT_CHECKED)))

export function useCoupon(code: string, product: Product) {
  const { data, error, isPending, refetch } = useQuery(couponOf(code, product))
  return {
    coupon: error ? undefined : data,
    /** We are still looking it up, so we can't show a price yet. */
    waits: code !== '' && isPending,
    /** Why the code takes nothing off. */
    wrong: error ? couponTrouble(error) : undefined,
    lookAgain: () => code && refetch(),
  }
}
export type CouponLookup = ReturnType<typeof useCoupon>
