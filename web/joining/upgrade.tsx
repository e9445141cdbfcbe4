import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isActive } from '#contract/memberships.ts'
import { leaveForLogin } from '../lib/login-path.ts'
import { now, useSession } from '../lib/session.ts'
import { SellingFrame } from '../shell/selling-frame.tsx'
import { type Given, HydratedPage } from '../shell/hydrated-page.tsx'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { say } from '../ui/say.ts'
import { FormLoading } from './form-loading.tsx'
import { Joining } from './joining-form.tsx'
import { AlreadyMember } from './notices.tsx'
import { currentUser } from '../lib/current-user.ts'

export const upgrade = (given: Given) => (
  <HydratedPage {...given} frame={SellingFrame}>
    <Upgrade />
  </HydratedPage>
)

function Upgrade() {
  const session = useSession()
  const asked = useQuery({ ...currentUser, enabled: session === 'in' })
  const user = asked.data
  useEffect(() => {
    if (session === 'out') leaveForLogin('assign')
  }, [session])
  const isMember = user?.subscriptions.some((one) => isActive(one, new Date(now())))

  return (
    <div className="group/page">
      <div className="wrap stack gap-8 pt-6 group-has-data-done/page:hidden max-lg:max-w-[632px] lg:pt-12">
        <div className="stack max-w-[592px] gap-3">
          <h1 className="t36">{isMember ? say('You’re a member') : say('Become a member')}</h1>
          {!isMember && (
            <p className="lead">
              {say('Ask a vet as often as you need, for up to five pets.')}
              {user && ` ${say('We’ll add the membership to your account, {email}.', { email: user.email })}`}
            </p>
          )}
        </div>
        {isMember && <AlreadyMember />}
        {!user && <RowsLoading of={asked} what={say('your account')} waits={<FormLoading />} />}
      </div>
      {user && !isMember ? <Joining user={user} /> : <div className="pb-16" />}
    </div>
  )
}
