import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type User, USER_TYPES } from '#contract/accounts.ts'
import { myConsultations } from '../consultations/queries.ts'
import { useAccountChanges } from '../lib/account-changes.ts'
import { myPets } from '../pets/queries.ts'
import { useLate } from '../ui/late.ts'
import { say } from '../ui/say.ts'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { AccountSkeleton, OwnerAccount } from './owner-account.tsx'
import { useMe, useSignedIn } from '../accounts/queries.ts'

export function MyAccount() {
  const signedIn = useSignedIn()
  useAccountChanges()
  const { user, shown, isOwner, asksAsOwner } = useMe(signedIn)
  useQuery({ ...myPets, enabled: asksAsOwner })
  useInfiniteQuery({ ...myConsultations, enabled: asksAsOwner })
  return (
    <div className="wrap stack gap-8 pt-8 pb-16 lg:gap-10 lg:pt-12 lg:pb-24 in-data-staff:pt-6! in-data-staff:pb-16!">
      {user.data ? (
        isOwner ? (
          <OwnerAccount user={user.data} />
        ) : (
          <StaffAccount />
        )
      ) : (
        <>
          <h1 className="t36">{shown && !user.isError ? titleFor(shown) : say('My account')}</h1>
          <RowsLoading
            of={user}
            what={say('your account')}
            waits={
              shown && shown.type !== USER_TYPES.owner ? (
                <SkeletonRows label={say('Loading the consultations')} rows={6} />
              ) : (
                <AccountSkeleton />
              )
            }
          />
        </>
      )}
    </div>
  )
}

const titleFor = ({ type, firstName }: Pick<User, 'type' | 'firstName'>) =>
  type === USER_TYPES.owner ? say('Hello, {name}', { name: firstName }) : say('Consultations')

const dashboard = () => import('../queue/dashboard.tsx')

/** Only staff load its script. */
function StaffAccount() {
  const late = useLate(dashboard)
  if (late.part) return <late.part.StaffDashboard />
  return (
    <>
      <h1 className="t36">{say('Consultations')}</h1>
      <RowsLoading of={late} what={say('the consultations')} rows={6} />
    </>
  )
}
