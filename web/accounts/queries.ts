import { useEffect } from 'react'
import * as calls from '#contract/accounts.ts'
import type { Call, Input, Output } from '#contract/call.ts'
import { words } from '#contract/errors.ts'
import { ApiError, failed } from '../lib/api.ts'
import { query, useCall } from '../lib/queries.ts'
import type { Refusal } from '../ui/form.tsx'

export const me = query(calls.me, {})

export const useLogin = () => useForForm(calls.login)
export const useRequestResetCode = () => useForForm(calls.requestResetCode)
export const useResetPassword = () => useForForm(calls.resetPassword)
export const useClaimAccount = () => useForForm(calls.claimAccount)
/** Whoever leaves a shared computer does not wait for a network that hangs. */
export const useLogout = () => useCall(calls.logout, { showsFailure: true, options: { timeout: 5000 } })

/** A call whose failure the form itself shows; where no answer came, that too is something to say. */
function useForForm<C extends Call>(definition: C): (input: Input<C>) => Promise<Output<C>> {
  const { mutateAsync } = useCall(definition, { showsFailure: true })
  return (input) =>
    mutateAsync(input).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      const errors = error.errors.length > 0 ? error.errors : [words('UNEXPECTED')]
      throw { errors, fields: error.fields } satisfies Refusal
    })
}

/** Leaves for /login when the session is ended from elsewhere. The socket comes when the page has settled. */
export function useLeaveWhenSessionEnds() {
  useEffect(() => {
    let stop: (() => void) | undefined
    let left = false
    void import('../lib/live.ts').then(({ on }) => {
      if (!left) stop = on(calls.sessionEnded, () => void failed(new ApiError(401, 'Unauthorized')))
    })
    return () => {
      left = true
      stop?.()
    }
  }, [])
}
