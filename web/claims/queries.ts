import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Input } from '#contract/call.ts'
import * as calls from '#contract/claims.ts'
import { api, ApiError } from '../lib/api.ts'
import { query } from '../lib/queries.ts'

/** Asked for when a dialog that shows them is opened, never with the page. */
export const myClaims = { ...query(calls.listClaims, {}), retryOnMount: false }

type ClaimSent = Input<typeof calls.makeClaim>

interface Sending {
  claim: ClaimSent
  signal: AbortSignal
  onProgress: (sent: number) => void
}

/** Sends a claim with its invoice; the same one sent again counts once. Answers nothing where it was called off. */
export function useMakeClaim() {
  const client = useQueryClient()
  return useMutation({
    meta: { showsFailure: true },
    mutationFn: ({ claim, signal, onProgress }: Sending) =>
      api(calls.makeClaim, claim, { signal, onProgress }).catch((error: unknown) => {
        if (signal.aborted && !(error instanceof ApiError)) return undefined
        throw error
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: [calls.listClaims.path] }),
  }).mutateAsync
}
