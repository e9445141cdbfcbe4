import type { Vet } from '#contract/vets.ts'
import * as calls from '#contract/vets.ts'
import { query } from '../lib/queries.ts'
import { useForForm } from '../lib/for-form.ts'

export const everyVet = { ...query(calls.listVets, {}), refetchOnWindowFocus: 'always' as const }

const invalidates = [calls.listVets]

export const useFindPerson = () => useForForm(calls.findPerson)
export const useInviteVet = () => useForForm(calls.inviteVet, { invalidates })
export const useSetUserType = () => useForForm(calls.setUserType, { invalidates })
export const useSaveVet = (onChanged: (current: Vet) => void) =>
  useForForm(calls.saveVet, { invalidates, onChangedMeanwhile: (current) => onChanged(current as Vet) })
