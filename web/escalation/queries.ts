import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { consultationChanged } from '#contract/consultations.ts'
import * as calls from '#contract/escalation.ts'
import { rosterChanged } from '#contract/roster.ts'
import { on, onConnection } from '../lib/live.ts'
import { together } from '../ui/listen.ts'
import { query, useCall } from '../lib/queries.ts'

/** There is no push for deliveries, so an open case is fetched again this often. */
const LOOKS_AGAIN_MS = 5000
const CALMLY_MS = 30_000

export const openEscalations = queryOptions({
  ...query(calls.listEscalations, {}),
  refetchInterval: CALMLY_MS,
})

export const escalation = (id: number) =>
  queryOptions({
    ...query(calls.getEscalation, { id }),
    refetchInterval: ({ state }) => (state.data?.state === 'calling' ? LOOKS_AGAIN_MS : CALMLY_MS),
  })

export const useMoveEscalation = () =>
  useCall(calls.moveEscalation, {
    showsFailure: true,
    invalidates: [calls.getEscalation, calls.listEscalations],
  })

/** Follows what happens to one case, or to all of them, for as long as the page is open. */
export function useEscalationChanges(id?: number) {
  const client = useQueryClient()
  const look = useEffectEvent((consultation?: number) => {
    void client.invalidateQueries({ queryKey: [calls.listEscalations.path] })
    if (id !== undefined && (consultation === undefined || consultation === id))
      void client.invalidateQueries({ queryKey: [calls.getEscalation.path, { id }] })
  })
  useEffect(() => {
    return together(
      on(consultationChanged, ({ consultation }) => look(consultation)),
      // Another vet's case is this vet's to decide once that vet is off duty.
      on(rosterChanged, () => look()),
      onConnection((isUp) => isUp && look()),
    )
  }, [])
}

/* The contact's own page. */

export const contactCall = (code: string) =>
  queryOptions({ ...query(calls.readContactCall, { code }), refetchInterval: 15_000, staleTime: 0 })

export const useAnswer = () =>
  useCall(calls.answerContactCall, { showsFailure: true, invalidates: [calls.readContactCall] })
