import { getRecord } from '#contract/clinical.ts'
import { listPets } from '#contract/pets.ts'
import * as calls from '#contract/records.ts'
import { useForForm } from '../lib/for-form.ts'
import { query, useCall } from '../lib/queries.ts'

/** With a consultation, its guest can also read its pet's record. */
export const recordOfPet = (id: number, consultation?: number) => ({
  ...query(calls.getPetRecord, { id }, consultation === undefined ? {} : { consultation }),
  refetchOnWindowFocus: 'always' as const,
})

const changes = { invalidates: [calls.getPetRecord, getRecord] } as const

export const useAddWeight = () =>
  useForForm(calls.addWeight, { invalidates: [...changes.invalidates, listPets] })
export const useRemoveWeight = () => useCall(calls.removeWeight, changes)
export const useAddFact = () => useForForm(calls.addFact, changes)
export const useSayNone = () => useCall(calls.recordNone, changes)
export const useEndFact = () => useForForm(calls.endFact, changes)
