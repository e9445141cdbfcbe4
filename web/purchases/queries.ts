import { queryOptions } from '@tanstack/react-query'
import { me } from '#contract/accounts.ts'
import { lookUpCoupon } from '#contract/coupons.ts'
import { api, type ApiError } from '../lib/api.ts'
import { query } from '../lib/queries.ts'

export const account = query(me, {})

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
