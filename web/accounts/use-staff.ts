import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { USER_TYPES } from '#contract/accounts.ts'
import { leaveForLogin } from '../lib/login-path.ts'
import { useSession } from '../lib/session.ts'
import { currentUser } from '../lib/current-user.ts'
import { useLeaveWhenSessionEnds } from './queries.ts'

/** The vet or admin who is signed in. Sends visitors to /login, and owners to their own account. */
export function useStaff() {
  const session = useSession()
  useLeaveWhenSessionEnds()
  const { data: user, isError, refetch } = useQuery({ ...currentUser, enabled: session === 'in' })
  const isOwner = user?.type === USER_TYPES.owner

  useEffect(() => {
    if (session === 'out') leaveForLogin()
    if (isOwner) location.replace('/myaccount')
  }, [session, isOwner])

  return { staff: isOwner ? undefined : user, isError, refetch }
}
