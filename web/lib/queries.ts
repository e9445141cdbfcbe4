import {
  type QueryClient,
  type QueryKey,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useRef } from 'react'
import type { Call, Input, Output } from '#contract/call.ts'
import { api, ApiError, type CallOptions, isSilence } from './api.ts'

/** The query for a call that reads. Its key is the call's path and input. */
export function query<C extends Call>(definition: C, input: Input<C>, options: CallOptions = {}) {
  return queryOptions({
    queryKey: [definition.path, input] as const satisfies QueryKey,
    queryFn: ({ signal }) => api(definition, input, { ...options, signal }),
  })
}

export interface Change {
  /** The calls whose responses are stale afterwards. */
  invalidates?: readonly Call[]
  /** The page shows the failure itself, beside a field or in a dialog; the alert bar stays silent. */
  showsFailure?: true
  options?: CallOptions
  /** Changes in one scope run one after the other. */
  scope?: string
}

const NO_PRESS = { sent: '', key: '' }

/**
 * The mutation for a call that changes something. An idempotent call sends the same input with the same key until it
 * gets a response, so that pressing again after a lost response doesn't repeat anything.
 */
export function useCall<C extends Call>(definition: C, change: Change = {}) {
  const client = useQueryClient()
  const press = useRef(NO_PRESS)
  function keyOf(input: Input<C>) {
    const sent = JSON.stringify(input)
    if (press.current.sent !== sent) press.current = { sent, key: crypto.randomUUID() }
    return press.current.key
  }
  return useMutation<Output<C>, Error, Input<C>>({
    mutationFn: async (input) => {
      const key = definition.idempotent && { idempotencyKey: keyOf(input) }
      try {
        const answer = await api(definition, input, { ...key, ...change.options })
        press.current = NO_PRESS
        return answer
      } catch (error) {
        // The server may have carried it out, or somebody else was faster, and then the page is out of date.
        const { status } = error instanceof ApiError ? error : { status: 0 }
        if (isSilence(error) || status === 404 || status === 409)
          void lookAgain(client, change.invalidates ?? [])
        // After "too many tries", an earlier call that got no answer may still have been carried out.
        if (!isSilence(error) && status !== 429) press.current = NO_PRESS
        throw error
      }
    },
    meta: { showsFailure: change.showsFailure },
    scope: change.scope === undefined ? undefined : { id: change.scope },
    onSuccess: () => lookAgain(client, change.invalidates ?? []),
  })
}

/** Banks can be slow. */
const BANK_MS = 60_000

/** A call that takes money, with a key that its page stores, even over a reload. The page shows the result. */
export function usePaying<C extends Call>(
  definition: C,
  invalidates: readonly Call[] = [],
  /** Options that are only known when the button is pressed. */
  now: () => CallOptions = () => ({}),
) {
  const client = useQueryClient()
  return useMutation<Output<C>, Error, { key: string; input: Input<C> }>({
    mutationFn: ({ key, input }) =>
      api(definition, input, { ...now(), idempotencyKey: key, timeout: BANK_MS }),
    meta: { showsFailure: true },
    onSuccess: () => lookAgain(client, invalidates),
  }).mutateAsync
}

const lookAgain = (client: QueryClient, calls: readonly Call[]) =>
  Promise.all(calls.map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
