import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { User } from '#contract/accounts.ts'
import { useTitleCount } from '../lib/title-count.ts'
import { Emergencies, useArrivals, useHandedOver } from './arrivals.tsx'
import { countOf } from './cases.ts'
import { followUps, useStaffChanges, waitingConsultations } from './queries.ts'
import { Waits } from './staff-bar.tsx'
import { BarSearch, StaffTools } from './staff-tools.tsx'
import { UnansweredCalls } from './unanswered-calls.tsx'
import { useSearchKeys } from './console-keys.tsx'
import { currentUser } from '../lib/current-user.ts'

function useWaits() {
  const { data } = useQuery(waitingConsultations)
  const asked = useQuery(followUps)
  return { data, asked: asked.data, waits: countOf(data?.counts.needs_help, asked.data) }
}

export const WaitsNow = () => <Waits count={useWaits().waits} />

/** Follows the queue on every staff page, so that vets hear and see an arrival wherever they are. */
export function LiveTools({ user, address }: { user: User; address: string }) {
  const field = useRef<HTMLInputElement>(null)
  const { data, asked, waits } = useWaits()
  const self = useQuery(currentUser)
  const mine = asked?.filter(({ vet_id }) => vet_id === user.id).length ?? 0
  useStaffChanges(user)
  // The router's title of this page is the owner's: it doesn't know who is signed in.
  const isDashboard = address.split('?')[0] === '/myaccount'
  useTitleCount(waits === undefined ? undefined : waits + mine, isDashboard ? 'Consultations' : undefined)
  useArrivals(waits, data?.consultations.map(({ id }) => id) ?? [])
  useHandedOver()
  useSearchKeys(field)
  return (
    <>
      <Emergencies waiting={data?.consultations} asked={asked} own={self.data?.consultations} />
      {!/^\/myaccount(\?|$)/.test(address) && <BarSearch field={field} />}
      <StaffTools user={user} />
      <UnansweredCalls address={address} />
    </>
  )
}
