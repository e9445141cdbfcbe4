import { useEffect } from 'react'
import { type User, USER_TYPES } from '#contract/accounts.ts'
import { isManaged, standingOf } from '../memberships/standing.tsx'
import { PaymentMethod } from '../payments/payment-method.tsx'
import { ProfileData } from './data.tsx'
import type { DeletionProps } from './delete-dialog.tsx'
import { ProfileDetails } from './details.tsx'
import { ProfileEmails } from './emails.tsx'
import { Blocks } from './skeleton.tsx'
import { AccessLog } from './access-log.tsx'
import { ProfilePassword } from './password.tsx'
import { ProfileReceipts } from '../ledger/all-receipts.tsx'
import { ProfileSessions } from './sessions.tsx'
import { Card } from '../ui/card.tsx'
import { useLate } from '../ui/late.ts'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { say } from '../ui/say.ts'

const loadFactor = () => import('../factor/factor-card.tsx')

export function Sections({ user, onDeletion }: { user: User } & DeletionProps) {
  // Scrolls to the section in the address, which didn't exist when the browser looked for it.
  useEffect(() => {
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [])
  return (
    <Blocks
      first={
        <>
          <ProfileDetails user={user} />
          <ProfilePassword email={user.email} />
        </>
      }
      side={
        <>
          {user.type === USER_TYPES.owner ? (
            <>
              <PaymentMethod
                partnerPays={user.subscriptions.some((one) => isManaged(one) && standingOf(one) !== 'ended')}
              />
              <ProfileReceipts />
            </>
          ) : (
            <ProfileFactor />
          )}
          <ProfileSessions />
          <ProfileEmails user={user} />
          <AccessLog />
        </>
      }
      late={<ProfileData user={user} onDeletion={onDeletion} />}
    />
  )
}

/** Only staff load its script. */
function ProfileFactor() {
  const late = useLate(loadFactor)
  if (late.part) return <late.part.FactorCard />
  return (
    <Card aria-label={say('Second factor')}>
      <RowsLoading of={late} what={say('your second factor')} rows={1} />
    </Card>
  )
}
