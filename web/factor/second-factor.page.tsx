import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { ApiError } from '../lib/api.ts'
import { leaveForLogin } from '../lib/login-path.ts'
import { safePath } from '../lib/safe-path.ts'
import { pageMeta } from '../lib/meta.ts'
import { useSession } from '../lib/session.ts'
import { Card } from '../ui/card.tsx'
import { Link } from '../ui/link.tsx'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { FactorSteps, TurnOn, useSetUp } from './factor-steps.tsx'
import { myFactor } from './queries.ts'

export const meta = () => pageMeta('Second factor', 'Set up the second factor for your VetChat account.')

/** For staff who must have a second factor but have none. Nothing else opens until it is on. */
export default function SecondFactor() {
  const session = useSession()
  const [search] = useSearchParams()
  const { data: factor, error, refetch } = useQuery({ ...myFactor, enabled: session === 'in' })
  const isDone = factor?.on_since !== undefined && factor.on_since !== null
  const isOwner = error instanceof ApiError && error.status === 403

  useEffect(() => {
    if (session === 'out') leaveForLogin()
    if (session === 'in' && (isDone || isOwner))
      location.replace(safePath(search.get('from')) ?? '/myaccount')
  }, [session, isDone, isOwner, search])

  return (
    <div className="wrap stack max-w-[1000px] gap-6 pt-8 pb-16 lg:pt-12 lg:pb-24">
      <div className="stack gap-2">
        <h1 className="t36">Set up your second factor</h1>
        <p className="text-ink-soft">
          VetChat’s staff sign in with a password and a code from their phone, so that a stolen password isn’t
          enough to open a pet’s records. It takes two minutes, once.
        </p>
      </div>
      {factor && !isDone ? (
        <SetUp />
      ) : (
        <RowsLoading of={{ isError: error !== null && !isOwner, refetch }} what="this page" rows={4} />
      )}
      <p className="text-ink-soft">
        You need an authenticator app, such as Aegis, Google Authenticator or the one in your password
        manager. Not now? <Link href="/logout">Sign out</Link>.
      </p>
    </div>
  )
}

function SetUp() {
  const setUp = useSetUp(() => {})
  return (
    <Card className="stack gap-6">
      <FactorSteps setUp={setUp} />
      <div className="flex justify-end border-t border-line pt-4">
        <TurnOn setUp={setUp} />
      </div>
    </Card>
  )
}
