import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Input } from '#contract/call.ts'
import * as calls from '#contract/claims.ts'
import { api, ApiError } from '../lib/api.ts'
import { query } from '../lib/queries.ts'

/** Fetched when a dialog that shows them opens, never with the page. */
export const myClaims = { ...query(calls.listClaims, {}), retryOnMount: false }

type ClaimSent = Input<typeof calls.makeClaim>

interface Sending {
  claim: ClaimSent
  signal: AbortSignal
  onProgress: (sent: number) => void
}

/** Sends a claim with its invoice. A repeated send counts once. Resolves to undefined if it was cancelled. */
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
