import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { me } from '#contract/accounts.ts'
import type { Call, Input, Output } from '#contract/call.ts'
import { lookUpCoupon } from '#contract/coupons.ts'
import type { Plan } from '#contract/memberships.ts'
import { api, type ApiError } from '../lib/api.ts'
import { query } from '../lib/queries.ts'
import type { InHand } from './in-hand.ts'

export const account = query(me, {})

/** What a code takes off a consult, or off a plan. */
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

/** A bank may take its time. */
const timeout = 60_000

/** A call that takes money. The page shows itself what comes of it. */
export function usePaying<C extends Call>(definition: C, invalidates: readonly Call[] = []) {
  const client = useQueryClient()
  return useMutation<Output<C>, Error, Omit<InHand<Input<C>>, 'at'>>({
    mutationFn: ({ key, input }) => api(definition, input, { idempotencyKey: key, timeout }),
    meta: { showsFailure: true },
    onSuccess: () =>
      Promise.all(invalidates.map(({ path }) => client.invalidateQueries({ queryKey: [path] }))),
  }).mutateAsync
}
