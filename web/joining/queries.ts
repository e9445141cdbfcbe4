import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { me } from '#contract/accounts.ts'
import type { Output } from '#contract/call.ts'
import { takeOffer } from '#contract/coupons.ts'
import * as calls from '#contract/joining.ts'
import { myPaymentMethod } from '#contract/payments.ts'
import { listPets } from '#contract/pets.ts'
import { lookUpPolicy } from '#contract/policies.ts'
import { api, type ApiError } from '../lib/api.ts'
import { useCall, usePaying } from '../lib/queries.ts'

/** The personal coupon of a consult's buyer. Tries the guest's token if the account's is refused. */
export const useTakeOffer = (consultation: number) =>
  useCall(takeOffer, { showsFailure: true, options: { consultation } })

export const useSubscribe = () => usePaying(calls.subscribe)
export const useUpgrade = () => usePaying(calls.upgrade)

/** Refetches the account, which now has a membership. */
export function useLookAgain() {
  const client = useQueryClient()
  return () =>
    Promise.all(
      [me, listPets, myPaymentMethod].map(({ path }) => client.invalidateQueries({ queryKey: [path] })),
    )
}

/** The pet on the partner's policy. "No such policy" is final, so we don't ask again. */
export const policyOf = (policy: string) =>
  queryOptions<Output<typeof lookUpPolicy>, ApiError>({
    queryKey: [lookUpPolicy.path, policy],
    queryFn: ({ signal }) => api(lookUpPolicy, { policy }, { signal }),
    enabled: policy !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })

export const useSignUp = () => useCall(calls.signUpWithPolicy, { showsFailure: true }).mutateAsync
