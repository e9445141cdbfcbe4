import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { USER_TYPES } from '#contract/accounts.ts'
import { currentUser } from '../lib/current-user.ts'
import { useSignedIn } from './queries.ts'

/** The vet or admin who is signed in. Sends visitors to /login, and owners to their own account. */
export function useStaff() {
  const { data: user, isError, refetch } = useQuery({ ...currentUser, enabled: useSignedIn() })
  const isOwner = user?.type === USER_TYPES.owner

  useEffect(() => {
    if (isOwner) location.replace('/myaccount')
  }, [isOwner])

  return { staff: isOwner ? undefined : user, isError, refetch }
}
