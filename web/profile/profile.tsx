import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useMe, useSignedIn } from '../accounts/queries.ts'
import { signOut } from '../lib/session.ts'
import { useAccountChanges } from '../lib/account-changes.ts'
import { myPaymentMethod } from '../payments/queries.ts'
import { LinkButton } from '../ui/button.tsx'
import { useLate } from '../ui/late.ts'
import { allOf, RowsLoading } from '../ui/rows-loading.tsx'
import { say } from '../ui/say.ts'
import { myReceipts } from '../ledger/queries.ts'
import { mySessions } from './queries.ts'
import { ProfileSkeleton } from './skeleton.tsx'
import type { Deletion } from './delete-dialog.tsx'

/** Forms are large, so they load while the data does. */
const load = () => import('./sections.tsx')

export function Profile() {
  const [deletion, setDeletion] = useState<Deletion>()
  const late = useLate(load)
  const signedIn = useSignedIn(!deletion)
  useAccountChanges()
  const { user, isOwner, asksAsOwner } = useMe(signedIn)
  const card = useQuery({ ...myPaymentMethod, enabled: asksAsOwner })
  const receipts = useQuery({ ...myReceipts, enabled: asksAsOwner })
  const sessions = useQuery({ ...mySessions, enabled: signedIn })

  // Shown first, because the end of the session would lead to /login; and after the queries, which would ask again.
  useEffect(() => {
    if (deletion === 'done') signOut()
  }, [deletion])

  if (deletion === 'done') return <Goodbye />
  // The layout is known once everything has loaded or failed.
  const waits = [...(isOwner ? [card, receipts] : []), sessions].some(
    ({ isPending, errorUpdateCount }) => isPending && errorUpdateCount === 0,
  )
  return (
    <div className="wrap stack gap-8 pt-8 pb-16 lg:gap-10 lg:pt-12 lg:pb-24">
      <h1 className="t36">{say('Profile')}</h1>
      {late.part && user.data && !waits ? (
        <late.part.Sections user={user.data} onDeletion={setDeletion} />
      ) : (
        <RowsLoading
          of={allOf(late, { isError: user.isError && !user.data, refetch: user.refetch })}
          what={say('your profile')}
          waits={<ProfileSkeleton />}
        />
      )}
    </div>
  )
}

function Goodbye() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    scrollTo(0, 0)
    heading.current?.focus()
  }, [])
  return (
    <div className="wrap stack max-w-narrow justify-items-start gap-4 pt-16 pb-24">
      <h1 ref={heading} tabIndex={-1} className="t36">
        {say('Your account has been deleted')}
      </h1>
      <p className="lead">
        {say(
          'You are signed out everywhere. Thank you for trusting us with your pets. If you ever need a vet, you can talk to one without an account.',
        )}
      </p>
      <LinkButton href="/" variant="primary" className="mt-4">
        {say('Go to the home page')}
      </LinkButton>
    </div>
  )
}
