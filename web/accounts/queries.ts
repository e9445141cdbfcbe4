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
export const useAskForClaimLink = () => useCall(calls.askForClaimLink)
export const useClaimAccount = () => useForForm(calls.claimAccount)
/** Signing out on a shared computer doesn't wait for a slow network. */
export const useLogout = () => useCall(calls.logout, { showsFailure: true, options: { timeout: 5000 } })

/** Shows Admin Manager in the header once we know that an admin is signed in. */
export function useAdminMark(user: calls.User | undefined) {
  useEffect(() => {
    if (user) markAdmin(user.type === calls.USER_TYPES.admin)
  }, [user])
}

/**
 * Who is signed in, and whether to fetch what only owners have. If an owner has been seen since the last sign-in,
 * both are fetched at the same time; staff would be refused.
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

/** Goes to /login when the session is ended from elsewhere. */
export function useLeaveWhenSessionEnds(watches = true) {
  useEffect(
    () =>
      watches ? on(calls.sessionEnded, () => void failed(new ApiError(401, 'Unauthorized'))) : undefined,
    [watches],
  )
}
