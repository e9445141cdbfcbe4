import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { User } from '#contract/accounts.ts'
import { Emergencies, useArrivals, useTitleCount } from './arrivals.tsx'
import { useStaffChanges, waitingConsultations } from './queries.ts'
import { Waits } from './staff-bar.tsx'
import { BarSearch, StaffTools } from './staff-tools.tsx'
import { useSearchKeys } from './console-keys.tsx'

export const WaitsNow = () => <Waits count={useQuery(waitingConsultations).data?.counts.needs_help} />

/** Follows the queue on every staff page, so that an arrival is heard and seen wherever the vet is. */
export function LiveTools({ user, address }: { user: User; address: string }) {
  const field = useRef<HTMLInputElement>(null)
  const { data } = useQuery(waitingConsultations)
  const waits = data?.counts.needs_help
  useStaffChanges()
  useTitleCount(waits)
  useArrivals(waits, data?.consultations.map(({ id }) => id) ?? [], 'queue')
  useSearchKeys(field)
  return (
    <>
      <Emergencies waiting={data?.consultations} />
      {!/^\/myaccount(\?|$)/.test(address) && <BarSearch field={field} />}
      <StaffTools user={user} />
    </>
  )
}
