import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { openEscalations, useEscalationChanges } from '../escalation/queries.ts'
import { Link } from '../ui/link.tsx'
import { ringEmergency } from './arrivals.tsx'

const isUndecided = ({ state, decides }: { state: string; decides: boolean }) => state === 'yours' && decides

/** On every staff page, announces with a sound that nobody answered for a case that this vet decides. */
export function UnansweredCalls({ address }: { address: string }) {
  useEscalationChanges()
  const { data } = useQuery(openEscalations)
  const known = useRef<Set<number>>(undefined)
  const [said, say] = useState('')
  useEffect(() => {
    if (data === undefined) return
    const now = data.filter(isUndecided)
    const arrived = now.filter(({ id }) => known.current && !known.current.has(id))
    known.current = new Set(now.map(({ id }) => id))
    if (arrived.length === 0) return
    ringEmergency()
    say(arrived.map(({ pet }) => `Nobody answered for ${pet}. You decide now`).join('. '))
  }, [data])
  const shown = data?.filter((one) => isUndecided(one) && !address.startsWith(`/phone/${one.id}`)) ?? []
  return (
    <>
      <p role="alert" className="sr-only">
        {said}
      </p>
      {shown.map(({ id, pet, clinic }) => (
        <Link
          key={id}
          href={`/phone/${id}`}
          className="order-last w-full rounded-small bg-coral-soft px-3 py-2 font-semi text-coral-soft-ink"
        >
          Nobody has taken {pet} ({clinic.clinic}) yet. Decide now
        </Link>
      ))}
    </>
  )
}
