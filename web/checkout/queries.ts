import * as calls from '#contract/checkout.ts'
import { queueStatus } from '#contract/queue.ts'
import { query, useCall, usePaying } from '../lib/queries.ts'

/** Refreshed while the page is open, because vets go on and off duty. */
export const queueNow = {
  ...query(queueStatus, {}),
  refetchInterval: 30_000,
  refetchOnWindowFocus: 'always' as const,
}

export const usePayForConsult = () => usePaying(calls.payForConsult)

export const useBegin = () => useCall(calls.newUserConsultation, { showsFailure: true }).mutateAsync
