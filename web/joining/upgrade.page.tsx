import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useEffectEvent } from 'react'
import { useLocation } from 'react-router'
import { isActive } from '#contract/memberships.ts'
import { loginPath } from '../lib/from.ts'
import { pageMeta } from '../lib/meta.ts'
import { useSession } from '../lib/session.ts'
import { Failed } from '../ui/empty.tsx'
import { say } from '../ui/say.ts'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { AlreadyMember } from './notices.tsx'
import { account } from './queries.ts'

const Joining = lazy(() => import('./joining-form.tsx').then((loaded) => ({ default: loaded.Joining })))

export const meta = () =>
  pageMeta(say('Become a member'), say('A membership for your account and the pets in it.'))

const goTo = (path: string) => location.assign(path)

const Loading = () => <SkeletonRows label={say('Loading the form')} rows={6} />

/** A membership for who has an account and none. */
export default function Upgrade({ leave = goTo }: { leave?: (path: string) => void }) {
  const session = useSession()
  const { pathname, search } = useLocation()
  const { data: user, isError, refetch } = useQuery({ ...account, enabled: session === 'in' })
  const toLogin = useEffectEvent(() => leave(loginPath(pathname + search)))
  useEffect(() => {
    if (session === 'out') toLogin()
  }, [session])
  const isMember = user?.subscriptions.some((one) => isActive(one, new Date()))

  return (
    <>
      <div className="wrap stack gap-8 pt-6 max-lg:max-w-[632px] lg:pt-12">
        <div className="stack max-w-[592px] gap-3">
          <h1 className="t36">{say('Become a member')}</h1>
          <p className="lead">
            {say('Ask a vet as often as you need, for up to five pets.')}
            {user && ` ${say('It goes to your account, {email}.', { email: user.email })}`}
          </p>
        </div>
        {isMember && <AlreadyMember />}
        {!user &&
          (isError ? <Failed what={say('your account')} onRetry={() => void refetch()} /> : <Loading />)}
      </div>
      {user && !isMember ? (
        <Suspense
          fallback={
            <div className="wrap">
              <Loading />
            </div>
          }
        >
          <Joining user={user} leave={leave} />
        </Suspense>
      ) : (
        <div className="pb-16" />
      )}
    </>
  )
}
