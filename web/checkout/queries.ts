import { queryOptions, useMutation } from '@tanstack/react-query'
import { me } from '#contract/accounts.ts'
import * as calls from '#contract/checkout.ts'
import type { Input } from '#contract/call.ts'
import { lookUpCoupon } from '#contract/coupons.ts'
import { lineStatus } from '#contract/queue.ts'
import type { Plan } from '#contract/memberships.ts'
import { api, type ApiError } from '../lib/api.ts'
import { query } from '../lib/queries.ts'

export const account = query(me, {})

/** Looked at again while the page stands: a vet may come on duty, or go. */
export const lineNow = {
  ...query(lineStatus, {}),
  refetchInterval: 30_000,
  refetchOnWindowFocus: 'always' as const,
}

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

interface Paying {
  key: string
  input: Input<typeof calls.pay>
}

/** The page shows what comes of both itself. */
const meta = { showsFailure: true }

export const usePay = () =>
  useMutation({
    mutationFn: ({ key, input }: Paying) => api(calls.pay, input, { idempotencyKey: key, timeout }),
    meta,
  }).mutateAsync

export const useBegin = () =>
  useMutation({
    mutationFn: (input: Input<typeof calls.newUserConsultation>) => api(calls.newUserConsultation, input),
    meta,
  }).mutateAsync
