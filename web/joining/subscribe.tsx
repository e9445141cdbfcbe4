import { useQuery } from '@tanstack/react-query'
import { isActive } from '#contract/memberships.ts'
import { loginPath } from '../lib/login-path.ts'
import { now, useSession } from '../lib/session.ts'
import { SellingFrame } from '../shell/selling-frame.tsx'
import { type Given, HydratedPage } from '../shell/hydrated-page.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { say } from '../ui/say.ts'
import { FormLoading } from './form-loading.tsx'
import { FormReplacement } from '../purchases/form-replacement.tsx'
import { AlreadyMember } from './notices.tsx'
import { Joining } from './joining-form.tsx'
import { useOffer } from './offer.ts'
import { currentUser } from '../lib/current-user.ts'

export const subscribe = (given: Given) => (
  <HydratedPage {...given} frame={SellingFrame}>
    <Subscribe />
  </HydratedPage>
)

function Subscribe() {
  const session = useSession()
  const asked = useQuery({ ...currentUser, enabled: session === 'in' })
  const user = asked.data
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
        {session === 'in' && !user && (
          <RowsLoading of={asked} what={say('your account')} waits={<FormLoading />} />
        )}
        {user &&
          (user.subscriptions.some((one) => isActive(one, new Date(now()))) ? (
            <AlreadyMember />
          ) : (
            <FormReplacement
              title={
                user.firstName
                  ? say('You already have an account, {name}', { name: user.firstName })
                  : say('You already have an account')
              }
              act={
                <LinkButton variant="primary" size={56} href={`/upgrade?${search}`} className="max-xs:w-full">
                  {say('Join with your account')}
                </LinkButton>
              }
            >
              {say('We’ll add the membership to that account, with the pets already there.')}
            </FormReplacement>
          ))}
      </div>
      {session === 'in' ? (
        <div className="pb-16" />
      ) : (
        // Signed-in people never see this.
        <div className="in-data-in:hidden">
          <Joining />
        </div>
      )}
    </div>
  )
}
