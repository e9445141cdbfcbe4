import { useEffect } from 'react'
import * as calls from '#contract/accounts.ts'
import { ApiError, failed } from '../lib/api.ts'
import { useForForm } from '../lib/for-form.ts'
import { query, useCall } from '../lib/queries.ts'
import { markAdmin } from '../lib/session.ts'

export const me = query(calls.me, {})

export const useLogin = () => useForForm(calls.login)
export const useRequestResetCode = () => useForForm(calls.requestResetCode)
export const useResetPassword = () => useForForm(calls.resetPassword)
export const useClaimAccount = () => useForForm(calls.claimAccount)
/** Whoever leaves a shared computer does not wait for a network that hangs. */
export const useLogout = () => useCall(calls.logout, { showsFailure: true, options: { timeout: 5000 } })

/** Who is signed in is known now: the header says Admin Manager to admins. */
export function useAdminMark(user: calls.User | undefined) {
  useEffect(() => {
    if (user) markAdmin(user.type === calls.USER_TYPES.admin)
  }, [user])
}

/** Leaves for /login when the session is ended from elsewhere. The socket comes when the page has settled. */
export function useLeaveWhenSessionEnds(watches = true) {
  useEffect(() => {
    if (!watches) return
    let stop: (() => void) | undefined
    let left = false
    void import('../lib/live.ts').then(({ on }) => {
      if (!left) stop = on(calls.sessionEnded, () => void failed(new ApiError(401, 'Unauthorized')))
    })
    return () => {
      left = true
      stop?.()
    }
  }, [watches])
}
