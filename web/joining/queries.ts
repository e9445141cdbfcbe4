import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { me } from '#contract/accounts.ts'
import type { Input, Output } from '#contract/call.ts'
import { takeOffer } from '#contract/coupons.ts'
import * as calls from '#contract/joining.ts'
import { myPaymentMethod } from '#contract/payments.ts'
import { listPets } from '#contract/pets.ts'
import { lookUpPolicy } from '#contract/policies.ts'
import { api, type ApiError } from '../lib/api.ts'
import { useCall } from '../lib/queries.ts'

/** The personal coupon of who bought a consult; its own token is tried where the account's does not reach. */
export const useTakeOffer = (consultation: number) =>
  useCall(takeOffer, { showsFailure: true, options: { consultation } })

/** What is sent under a key, so that every try of it is one and the same. */
interface Sent<C extends typeof calls.subscribe | typeof calls.upgrade> {
  key: string
  input: Input<C>
}

/** A bank may take its time. */
const timeout = 60_000
/** The page shows what comes of it itself. */
const meta = { showsFailure: true }

export const useSubscribe = () =>
  useMutation({
    mutationFn: ({ key, input }: Sent<typeof calls.subscribe>) =>
      api(calls.subscribe, input, { idempotencyKey: key, timeout }),
    meta,
  }).mutateAsync

export const useUpgrade = () =>
  useMutation({
    mutationFn: ({ key, input }: Sent<typeof calls.upgrade>) =>
      api(calls.upgrade, input, { idempotencyKey: key, timeout }),
    meta,
  }).mutateAsync

/** What the account shows is old news once it has a membership. */
export function useLookAgain() {
  const client = useQueryClient()
  return () =>
    Promise.all(
      [me, listPets, myPaymentMethod].map(({ path }) => client.invalidateQueries({ queryKey: [path] })),
    )
}

/** What the partner's policy says of its pet. An answer that it is none is not asked for again. */
export const policyOf = (policy: string) =>
  queryOptions<Output<typeof lookUpPolicy>, ApiError>({
    queryKey: [lookUpPolicy.path, policy],
    queryFn: ({ signal }) => api(lookUpPolicy, { policy }, { signal }),
    enabled: policy !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })

export const useSignUp = () => useCall(calls.signUpWithPolicy, { showsFailure: true }).mutateAsync
