import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import * as calls from '#contract/roster.ts'
import { MINUTE } from '#contract/time.ts'
import { useForForm } from '../lib/for-form.ts'
import { on } from '../lib/live.ts'
import { query, useCall } from '../lib/queries.ts'

/** Fetched again every minute, because a band may have begun or a vet may be late. */
export const rosterFrom = (from: string | undefined) => ({
  ...query(calls.listRoster, { from }),
  refetchInterval: MINUTE,
})

export const freeVets = (day: string, from: string, to: string) =>
  query(calls.listFreeVets, { day, from, to })

/** What removing or taking sends, so that it isn't done to what somebody else has just changed. */
export const asSeen = ({ id, vet_id, begin, end }: calls.Shift) => ({ id, vet_id, begin, end })

const invalidates = [calls.listRoster, calls.listFreeVets]

export const useAddShift = () => useForForm(calls.addShift, { invalidates })
export const useChangeShift = () => useForForm(calls.changeShift, { invalidates })
export const useRemoveShift = () => useCall(calls.removeShift, { invalidates, showsFailure: true })
export const usePutShiftBack = () => useCall(calls.addShift, { invalidates, showsFailure: true })
export const useRepeatWeek = () => useCall(calls.repeatWeek, { invalidates, showsFailure: true })
export const useOfferShift = () => useForForm(calls.offerShift, { invalidates })
export const useTakeShift = () => useForForm(calls.takeShift, { invalidates })

export function useRosterChanges() {
  const client = useQueryClient()
  useEffect(
    () => on(calls.rosterChanged, () => void client.invalidateQueries({ queryKey: [calls.listRoster.path] })),
    [client],
  )
}
