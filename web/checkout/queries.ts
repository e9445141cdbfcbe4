import * as calls from '#contract/checkout.ts'
import { useCall, usePaying } from '../lib/queries.ts'

export const usePayForConsult = () => usePaying(calls.payForConsult)

export const useBegin = () => useCall(calls.newUserConsultation, { showsFailure: true }).mutateAsync
