import { USER_TYPES } from '#contract/accounts.ts'
import { useStaff } from '../accounts/use-staff.ts'
import { pageMeta } from '../lib/meta.ts'
import { useLate } from '../ui/late.ts'
import { allOf } from '../ui/rows-loading.tsx'
import { ViewLoading } from '../ui/view-frame.tsx'

export const meta = () => pageMeta('Phone consult', 'Record a phone consult for a clinic.')

const load = () => import('./phone-form.tsx')

/** Where vets record what they advised on the phone. Only staff load the form. */
export default function Phone() {
  const late = useLate(load)
  const { staff, ...user } = useStaff()
  return (
    <div className="mx-auto max-w-[1280px] px-5 pt-6 pb-16 max-sm:px-4">
      {late.part && staff ? (
        <late.part.PhoneConsult asksVet={staff.type === USER_TYPES.admin} />
      ) : (
        <div className="stack gap-5">
          <h1 className="text-28">Phone consult</h1>
          <ViewLoading of={allOf(late, user)} what="this page" />
        </div>
      )}
    </div>
  )
}
