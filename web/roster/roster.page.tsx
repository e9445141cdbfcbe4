import { useStaff } from '../accounts/use-staff.ts'
import { pageMeta } from '../lib/meta.ts'
import { ViewHead, ViewLoading } from '../ui/view-frame.tsx'
import Roster from './roster.tsx'

export const meta = () => pageMeta('Duty roster', 'Who works when.')

export default function RosterPage() {
  const { staff, isError, refetch } = useStaff()
  return (
    <div className="wrap stack gap-5 pt-6 pb-16">
      {staff ? (
        <Roster />
      ) : (
        <>
          <ViewHead title="Duty roster" />
          <ViewLoading of={{ isError, refetch }} what="your account" />
        </>
      )}
    </div>
  )
}
