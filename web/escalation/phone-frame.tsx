import type { ReactNode } from 'react'
import type { User } from '#contract/accounts.ts'
import { useStaff } from '../accounts/use-staff.ts'
import { useLate } from '../ui/late.ts'
import { allOf } from '../ui/rows-loading.tsx'
import { ViewLoading } from '../ui/view-frame.tsx'

/** A page about phone consults, whose part only staff load. */
export function PhoneFrame<Part>({
  load,
  children,
}: {
  load: () => Promise<Part>
  children: (part: Part, staff: User) => ReactNode
}) {
  const late = useLate(load)
  const { staff, ...user } = useStaff()
  return (
    <div className="mx-auto max-w-[1280px] px-5 pt-6 pb-16 max-sm:px-4">
      {late.part && staff ? (
        children(late.part, staff)
      ) : (
        <div className="stack gap-5">
          <h1 className="text-28">Phone consult</h1>
          <ViewLoading of={allOf(late, user)} what="this page" />
        </div>
      )}
    </div>
  )
}
