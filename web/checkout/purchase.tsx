import { useQuery } from '@tanstack/react-query'
import { MOST_OPEN } from '#contract/consultations.ts'
import { money } from '#contract/regions.ts'
import type { OpenClinics } from '#contract/content.ts'
import type { EmergencyCheck as Check } from '#contract/urgency.ts'
import { openNow, queueNow } from '../consultations/queries.ts'
import { type QueueStatus, WaitNow } from '../consultations/wait.tsx'
import { loginPath } from '../lib/login-path.ts'
import { usePageAddress } from '../lib/page-address.tsx'
import { singleToken, useSession } from '../lib/session.ts'
import { useRegion } from '../lib/site.ts'
import { SellingFrame } from '../shell/selling-frame.tsx'
import { type Given, HydratedPage } from '../shell/hydrated-page.tsx'
import { Failed } from '../ui/empty.tsx'
import { LatePart } from '../ui/late-part.ts'
import { Link } from '../ui/link.tsx'
import { say } from '../ui/say.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { Buying } from './buying-form.tsx'
import { BeenHere, NobodyOnDuty } from './notices.tsx'
import { currentUser } from '../lib/current-user.ts'
import { KeepCheck, useCheckPlace } from '../urgency/check-place.ts'
import { EmergencyCheck } from '../urgency/emergency-check.tsx'

const loadFull = () => import('../consultations/open-consults.tsx')
const loadMemberNote = () => import('./member-note.tsx')
const loadStillOpen = () => import('../consultations/still-open.tsx')

const notLoaded = (retry: () => void) => <Failed what={say('your open consults')} onRetry={retry} />
const noAccount = (retry: () => void) => <Failed what={say('your account')} onRetry={retry} />

interface Shown {
  queue: QueueStatus | null
  /** The signs for the animal in the address. */
  check?: Check | null
  /** Where to go after tapping one of the signs. */
  clinics?: OpenClinics | null
}

export const purchase = ({ queue, check, clinics, ...given }: Given & Shown) => (
  <HydratedPage {...given} frame={SellingFrame}>
    <Purchase queue={queue} check={check} clinics={clinics} />
  </HydratedPage>
)

/** Buys one consult without an account. Its steps: type and price, pet and problem, you, payment. */
export function Purchase({ queue: first, check: signs = null, clinics = null }: Shown) {
  const { pathname, search } = usePageAddress()
  const session = useSession()
  const mine = useQuery({ ...currentUser, enabled: session === 'in' })
  const user = mine.data
  const queue = useQuery({ ...queueNow, initialData: first ?? undefined }).data
  const isShut = queue !== undefined && !(queue.open && queue.on_duty)
  const member = user?.subscription && user.can_consult ? user : undefined
  const mayBeOpen = session === 'in' || (session === 'out' && singleToken() !== undefined)
  const asked = useQuery({ ...openNow, enabled: mayBeOpen })
  const open = asked.data ?? []
  const isFull = open.length >= MOST_OPEN
  const { prices, currency } = useRegion()
  const check = useCheckPlace('purchase', 'purchase:consult')
  const forAnother = new URLSearchParams(search).has('another')
  // Before the first paint, the head script knows if somebody is signed in or a consult may be open. The form then
  // waits to hear whether this is a member, and what is open.
  const isKnown =
    session !== 'unknown' &&
    (session === 'out' || !mine.isPending) &&
    (forAnother || !mayBeOpen || !asked.isPending)

  if (open.length > 0 && !isFull && !forAnother)
    return (
      <LatePart load={loadStillOpen} waits={<Looking />} renderFailed={notLoaded}>
        {({ StillOpen }) => (
          <StillOpen
            open={open}
            price={money(prices.consult, currency)}
            another={member ? '/myaccount' : `${pathname}?another`}
            isPaid={!member}
          />
        )}
      </LatePart>
    )
  return (
    <>
      {!isKnown && (
        <div className="hidden in-data-consult:block in-data-in:block">
          <Looking />
        </div>
      )}
      <div className={isKnown ? undefined : 'in-data-consult:hidden in-data-in:hidden'}>
        {check.step !== 'done' && !member && !isFull ? (
          <>
            <EmergencyCheck
              at={check}
              given={signs}
              clinics={clinics}
              price={isShut ? null : money(prices.consult, currency)}
            />
            {queue && isShut && check.step === 'animal' && (
              <div className="wrap pb-12">
                <NobodyOnDuty queue={queue} />
              </div>
            )}
          </>
        ) : (
          <div className="group/page">
            <KeepCheck draft="purchase" check={check} />
            <div className="wrap stack gap-8 pt-6 group-has-data-done/page:hidden max-lg:max-w-[632px] lg:pt-12">
              <div className="stack max-w-[592px] gap-3">
                <h1 tabIndex={-1} className="t36">
                  {say('Talk to a vet now')}
                </h1>
                <p className="lead">
                  {say('It takes about two minutes. What you type is kept if your connection drops.')}
                </p>
                {forAnother && session === 'out' && open[0] && !isFull ? (
                  <p>
                    {open.length === 1
                      ? say('{name}’s consult stays open.', { name: open[0].pet.name })
                      : say('Your other consults stay open.')}{' '}
                    <Link href={pathname}>{say('Go back')}</Link>
                  </p>
                ) : (
                  <BeenHere login={loginPath(pathname + search)} />
                )}
                {queue && !isShut && !member && <WaitNow queue={queue} isPaid />}
              </div>
              {queue && isShut && <NobodyOnDuty queue={queue} />}
              {member && (
                <LatePart load={loadMemberNote} renderFailed={noAccount}>
                  {({ MemberNote }) => <MemberNote user={member} />}
                </LatePart>
              )}
              {isFull && (
                <LatePart load={loadFull} renderFailed={notLoaded}>
                  {({ OpenConsults }) => <OpenConsults open={open} />}
                </LatePart>
              )}
            </div>
            {!member && !isFull && <Buying user={user} queue={queue} isShut={isShut} />}
          </div>
        )}
      </div>
    </>
  )
}

const Looking = () => (
  <div className="wrap stack max-w-[calc(720px+2*var(--gutter))] gap-6 pt-6 pb-12 lg:pt-12" aria-busy="true">
    <p className="lead">{say('Checking for an open consult…')}</p>
    <Skeleton className="h-56 rounded-panel md:h-36" />
  </div>
)
