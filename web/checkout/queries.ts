import { useMutation } from '@tanstack/react-query'
import * as calls from '#contract/checkout.ts'
import type { Input } from '#contract/call.ts'
import { lineStatus } from '#contract/queue.ts'
import { api } from '../lib/api.ts'
import { query } from '../lib/queries.ts'

/** Looked at again while the page stands: a vet may come on duty, or go. */
export const lineNow = {
  ...query(lineStatus, {}),
  refetchInterval: 30_000,
  refetchOnWindowFocus: 'always' as const,
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
