import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import * as calls from '#contract/accounts.ts'
import { ApiError, failed } from '../lib/api.ts'
import { useForForm } from '../lib/for-form.ts'
import { on } from '../lib/live.ts'
import { query, useCall } from '../lib/queries.ts'
import { choices, choose, markAdmin } from '../lib/session.ts'

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

/**
 * Who is signed in, and whether what owners alone have may be asked for. Where an owner was seen since the last sign-in
 * it is asked for side by side; staff would be refused.
 */
export function useMe(signedIn: boolean) {
  const user = useQuery({ ...me, enabled: signedIn })
  const isOwner = user.data && user.data.type === calls.USER_TYPES.owner
  useAdminMark(user.data)
  useEffect(() => {
    if (isOwner !== undefined && choices()['staff'] !== !isOwner) choose({ staff: !isOwner })
  }, [isOwner])
  return { user, isOwner, asksAsOwner: signedIn && (isOwner ?? choices()['staff'] === false) }
}

/** Leaves for /login when the session is ended from elsewhere. */
export function useLeaveWhenSessionEnds(watches = true) {
  useEffect(
    () =>
      watches ? on(calls.sessionEnded, () => void failed(new ApiError(401, 'Unauthorized'))) : undefined,
    [watches],
  )
}
