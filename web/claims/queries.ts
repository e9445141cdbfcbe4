import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Input } from '#contract/call.ts'
import * as calls from '#contract/claims.ts'
import { api, ApiError } from '../lib/api.ts'
import { query } from '../lib/queries.ts'

/** Asked for when a dialog that shows them is opened, never with the page. */
export const myClaims = { ...query(calls.listClaims, {}), retryOnMount: false }

export type ClaimSent = Input<typeof calls.makeClaim>

interface Sending {
  claim: ClaimSent
  /** An earlier try of the same got no answer: it may have arrived. */
  again: boolean
  signal: AbortSignal
  onProgress: (sent: number) => void
}

/** Sends a claim with its invoice. Answers nothing where it was called off. */
export function useMakeClaim() {
  const client = useQueryClient()
  return useMutation({
    meta: { showsFailure: true },
    mutationFn: async ({ claim, again, signal, onProgress }: Sending) => {
      if (again) {
        const { claims } = await client.fetchQuery({ ...myClaims, staleTime: 0 })
        const arrived = claims.find((one) => isSame(one, claim))
        if (arrived) return arrived
      }
      return api(calls.makeClaim, claim, { signal, onProgress }).catch((error: unknown) => {
        if (signal.aborted && !(error instanceof ApiError)) return undefined
        throw error
      })
    },
    onSuccess: () => client.invalidateQueries({ queryKey: [calls.listClaims.path] }),
  }).mutateAsync
}

const isSame = ({ pet, incident, happened_on, amount }: calls.Claim, sent: ClaimSent) =>
  pet.id === Number(sent.pet_id) &&
  incident === sent.incident &&
  happened_on === sent.happened_on &&
  amount === Number(sent.amount)
