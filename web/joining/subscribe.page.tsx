import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { isActive } from '#contract/memberships.ts'
import { loginPath } from '../lib/from.ts'
import { pageMeta } from '../lib/meta.ts'
import { useSession } from '../lib/session.ts'
import { LinkButton } from '../ui/button.tsx'
import { Failed } from '../ui/empty.tsx'
import { Link } from '../ui/link.tsx'
import { say } from '../ui/say.ts'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { AlreadyMember, Instead } from './notices.tsx'
import { useOffer } from './offer.tsx'
import { account } from './queries.ts'

/** The form stands in the page from the start; what moves it weighs, so it comes behind the words. */
const Joining = lazy(() => import('./joining-form.tsx').then((loaded) => ({ default: loaded.Joining })))

export const meta = () =>
  pageMeta(say('Join VetChat'), say('A vet for up to five pets, by the year or by the month.'))

const Loading = () => <SkeletonRows label={say('Loading the form')} rows={6} />

const goTo = (path: string) => location.assign(path)

export default function Subscribe({ leave = goTo }: { leave?: (path: string) => void }) {
  const session = useSession()
  const { data: user, isError, refetch } = useQuery({ ...account, enabled: session === 'in' })
  const { search } = useOffer()
  return (
    <div className="group/page">
      <div className="wrap stack gap-8 pt-6 group-has-data-done/page:hidden max-lg:max-w-[632px] lg:pt-12">
        <div className="stack max-w-[592px] gap-3">
          <h1 className="t36">{say('Join VetChat')}</h1>
          <p className="lead">{say('One pet is enough to begin. Add up to four more afterwards.')}</p>
          <p className="in-data-in:hidden">
            {say('Been here before? {login} and join with your account.', {
              login: <Link href={loginPath(`/upgrade?${search}`)}>{say('Sign in')}</Link>,
            })}
          </p>
        </div>
        {session === 'in' &&
          !user &&
          (isError ? <Failed what={say('your account')} onRetry={() => void refetch()} /> : <Loading />)}
        {user &&
          (user.subscriptions.some((one) => isActive(one, new Date())) ? (
            <AlreadyMember />
          ) : (
            <Instead
              title={
                user.firstName
                  ? say('You have an account already, {name}', { name: user.firstName })
                  : say('You have an account already')
              }
              act={
                <LinkButton variant="primary" size={56} href={`/upgrade?${search}`} className="max-xs:w-full">
                  {say('Join with your account')}
                </LinkButton>
              }
            >
              <p>{say('The membership goes to it, with the pets that are there.')}</p>
            </Instead>
          ))}
      </div>
      {session === 'in' ? (
        <div className="pb-16" />
      ) : (
        // Who is signed in never sees it.
        <div className="in-data-in:hidden">
          <Suspense
            fallback={
              <div className="wrap">
                <Loading />
              </div>
            }
          >
            <Joining leave={leave} />
          </Suspense>
        </div>
      )}
    </div>
  )
}
