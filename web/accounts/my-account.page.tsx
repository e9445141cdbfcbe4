import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { loginPath } from '../lib/from.ts'
import { pageMeta } from '../lib/meta.ts'
import { useSession } from '../lib/session.ts'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Failed } from '../ui/empty.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { me, useLeaveWhenSessionEnds } from './queries.ts'

export const meta = () => pageMeta('My account', 'Your pets, consultations and membership.')

export default function MyAccount() {
  const session = useSession()
  useLeaveWhenSessionEnds()
  const user = useQuery({ ...me, enabled: session === 'in' })
  useEffect(() => {
    if (session === 'out') location.replace(loginPath('/myaccount'))
  }, [session])

  return (
    <div className="wrap stack gap-8 pt-8 pb-16 lg:pt-12 lg:pb-24">
      <h1 className="t36">{user.data ? `${user.data.firstName} ${user.data.lastName}` : 'My account'}</h1>
      {user.isError ? (
        <Failed what="your account" onRetry={() => void user.refetch()} />
      ) : (
        <Card className="stack max-w-narrow gap-5" aria-busy={!user.data || undefined}>
          <div className="stack gap-1">
            <h2 className="t18">Signed in as</h2>
            {user.data ? (
              <p className="text-ink-soft">{user.data.email}</p>
            ) : (
              <Skeleton className="my-1 h-4 w-56 max-w-full" />
            )}
          </div>
          <div>
            <LinkButton href="/logout">Logout</LinkButton>
          </div>
        </Card>
      )}
    </div>
  )
}
