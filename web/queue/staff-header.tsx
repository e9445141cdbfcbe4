import { useQuery } from '@tanstack/react-query'
import { USER_TYPES } from '#contract/accounts.ts'
import { currentUser } from '../lib/current-user.ts'
import { useLastShown } from '../lib/last-shown.ts'
import { useLate } from '../ui/late.ts'
import { StaffBar } from './staff-bar.tsx'

const load = () => import('./staff-news.tsx')

/**
 * Replaces the shop's header for staff. Every page for signed-in people includes both, and before the first paint
 * <html> says which one to show. The address is the page's path and query.
 */
export function StaffHeader({ address }: { address: string }) {
  const shown = useLastShown('user')
  return (
    <div className="hidden in-data-staff:contents">
      {shown && shown.type !== USER_TYPES.owner ? <Live address={address} /> : <StaffBar address={address} />}
    </div>
  )
}

/** Only staff load the script. */
function Live({ address }: { address: string }) {
  const { part } = useLate(load)
  const { data: user } = useQuery(currentUser)
  return (
    <StaffBar
      address={address}
      waits={part && <part.WaitsNow />}
      tools={part && user && <part.LiveTools user={user} address={address} />}
    />
  )
}
