import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { USER_TYPES } from '#contract/accounts.ts'
import { useSignedIn } from '../accounts/queries.ts'
import { currentUser } from '../lib/current-user.ts'
import { pageMeta } from '../lib/meta.ts'
import { LinkButton } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { useLate } from '../ui/late.ts'
import { allOf } from '../ui/rows-loading.tsx'
import { ViewLoading } from '../ui/view-frame.tsx'

export const meta = () => pageMeta('Phone consult', 'Who was called about a phone consult, and who has it.')

const load = () => import('./escalation-case.tsx')

/** Where a vet follows the calls to a clinic's contacts. Only staff load it. */
export default function EscalationPage() {
  const { id } = useParams()
  const late = useLate(load)
  const user = useQuery({ ...currentUser, enabled: useSignedIn() })

  return (
    <div className="mx-auto max-w-[1280px] px-5 pt-6 pb-16 max-sm:px-4">
      {user.data?.type === USER_TYPES.owner ? (
        <>
          <h1 className="sr-only">Phone consult</h1>
          <Empty scene="not-found" title="This page is for vets">
            <LinkButton href="/myaccount">My account</LinkButton>
          </Empty>
        </>
      ) : late.part && user.data ? (
        <late.part.EscalationCase key={id} id={Number(id) || 0} />
      ) : (
        <div className="stack gap-5">
          <h1 className="text-28">Phone consult</h1>
          <ViewLoading of={allOf(late, user)} what="this page" />
        </div>
      )}
    </div>
  )
}
