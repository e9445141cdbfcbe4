import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { USER_TYPES } from '#contract/accounts.ts'
import { me, useLeaveWhenSessionEnds } from '../accounts/queries.ts'
import { leaveForLogin } from '../lib/from.ts'
import { pageMeta } from '../lib/meta.ts'
import { useSession } from '../lib/session.ts'
import { Failed } from '../ui/empty.tsx'
import { ViewHead, ViewSkeleton } from '../ui/view-frame.tsx'
import { Roster } from './roster.tsx'

export const meta = () => pageMeta('Duty roster', 'Who works when.')

/** For staff. Owners have no roster. */
export default function RosterPage() {
  const session = useSession()
  useLeaveWhenSessionEnds()
  const { data: user, isError, refetch } = useQuery({ ...me, enabled: session === 'in' })
  const isOwner = user?.type === USER_TYPES.owner

  useEffect(() => {
    if (session === 'out') leaveForLogin()
    if (isOwner) location.replace('/myaccount')
  }, [session, isOwner])

  return (
    <div className="wrap stack gap-5 pt-6 pb-16">
      {user && !isOwner ? (
        <Roster />
      ) : (
        <>
          <ViewHead title="Duty roster" />
          {isError ? (
            <Failed what="your account" onRetry={() => void refetch()} />
          ) : (
            <ViewSkeleton label="Loading the roster" />
          )}
        </>
      )}
    </div>
  )
}
