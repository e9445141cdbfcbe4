import { useQuery } from '@tanstack/react-query'
import { data, type LoaderFunctionArgs, useParams } from 'react-router'
import { pageMeta } from '../lib/meta.ts'
import { Failed } from '../ui/empty.tsx'
import { LatePart } from '../ui/late-part.ts'
import { ViewSkeleton } from '../ui/view-frame.tsx'
import { Cases } from './cases.tsx'
import { endedToken, useClinicSession } from './clinic-session.ts'
import { PortalFrame } from './portal-frame.tsx'
import { signedInClinic } from './queries.ts'

const loadSignIn = () => import('./sign-in.tsx')
const loadDeferred = () => import('./deferred-page.tsx')

function check({ params }: Pick<LoaderFunctionArgs, 'params'>) {
  if (![undefined, 'deferred'].includes(params['view'])) throw data(null, { status: 404 })
  return null
}
export const loader = check
/** The next page opens without waiting for the server. */
export const clientLoader = check

export const meta = ({ params }: { params: { view?: string } }) =>
  pageMeta(
    params.view ? 'Calls deferred' : 'Clinic portal',
    'Your patients’ VetChat consults, for your clinic.',
  )

const loading = (
  <>
    <h1 className="sr-only">Clinic portal</h1>
    <ViewSkeleton label="Loading your cases" />
  </>
)
const notLoaded = (retry: () => void) => <Failed what="this page" onRetry={retry} />

/** A clinic's own page, with its list and its figures. Only the clinic can see them. */
export default function ClinicPortal() {
  const session = useClinicSession()
  const clinic = useQuery({ ...signedInClinic, enabled: session === 'in' })
  const { view } = useParams()

  if (session === 'out' || session === 'ended')
    return (
      <LatePart
        load={loadSignIn}
        waits={<PortalFrame clinic={undefined}>{loading}</PortalFrame>}
        renderFailed={notLoaded}
      >
        {({ SignIn }) => <SignIn endedToken={endedToken()} />}
      </LatePart>
    )
  return (
    <PortalFrame clinic={clinic.data}>
      {session === 'unknown' ? (
        loading
      ) : view === 'deferred' ? (
        <LatePart load={loadDeferred} renderFailed={notLoaded}>
          {({ DeferredPage }) => <DeferredPage />}
        </LatePart>
      ) : (
        <Cases clinic={clinic.data} />
      )}
    </PortalFrame>
  )
}
