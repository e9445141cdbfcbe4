import { getRecord } from '#contract/clinical.ts'
import * as calls from '#contract/records.ts'
import { query, useCall } from '../lib/queries.ts'

/** A guest's token reaches the pet of its own consult. */
const about = (consultation?: number) => (consultation === undefined ? {} : { consultation })

export const recordOfPet = (id: number, consultation?: number) => ({
  ...query(calls.getPetRecord, { id }, about(consultation)),
  refetchOnWindowFocus: 'always' as const,
})

const changes = (consultation?: number) =>
  ({
    invalidates: [calls.getPetRecord, getRecord],
    options: about(consultation),
    showsFailure: true,
  }) as const

export const useAddWeight = (consultation?: number) => useCall(calls.addWeight, changes(consultation))
export const useRemoveWeight = (consultation?: number) => useCall(calls.removeWeight, changes(consultation))
export const useAddFact = (consultation?: number) => useCall(calls.addFact, changes(consultation))
export const useSayNone = (consultation?: number) => useCall(calls.sayNone, changes(consultation))
export const useEndFact = (consultation?: number) => useCall(calls.endFact, changes(consultation))
