import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { data, type LoaderFunctionArgs, useLocation, useParams } from 'react-router'
import { USER_TYPES } from '#contract/accounts.ts'
import { useLeaveWhenSessionEnds } from '../accounts/queries.ts'
import { currentUser } from '../lib/current-user.ts'
import { loginPath } from '../lib/login-path.ts'
import { pageMeta } from '../lib/meta.ts'
import { useSession } from '../lib/session.ts'
import { LinkButton } from '../ui/button.tsx'
import { Failed } from '../ui/empty.tsx'
import { useLate } from '../ui/late.ts'
import { ViewHead, ViewLoading, ViewSkeleton } from '../ui/view-frame.tsx'
import { AdminFrame, type Place } from './admin-frame.tsx'

/** Only admins load a view's script. */
const VIEWS: (Omit<Place, 'href'> & { view: string; load: () => Promise<ComponentType> })[] = [
  {
    view: 'overview',
    title: 'Overview',
    group: '',
    icon: 'chart-column',
    load: () => import('../overview/overview.tsx').then((part) => part.OverviewView),
  },
  {
    view: 'resources',
    title: 'Resources',
    group: 'Content',
    icon: 'book-open',
    load: () => import('../library/manage-resources.tsx').then((part) => part.ManageResources),
  },
  {
    view: 'pages',
    title: 'Pages',
    group: 'Content',
    icon: 'megaphone',
    load: () => import('../content/pages.tsx').then((part) => part.Pages),
  },
  {
    view: 'urgency',
    title: 'Urgency rules',
    group: 'Content',
    icon: 'triangle-alert',
    load: () => import('../urgency/rules-view.tsx').then((part) => part.UrgencyRules),
  },
  {
    view: 'members',
    title: 'Members',
    group: 'People',
    icon: 'users',
    load: () => import('../people/members.tsx').then((part) => part.Members),
  },
  {
    view: 'vets',
    title: 'Vets',
    group: 'People',
    icon: 'stethoscope',
    load: () => import('../vets/vets.tsx').then((part) => part.Vets),
  },
  {
    view: 'roster',
    title: 'Duty roster',
    group: 'People',
    icon: 'calendar',
    load: () => import('../roster/roster.tsx').then((part) => part.Roster),
  },
  {
    view: 'deferred',
    title: 'Calls deferred',
    group: 'People',
    icon: 'phone',
    load: () => import('../portal/clinics-deferred.tsx').then((part) => part.ClinicsDeferred),
  },
  {
    view: 'clinics',
    title: 'Clinics',
    group: 'People',
    icon: 'house',
    load: () => import('../clinics/clinics.tsx').then((part) => part.Clinics),
  },
  {
    view: 'phoneConsultations',
    title: 'Phone consults',
    group: 'People',
    icon: 'phone',
    load: () => import('../phone/phone-list.tsx').then((part) => part.PhoneConsultations),
  },
  {
    view: 'money',
    title: 'Money',
    group: 'Money',
    icon: 'credit-card',
    load: () => import('../ledger/money.tsx').then((part) => part.Money),
  },
  {
    view: 'coupons',
    title: 'Coupons',
    group: 'Money',
    icon: 'ticket',
    load: () => import('../coupons/coupons.tsx').then((part) => part.Coupons),
  },
  {
    view: 'claims',
    title: 'PawCare claims',
    group: 'Money',
    icon: 'shield-plus',
    load: () => import('../claims/every-claim.tsx').then((part) => part.EveryClaim),
  },
  {
    view: 'audit',
    title: 'Audit',
    group: 'Logs',
    icon: 'history',
    load: () => import('../logs/audit-log.tsx').then((part) => part.AuditLog),
  },
  {
    view: 'mail',
    title: 'Mail',
    group: 'Logs',
    icon: 'mail',
    load: () => import('../logs/mail-log.tsx').then((part) => part.MailLog),
  },
  {
    view: 'messages',
    title: 'Messages',
    group: 'Logs',
    icon: 'message-circle',
    load: () => import('../logs/message-log.tsx').then((part) => part.MessageLog),
  },
  {
    view: 'feed',
    title: 'Feed',
    group: 'Logs',
    icon: 'download',
    load: () => import('../logs/feed-log.tsx').then((part) => part.FeedLog),
  },
  {
    view: 'jobs',
    title: 'Jobs',
    group: 'Logs',
    icon: 'timer',
    load: () => import('../logs/job-log.tsx').then((part) => part.JobLog),
  },
]
/** The view that also has a page for each person, by number. */
const OF_ONE = 'members'
const PLACES = VIEWS.map(({ view, ...place }) => ({ ...place, href: `/admin/${view}` }))

/** What /admin shows. */
const DEFAULT = 'resources'

const viewOf = (name = DEFAULT) => VIEWS.find(({ view }) => view === name)

function check({ params: { view, id } }: Pick<LoaderFunctionArgs, 'params'>) {
  const isOne = id === undefined || (view === OF_ONE && /^[1-9]\d{0,9}$/.test(id))
  if (!viewOf(view) || !isOne) throw data(null, { status: 404 })
  return null
}
export const loader = check
/** A view opens without waiting for the server. */
export const clientLoader = check

export const meta = ({ params }: { params: { view?: string } }) =>
  pageMeta(viewOf(params.view)?.title ?? 'Admin Manager', 'Manage VetChat.')

/** For admins only. Other people read that here, and the server refuses their calls. */
export default function Admin() {
  const session = useSession()
  useLeaveWhenSessionEnds()
  const user = useQuery({ ...currentUser, enabled: session === 'in' })
  const view = viewOf(useParams()['view'])!
  const isAdmin = session === 'in' && user.data?.type === USER_TYPES.admin

  if (session === 'out' || (user.data && !isAdmin)) return <Unauthorized signedIn={session === 'in'} />
  return (
    <AdminFrame places={PLACES} current={`/admin/${view.view}`}>
      {isAdmin ? (
        <View key={view.view} {...view} />
      ) : (
        <>
          <ViewHead title={view.title} />
          <ViewLoading of={user} what="your account" />
        </>
      )}
    </AdminFrame>
  )
}

function View({ title, load }: (typeof VIEWS)[number]) {
  const { part: Part, failed, retry } = useLate(load)
  if (Part) return <Part />
  return (
    <>
      <ViewHead title={title} />
      {failed ? <Failed what="this page" onRetry={retry} /> : <ViewSkeleton label="Loading" />}
    </>
  )
}

/** Signing in as somebody else starts with signing out. */
function Unauthorized({ signedIn }: { signedIn: boolean }) {
  const { pathname } = useLocation()
  return (
    <main id="main" className="section">
      <div className="wrap stack justify-items-center gap-4 text-center">
        <img src="/scenes/not-found.svg" alt="" width={320} height={240} className="h-auto w-80 max-w-full" />
        <h1 className="t36">Unauthorized access!</h1>
        <p className="lead">This part of VetChat is for admins only.</p>
        <div className="mt-3 flex flex-wrap justify-center gap-3">
          {signedIn ? (
            <>
              <LinkButton variant="primary" href="/myaccount">
                My Account
              </LinkButton>
              <LinkButton href="/logout">Sign in as someone else</LinkButton>
            </>
          ) : (
            <LinkButton variant="primary" href={loginPath(pathname)}>
              Login
            </LinkButton>
          )}
        </div>
      </div>
    </main>
  )
}
