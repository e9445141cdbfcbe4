import { words } from '#contract/errors.ts'
import type { Decision, PhoneDraft } from '#contract/phone.ts'
import type { Level } from '#contract/urgency.ts'
import type { Rules } from '../ui/form-state.ts'

export type Typed = typeof NOTHING_TYPED
export const NOTHING_TYPED = {
  clinic: '',
  caller: '',
  phone: '',
  pet: '',
  species: '',
  sex: '',
  age: '',
  query: '',
  urgency: '',
  advice: '',
  decision: '',
  vet: '',
}

const numberOf = (text: string) => (text === '' ? null : Number(text))

export const draftFrom = ({ clinic, species, sex, urgency, decision, vet, ...texts }: Typed) => ({
  ...texts,
  clinic: numberOf(clinic),
  species: numberOf(species),
  sex: numberOf(sex) as 1 | 2 | null,
  urgency: (urgency || null) as Level | null,
  decision: (decision || null) as Decision | null,
  vet: numberOf(vet),
})

export const typedFrom = (draft: PhoneDraft): Typed =>
  Object.fromEntries(
    Object.keys(NOTHING_TYPED).map((name) => [name, String(draft[name as keyof PhoneDraft] ?? '')]),
  ) as unknown as Typed

export const phoneRules =
  (asksVet: boolean): Rules<Typed> =>
  ({ clinic, caller, pet, query, urgency, decision, vet }) => ({
    vet: asksVet && vet === '' && words('PHONE_VET_MISSING'),
    clinic: clinic === '' && words('PHONE_CLINIC_MISSING'),
    caller: caller.trim() === '' && words('PHONE_CALLER_MISSING'),
    pet: pet.trim() === '' && words('PET_NAME_MISSING'),
    query: query.trim() === '' && words('PHONE_PROBLEM_MISSING'),
    urgency: urgency === '' && words('PHONE_URGENCY_MISSING'),
    decision: decision === '' && words('PHONE_DECISION_MISSING'),
  })
