import * as calls from '#contract/checkout.ts'
import { useCall, usePaying } from '../lib/queries.ts'
import { signedIn, singleToken } from '../lib/session.ts'

/** A guest's token shows that the open consult is the buyer's own, so the same one isn't sold again. */
const asGuest = () => {
  const token = signedIn() ? undefined : singleToken()
  return token ? { token } : {}
}

export const usePayForConsult = () => usePaying(calls.payForConsult, [], asGuest)

export const useBegin = () => useCall(calls.newUserConsultation, { showsFailure: true }).mutateAsync
