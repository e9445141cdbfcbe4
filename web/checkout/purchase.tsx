import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useLocation } from 'react-router'
import { loginPath } from '../lib/from.ts'
import { useSession } from '../lib/session.ts'
import { say } from '../ui/say.ts'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { BeenHere, type Line, LineNote, MemberNote } from './notices.tsx'
import { account, lineNow } from './queries.ts'

/** The form stands in the page from the start; what moves it weighs, so it comes behind the words. */
const Buying = lazy(() => import('./buying-form.tsx').then((loaded) => ({ default: loaded.Buying })))

const goTo = (path: string) => location.assign(path)

/** One consult for who has no account: type and price, pet and problem, you, pay. */
export function Purchase({
  line: first,
  leave = goTo,
}: {
  line: Line | null
  leave?: (path: string) => void
}) {
  const session = useSession()
  const user = useQuery({ ...account, enabled: session === 'in' }).data
  const line = useQuery({ ...lineNow, ...(first && { initialData: first }) }).data
  const here = useLocation()
  const isMember = Boolean(user?.subscription && user.can_consult)

  return (
    <>
      <div className="wrap stack gap-8 pt-6 max-lg:max-w-[632px] lg:pt-12">
        <div className="stack max-w-[592px] gap-3">
          <h1 className="t36">{say('Talk to a vet now')}</h1>
          <p className="lead">{say('About two minutes. What you type is kept if the line drops.')}</p>
          <BeenHere login={loginPath(here.pathname + here.search)} />
        </div>
        {line?.says && <LineNote line={line} />}
        {user && isMember && <MemberNote user={user} />}
      </div>
      {!isMember && (
        <Suspense
          fallback={
            <div className="wrap">
              <SkeletonRows label={say('Loading the form')} rows={6} />
            </div>
          }
        >
          <Buying user={user} isShut={Boolean(line?.says)} leave={leave} />
        </Suspense>
      )}
    </>
  )
}
