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
import type { IconName } from '../ui/icon.tsx'
import { useLate } from '../ui/late.ts'
import { ViewHead, ViewLoading } from '../ui/view-frame.tsx'
import { AdminFrame } from './admin-frame.tsx'

type Row = [name: string, title: string, icon: IconName, load: () => Promise<{ default: ComponentType }>]

/** In their groups. Only admins load a view's script. */
const GROUPS: Record<string, Row[]> = {
  '': [['overview', 'Overview', 'chart-column', () => import('../overview/overview.tsx')]],
  Content: [
    ['resources', 'Resources', 'book-open', () => import('../library/manage-resources.tsx')],
    ['pages', 'Pages', 'megaphone', () => import('../content/pages.tsx')],
    ['urgency', 'Urgency rules', 'triangle-alert', () => import('../urgency/rules-view.tsx')],
  ],
  People: [
    ['members', 'Members', 'users', () => import('../people/members.tsx')],
    ['vets', 'Vets', 'stethoscope', () => import('../vets/vets.tsx')],
    ['roster', 'Duty roster', 'calendar', () => import('../roster/roster.tsx')],
    ['deferred', 'Calls deferred', 'phone', () => import('../portal/clinics-deferred.tsx')],
    ['clinics', 'Clinics', 'house', () => import('../clinics/clinics.tsx')],
    ['phoneConsultations', 'Phone consults', 'phone', () => import('../phone/phone-list.tsx')],
  ],
  Money: [
    ['money', 'Money', 'credit-card', () => import('../ledger/money.tsx')],
    ['coupons', 'Coupons', 'ticket', () => import('../coupons/coupons.tsx')],
    ['claims', 'PawCare claims', 'shield-plus', () => import('../claims/every-claim.tsx')],
  ],
  Logs: [
    ['audit', 'Audit', 'history', () => import('../logs/audit-log.tsx')],
    ['mail', 'Emails', 'mail', () => import('../logs/mail-log.tsx')],
    ['messages', 'Messages', 'message-circle', () => import('../logs/message-log.tsx')],
    ['feed', 'Feed', 'download', () => import('../logs/feed-log.tsx')],
    ['jobs', 'Jobs', 'timer', () => import('../logs/job-log.tsx')],
  ],
}
const VIEWS = Object.entries(GROUPS).flatMap(([group, views]) =>
  views.map(([name, title, icon, load]) => ({ group, title, icon, load, href: `/admin/${name}` })),
)
/** The view that also has a page for each person, by number. */
const OF_ONE = 'members'

/** What /admin shows. */
const DEFAULT = 'resources'

const viewOf = (name = DEFAULT) => VIEWS.find(({ href }) => href === `/admin/${name}`)

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
    <AdminFrame views={VIEWS} current={view}>
      {isAdmin ? (
        <View key={view.href} {...view} />
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
  const late = useLate(load)
  if (late.part) return <late.part.default />
  return (
    <>
      <ViewHead title={title} />
      <ViewLoading of={late} what="this page" />
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
