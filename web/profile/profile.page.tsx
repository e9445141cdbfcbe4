import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { type User, USER_TYPES } from '#contract/accounts.ts'
import { loginPath } from '../lib/from.ts'
import { pageMeta } from '../lib/meta.ts'
import { choices, signOut, useSession } from '../lib/session.ts'
import { PaymentMethod, PaymentMethodSkeleton } from '../payments/payment-method.tsx'
import { myPaymentMethod } from '../payments/queries.ts'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Failed } from '../ui/empty.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { ProfileData } from './data.tsx'
import { ProfileDetails } from './details.tsx'
import { ProfileEmails } from './emails.tsx'
import { ProfilePassword } from './password.tsx'
import { ProfileSessions, ProfileSessionsSkeleton } from './sessions.tsx'
import { me, useLeaveWhenSessionEnds } from '../accounts/queries.ts'
import { mySessions } from './queries.ts'

export const meta = () => pageMeta('Profile', 'Your details, password, card and data.')

export default function Profile() {
  const session = useSession()
  const [deleting, setDeleting] = useState(false)
  const [gone, setGone] = useState(false)
  const signedIn = session === 'in'
  useLeaveWhenSessionEnds(!deleting)
  const user = useQuery({ ...me, enabled: signedIn })
  const isOwner = user.data?.type === USER_TYPES.owner
  // An owner's card is asked for side by side with who it is; on this device staff was not seen before.
  const expectsOwner = signedIn && (user.data ? isOwner : !choices()['staff'])
  const card = useQuery({ ...myPaymentMethod, enabled: expectsOwner })
  const sessions = useQuery({ ...mySessions, enabled: signedIn })

  useEffect(() => {
    if (session === 'out' && !gone) location.replace(loginPath('/myaccount/profile'))
  }, [session, gone])

  if (gone) return <Goodbye />
  // The places of the blocks are known once all have come or failed.
  const waits = [...(isOwner ? [card] : []), sessions].some(
    ({ isPending, errorUpdateCount }) => isPending && errorUpdateCount === 0,
  )
  return (
    <div className="wrap stack gap-8 pt-8 pb-16 lg:gap-10 lg:pt-12 lg:pb-24">
      <h1 className="t36">Profile</h1>
      {user.isError && !user.data ? (
        <Failed what="your profile" onRetry={() => void user.refetch()} />
      ) : user.data && !waits ? (
        <Sections
          user={user.data}
          onDeleting={setDeleting}
          onDeleted={() => {
            // Shown first, or the end of the session would lead to the login page.
            flushSync(() => setGone(true))
            signOut()
          }}
        />
      ) : (
        <ProfileSkeleton />
      )}
    </div>
  )
}

function Sections({
  user,
  onDeleting,
  onDeleted,
}: {
  user: User
  onDeleting: (deleting: boolean) => void
  onDeleted: () => void
}) {
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
          {user.type === USER_TYPES.owner && <PaymentMethod />}
          <ProfileSessions />
          <ProfileEmails user={user} />
        </>
      }
      late={<ProfileData user={user} onDeleting={onDeleting} onDeleted={onDeleted} />}
    />
  )
}

/** The first column of a wide page is cut in two, so that on a phone the side stands between them. */
const Blocks = ({ first, side, late }: { first: ReactNode; side: ReactNode; late?: ReactNode }) => (
  <div className="stack gap-8 lg:grid-cols-[minmax(0,1fr)_384px] lg:grid-rows-[auto_1fr] lg:gap-x-10">
    <div className="stack content-start gap-8">{first}</div>
    <div className="stack content-start gap-8 lg:col-start-2 lg:row-span-2 lg:row-start-1">{side}</div>
    <div className="lg:col-start-1">{late}</div>
  </div>
)

const FieldSkeleton = () => (
  <div className="stack gap-2">
    <span className="flex h-[22px] items-center">
      <Skeleton className="h-4 w-28" />
    </span>
    <Skeleton className="h-12" />
  </div>
)

const ProfileSkeleton = () => (
  <div aria-busy="true">
    <p role="status" className="sr-only">
      Loading your profile
    </p>
    <Blocks
      first={
        <>
          <Card className="stack gap-6">
            <h2 className="t22">Your details</h2>
            <div className="stack gap-5">
              <div className="stack gap-5 xs:grid-cols-[repeat(2,minmax(0,1fr))] xs:gap-4">
                <FieldSkeleton />
                <FieldSkeleton />
              </div>
              <FieldSkeleton />
              <FieldSkeleton />
              <div className="stack gap-5 xs:grid-cols-[repeat(2,minmax(0,1fr))] xs:gap-4">
                <FieldSkeleton />
                <FieldSkeleton />
              </div>
              <Skeleton round className="h-12 w-40" />
            </div>
          </Card>
          <Card className="stack gap-6">
            <h2 className="t22">Password</h2>
            <div className="stack gap-5">
              <FieldSkeleton />
              <FieldSkeleton />
              <FieldSkeleton />
            </div>
          </Card>
        </>
      }
      side={
        <>
          <PaymentMethodSkeleton />
          <ProfileSessionsSkeleton />
        </>
      }
    />
  </div>
)

function Goodbye() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    scrollTo(0, 0)
    heading.current?.focus()
  }, [])
  return (
    <div className="wrap stack max-w-narrow justify-items-start gap-4 pt-16 pb-24">
      <h1 ref={heading} tabIndex={-1} className="t36 outline-none">
        Your account is deleted
      </h1>
      <p className="lead">
        You are signed out everywhere. Thank you for trusting us with your pets. If you ever need a vet, you
        can talk to one without an account.
      </p>
      <LinkButton href="/" variant="primary" className="mt-4">
        To the home page
      </LinkButton>
    </div>
  )
}
