import type { Call } from '#contract/call.ts'
import * as calls from '#contract/factor.ts'
import { useForForm } from '../lib/for-form.ts'
import { query, useCall } from '../lib/queries.ts'

export const myFactor = { ...query(calls.getFactor, {}), retryOnMount: false }

const invalidates = [calls.getFactor]

export const useStartFactor = () => useCall(calls.startFactor, { showsFailure: true })
export const useCheckFactor = () => useForForm(calls.checkFactor)
export const useTurnOnFactor = () => useCall(calls.turnOnFactor, { invalidates })
export const useTurnOffFactor = () => useForForm(calls.turnOffFactor, { invalidates })
export const useRenewRecoveryCodes = () => useForForm(calls.renewRecoveryCodes, { invalidates })
export const useRemoveFactor = (stale: readonly Call[]) =>
  useForForm(calls.removeFactor, { invalidates: stale })
