import { queryOptions } from '@tanstack/react-query'
import { me } from '#contract/accounts.ts'
import { lookUpCoupon } from '#contract/coupons.ts'
import type { Plan } from '#contract/memberships.ts'
import { api, type ApiError } from '../lib/api.ts'
import { query } from '../lib/queries.ts'

export const account = query(me, {})

/** A code's discount on a consult or a plan. */
export const couponOf = (code: string, plan?: Plan) =>
  queryOptions<Awaited<ReturnType<typeof askCoupon>>, ApiError>({
    queryKey: [lookUpCoupon.path, code, plan],
    queryFn: ({ signal }) => askCoupon(code, plan, signal),
    enabled: code !== '',
    retry: false,
    staleTime: 300_000,
  })

async function askCoupon(couponCode: string, plan: Plan | undefined, signal: AbortSignal) {
  const product = plan ? { product: 'membership' as const, plan } : { product: 'consult' as const }
  return (await api(lookUpCoupon, { couponCode, ...product }, { signal })).coupon
}
