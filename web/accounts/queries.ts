import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import * as calls from '#contract/accounts.ts'
import { ApiError, failed } from '../lib/api.ts'
import { useForForm } from '../lib/for-form.ts'
import { isOwnConnection, on } from '../lib/live.ts'
import { leaveForLogin } from '../lib/login-path.ts'
import { useSession } from '../lib/session.ts'
import { currentUser } from '../lib/current-user.ts'
import { useCall } from '../lib/queries.ts'
import { useLastShown } from '../lib/last-shown.ts'

export const useLogin = () => useForForm(calls.login)
export const useRequestResetCode = () => useForForm(calls.requestResetCode)
export const useResetPassword = () => useForForm(calls.resetPassword)
export const useAskForClaimLink = (consultation: number) =>
  useCall(calls.askForClaimLink, { options: { consultation } })
export const useClaimAccount = () => useForForm(calls.claimAccount)
/** Signing out on a shared computer doesn't wait for a slow network. */
export const useLogout = () => useCall(calls.logout, { showsFailure: true, options: { timeout: 5000 } })

/**
 * Who is signed in, and whether to fetch what only owners have. If an owner has been seen since the last sign-in,
 * both are fetched at the same time; staff would be refused.
 */
export function useMe(signedIn: boolean) {
  const user = useQuery({ ...currentUser, enabled: signedIn })
  const shown = useLastShown('user')
  const isOwner = user.data && user.data.type === calls.USER_TYPES.owner
  return {
    user,
    shown,
    isOwner,
    asksAsOwner: signedIn && (isOwner ?? shown?.type === calls.USER_TYPES.owner),
  }
}

/** Goes to /login when the session ends elsewhere. A guest's ends when another tab makes an account of it. */
export function useLeaveWhenSessionEnds(watches = true) {
  useEffect(() => {
    const leave = () => void (isOwnConnection() && failed(new ApiError(401, 'Unauthorized')))
    return watches ? on(calls.sessionEnded, leave) : undefined
  }, [watches])
}

/** Whether somebody is signed in. Anybody else is sent to /login, unless the page handles the end of the session itself. */
export function useSignedIn(leaves = true) {
  const session = useSession()
  useLeaveWhenSessionEnds(leaves)
  useEffect(() => {
    if (leaves && session === 'out') leaveForLogin()
  }, [leaves, session])
  return session === 'in'
}
